
// The lane functions at the top of this file, once for each width of vectors.
{{unused}}
#define CLEAVE_LANE_BYTES 16
#include "lanes/begin.h"
#include {{self}}
#include "lanes/end.h"
#if CLEAVE_LANE_WIDEST >= 64
#define CLEAVE_LANE_BYTES 32
#include "lanes/begin.h"
#include {{self}}
#include "lanes/end.h"
#define CLEAVE_LANE_BYTES 64
#include "lanes/begin.h"
#include {{self}}
#include "lanes/end.h"
#endif

