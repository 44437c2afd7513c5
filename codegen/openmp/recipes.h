/* recipes.h: the properties from which an OpenMP variant is generated: one row of the table in
 * recipes.c.
 *
 * A loop's schedule says which stages there are. A recipe says how threads of the host run them: by
 * which skeleton, over which plan, how races are resolved. A new way is a row there.
 */
#ifndef CLEAVE_CODEGEN_OPENMP_RECIPES_H
#define CLEAVE_CODEGEN_OPENMP_RECIPES_H

#include "codegen/emit.h"

/* Loops that a recipe is for: those with one of these schedules (1u << SCHEDULE_SPLIT), or: */
enum {
    OPENMP_IN_PLACE = 1u << 16, /* it modifies data through a map, other than by updates */
    OPENMP_DIRECT = 1u << 17    /* it modifies nothing through a map */
};

/* The --cleave-emit level that compiles a recipe. */
enum openmp_level {
    OPENMP_CHOSEN,  /* all levels: it runs by default, or with some setting */
    OPENMP_COMPARED /* `comparisons`: others are compared with it */
};

struct openmp_recipe {
    unsigned schedules; /* bits, see above */
    const char *suffix; /* of the variant's name, behind that of the schedule */
    const char *what;   /* the comment above it */
    const char *text;   /* skeleton of the function of one thread */
    enum cleave_race race;
    enum cleave_plan_kind plan;
    unsigned parts; /* of the plan: CLEAVE_PART_ bits */
    bool as_lanes; /* elements are computed as lanes compute them, if the loop can have lanes; where
                      it has the recipe with lanes, by the function that it has for the rest */
    bool lanes;    /* several elements at once: a lane function (codegen/passes.c) */
    enum openmp_level level;
    int rank; /* cleave_variant.rank; recipes of one schedule stand in this order */
    /* Why the loop cannot have the recipe with this schedule; NULL: it can. The function may be
     * NULL. */
    const char *(*unfit)(struct emit *emit, const struct schedule *schedule);
};

/* Why the loop's elements are computed one at a time; NULL: several can be at once. */
const char *openmp_lanes_refusal(struct emit *emit);
/* Whether the file has the loop's variants with lanes. */
bool openmp_has_lanes(struct emit *emit);

/* Fills recipe[0..] with the recipes for a schedule (bits of `schedules`) that the options ask for
 * and that fit, in order of preference; returns their number. `recipe` has room for all. */
enum { OPENMP_MOST_RECIPES = 8 };
int openmp_recipes_find(struct emit *emit, unsigned schedules, const struct schedule *schedule,
                        const struct openmp_recipe *recipe[OPENMP_MOST_RECIPES]);

#endif
