/* onera_float.c: the loops in float. */
#define real float
#define REAL "float"
#define real_max fmaxf
#define run_real run_float
#include "onera_loops.h"
