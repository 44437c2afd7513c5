/* recipes.h: the properties from which a variant is generated: one row of the table in recipes.c.
 *
 * A loop's schedule says which stages there are. A recipe says how CUDA runs them: in kernels of
 * which form, how they read, how they resolve races, what they are compiled with. A new way is a
 * row there, and, where it updates data in a way of its own, a struct cuda_updating beside the code
 * that prints it.
 */
#ifndef CLEAVE_CODEGEN_CUDA_RECIPES_H
#define CLEAVE_CODEGEN_CUDA_RECIPES_H

#include "codegen/emit.h"

/* Iteration space of a kernel's launch, which determines its skeleton and first parameters.
 * cuda_form() has the properties of each. */
enum cuda_form {
    FORM_NONE,
    FORM_ELEMENTS, /* (begin, end, block_size): blocks of elements, no plan */
    FORM_ROWS,     /* (begin, end, block_size): warps move their elements' long records, no plan */
    FORM_WARPS,    /* (begin, end, block_size): updates by whole warps, no plan */
    FORM_GLOBAL,   /* (element, first, end, block_size): the elements of one colour of the whole set
                    */
    FORM_BLOCKS,   /* (plan, space): all blocks of the plan at once */
    FORM_COLOURS,  /* (plan, space, first): the blocks of one colour */
    FORM_TURNS,    /* (plan, first): the blocks of one colour, in place, one thread colour after
                      another */
    FORM_POINTS,   /* (list): a thread for each point of a map's target */
    FORM_OWNERS,   /* (list, block_size, space): points, in blocks with their neighbourhood */
    FORM_SUMS,     /* (list, space): each point adds up the sums that blocks made for it */
    FORM_JOIN      /* (partial results): one block joins the results of all blocks */
};
enum { FORMS = FORM_JOIN + 1 };

/* Template parameters of a kernel. */
enum cuda_tuned {
    TUNED_NOT,
    TUNED_REGISTERS, /* per thread */
    TUNED_COMPONENTS /* per thread that updates, and registers */
};

/* Target of an update's addition. */
enum cuda_sink {
    SINK_SHARED,        /* the block's OUT groups, in the element's turn */
    SINK_SHARED_ATOMIC, /* the block's OUT groups, all elements at once */
    SINK_MEMORY_ATOMIC, /* the dat, all elements at once */
    SINK_MEMORY,        /* the dat, only elements that share no point at once */
    SINK_POINT          /* the point's own components, in registers */
};

/* How kernels over blocks apply the updates of a split schedule. */
struct cuda_updating {
    /* Update stages one after the other: the skeleton of one, the destination of values, and a part
     * of the name of the function that adds a block's sums to memory. */
    const char *stage;
    enum cuda_sink sink;
    const char *stage_out;
    /* Or prints all update stages at once, instead of the above. staged: stages before them use
     * shared memory. */
    void (*print)(struct emit *emit, bool staged);
    /* The points of a block sum the values that its elements put into shared memory. */
    bool gathers;
    /* The sums stay in memory, for kernels of FORM_SUMS. */
    bool sums;
};

/* How a block copies the data that it reads through maps to shared memory. */
enum cuda_staging {
    STAGING_PLAIN,
    STAGING_AHEAD,  /* for each stage while the one before computes */
    STAGING_PACKED, /* from packed records, one per point, that the runtime keeps */
    STAGING_BULK    /* from packed records, by bulk copies of runs of points */
};

/* How points that read memory directly visit their items. */
enum cuda_walk {
    WALK_EACH,
    WALK_BATCHES, /* they load several at once (cuda_batch.c) */
    WALK_OWN,     /* they keep their own records in registers (cuda_own.c) */
    WALK_NAMED    /* items name the points that elements read (cuda_named.c); also as WALK_OWN */
};

/* Loops that a recipe is for: those with one of these schedules (1u << SCHEDULE_SPLIT), or: */
enum {
    FOR_IN_PLACE = 1u << 16, /* it modifies data through a map, other than by updates */
    FOR_DIRECT = 1u << 17,   /* it modifies nothing through a map */
    FOR_ORDERED = 1u << 18   /* split, where sums must have the same order in every run */
};

