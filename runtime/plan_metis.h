/* plan_metis.h: METIS, loaded on first use; plan_metis.c alone knows how it is called. */
#ifndef CLEAVE_PLAN_METIS_H
#define CLEAVE_PLAN_METIS_H

#include "plan_impl.h"

/* 1 when METIS can be called; loads it the first time. Its absence is said once on stderr, unless
 * CLEAVE_METIS=none asked for it. CLEAVE_METIS=PATH names the library file. */
int plan_metis_available(void);

/* 1 when loading was tried and gave nothing. Loads nothing. */
int plan_metis_absent(void);

/* METIS's k-way partition of the graph into at most `parts` parts: part[e] in 0..parts-1.
 * Returns 0; -1 with a message in error (out of memory); 1 when METIS cannot do it, said on stderr
 * once for each cause. */
int plan_metis_partition(const struct plan_graph *graph, int parts, int *part, char *error);

#endif
