/* explain_loop.h: the parts of --cleave-explain's page that are about loops. */
#ifndef CLEAVE_DRIVER_EXPLAIN_LOOP_H
#define CLEAVE_DRIVER_EXPLAIN_LOOP_H

#include <stdio.h>

#include "pass/ir/loop_ir.h"

/* A table of all loops of the program, with links to their parts. unit: begins the ids of these. */
void explain_overview(FILE *out, const struct program *program, const char *unit);
/* The part of loop number l: its data, schedules and stages. */
void explain_loop(FILE *out, const struct program *program, const char *unit, int l);

#endif