/* The --cleave-emit level that compiles a recipe. */
enum cuda_level {
    LEVEL_CHOSEN,      /* all levels: rules choose it with some setting */
    LEVEL_ALTERNATIVE, /* `auto`: only if no recipe before it has the same races and reads */
    LEVEL_COMPARED     /* `comparisons`: others are compared with it, and CLEAVE_VARIANT names it */
};

/* Joined loops with epilogues prefer other recipes than loops that end with their sums. */
enum cuda_only { ONLY_NOT, ONLY_EPILOGUES, ONLY_PLAIN };

/* Situations that determine the preferred recipe of a schedule without measurements. */
enum cuda_situation {
    BLOCKS_WIN,  /* the reuse within a block is worth its plan, or elements add data of their own,
                    which the threads of a block of points fetch ahead */
    BLOCKS_LOSE, /* elements read little; in place: bodies are so long that turns cost more */
    BLOCKS_LOSE_DOUBLES, /* as BLOCKS_LOSE, and the loop updates 8-byte elements */
    SITUATIONS
};

struct recipe {
    unsigned schedules; /* bits, see above */
    const char *suffix; /* of the variant's name, behind that of the schedule */
    const char *what;   /* the comment above it */
    enum cleave_race race;
    enum cleave_plan_kind plan;
    unsigned parts; /* of the plan: CLEAVE_PART_ bits */
    enum cleave_reads reads;
    enum cuda_staging staging;
    bool items; /* blocks of points: the elements' own data comes from copies in the items' order */
    enum cuda_walk walk;
    bool merges; /* whole warps: equal neighbours are joined first */
    int slices;  /* parts that the components are computed and gathered in; 0: all at once */
    const struct cuda_updating *updating;
    /* The form of the kernel that runs the schedule's first stages, and that of kernels that update
     * alone; FORM_NONE: the first kernel updates, too. */
    enum cuda_form first;
    enum cuda_form updates;
    bool layout; /* shared memory is laid out for the schedule; else it holds reductions alone */
    enum cuda_tuned tuned;
    /* Makes a row of the loop's table for each set of compiled-in parameters; NULL: there are none.
     */
    void (*tune)(struct emit *emit, struct emitted *row);
    /* Replaces `tune` for loops with epilogues: register caps of their kernels over points; NULL:
     * as other loops. */
    void (*tune_epilogues)(struct emit *emit, struct emitted *row);
    enum cuda_only only; /* loops that have the recipe */
    enum cuda_level level;
    bool for_bodies; /* `auto`: only if elements do more than add (cuda_only_adds) */
    /* Rank among the recipes of the schedule in each situation; the lowest is preferred. */
    int rank[SITUATIONS];
    /* Why the loop cannot, or should not, have the recipe with this schedule; NULL: it can. The
     * function may be NULL. emit->schedule is the schedule. */
    const char *(*unfit)(struct emit *emit, const struct schedule *schedule);
};

/* Fills recipe[0..] with the recipes for a schedule (bits of `schedules`) that the options ask for
 * and that fit, in order of preference; returns their number. `recipe` has room for all. */
enum { MOST_RECIPES = 16 };
int recipes_find(struct emit *emit, unsigned schedules, const struct schedule *schedule,
                 const struct recipe *recipe[MOST_RECIPES]);

/* Lists the recipes that are asked for and do not fit; reason[r] says why recipe[r] does not. */
int recipes_unfit(struct emit *emit, unsigned schedules, const struct schedule *schedule,
                  const struct recipe *recipe[MOST_RECIPES], const char *reason[MOST_RECIPES]);

/* The recipe of the variant that is being written. */
static inline const struct recipe *cuda_recipe(const struct emit *emit)
{
    return emit->variant->recipe;
}

/* The skeletons and parameters of a form. */
struct cuda_form_row {
    const char *skeleton;
    const char *reduces;    /* skeleton of a kernel that also reduces; NULL: the same one */
    const char *only_reads; /* of one that does nothing else (cuda_only_reads); NULL: likewise */
    const char *epilogue;   /* of one whose loop has epilogues; NULL: it has none */
    const char *launch;
    const char *updates;    /* comment above a kernel of this form that only updates */
    const char *tmp_format; /* format of the values of tmp(e) in such a kernel */
    bool blocks;            /* over blocks of elements, of the plan */
    bool stages;            /* has groups in shared memory */
    bool plan;              /* its launch needs the plan */
    bool block_size;        /* its launch needs the number of elements per block */
};
const struct cuda_form_row *cuda_form(enum cuda_form form);

#endif
