/* units_left.c: see units.h. */
#define UNIT_SCALE 2.0
#define UNIT_POWER 1
#define UNIT_RUN run_left
#include "units.h"
