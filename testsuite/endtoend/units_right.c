/* units_right.c: see units.h. */
#define UNIT_SCALE 5.0
#define UNIT_POWER 2
#define UNIT_RUN run_right
#include "units.h"
