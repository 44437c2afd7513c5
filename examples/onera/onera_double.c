/* onera_double.c: the loops in double. */
#define real double
#define REAL "double"
#define real_max fmax
#define run_real run_double
#include "onera_loops.h"
