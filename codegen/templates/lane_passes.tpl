
// The lane functions at the top of this file, once for each width of vectors.
{{unused}}
#if (CLEAVE_LANE_WIDTHS & 16) != 0
#define CLEAVE_LANE_BYTES 16
#include "lanes/begin.h"
#include {{self}}
#include "lanes/end.h"
#endif
#if (CLEAVE_LANE_WIDTHS & 32) != 0
#define CLEAVE_LANE_BYTES 32
#include "lanes/begin.h"
#include {{self}}
#include "lanes/end.h"
#endif
#if (CLEAVE_LANE_WIDTHS & 64) != 0
#define CLEAVE_LANE_BYTES 64
#include "lanes/begin.h"
#include {{self}}
#include "lanes/end.h"
#endif

