/* unstored.h: dats whose values no copy holds, because the launch that computed them left out the
 * stores: what a loop stored, run once more, gives them (unstored.c). Included by mesh.h. Callers
 * hold the state of dats. */
#ifndef CLEAVE_UNSTORED_H
#define CLEAVE_UNSTORED_H

#include "runtime/base/registry.h"

struct cleave_dat;
struct cleave_call;

/* What became of a dat behind earlier launches of one loop. Kept with the loop's call. */
struct cleave_fate {
    unsigned char replaced;   /* times in a row that nobody needed its values */
    unsigned char recomputed; /* times in a row that values which were not stored were needed */
    unsigned char changes;    /* 1: it is read, and was modified before what follows from it was
                                 replaced */
};
/* So often in a row nobody has needed the values of a dat before they are no longer stored; they
 * are stored again where they had to be recomputed so often in a row. */
enum { CLEAVE_FATE_SURE = 2, CLEAVE_FATE_VAIN = 3 };

/* A dat that the call of a recipe reads. */
struct cleave_ingredient {
    struct cleave_dat *dat;
    struct cleave_fate *fate;
    void *kept;            /* a copy of its values on the device, an array of structures; or NULL */
    int changed;           /* 1: it has been modified since, and there is no copy */
    unsigned long version; /* of the values that the call has read */
};

/* A dat that the call of a recipe replaces. */
struct cleave_product {
    struct cleave_dat *dat;
    struct cleave_fate *fate;
    int is_open;     /* 1: nobody has read or replaced the dat since */
    int is_unstored; /* 1: and no copy holds its values */
    int is_lost;     /* 1: it was not, until it was replaced: what is in its place is of no use */
    void *scratch; /* for values that are computed though they are stored, because those of another
                      product are not: an array of structures; or NULL */
};

/* How to compute dats again: by a call that reads and replaces whole dats, and has no other
 * arguments. Where nothing is left unstored it only finds out whether that would have been well. */
struct cleave_recipe {
    struct cleave_call *call;
    int ingredients;
    struct cleave_ingredient *ingredient;
    int products;
    struct cleave_product *product;
    struct cleave_recipe *next;
};
extern struct cleave_recipe *cleave_recipes; /* those with an open product */

/* At op_init: runs the call of a recipe on the device, now, with the dats as they are. */
void cleave_recipes_run_by(void (*run)(struct cleave_call *call));
/* Makes a recipe for the call, without ingredients and products but with memory for them. Add it
 * when its launch has been queued and its dats are marked as written. */
struct cleave_recipe *cleave_recipe_new(struct cleave_call *call, int ingredients, int products);
void cleave_recipe_add(struct cleave_recipe *recipe);
/* Has the launch store all products after all. */
void cleave_recipe_stores_all(struct cleave_recipe *recipe);
/* Frees a recipe that has not been added. */
void cleave_recipe_free(struct cleave_recipe *recipe);
/* 1: the dat may be an ingredient, or a product: no other dat has a part in its memory. */
int cleave_recipe_may_name(const struct cleave_dat *dat);

/* Call before all of the dat's values are replaced, by a call that reads none of them: its copy on
 * the device then counts as current. */
void cleave_recipe_replaced(struct cleave_dat *dat);
/* Call when all dats that the call replaces are known: computes what could not be computed any more
 * once they are replaced. */
void cleave_recipes_part(void);
/* Call before somebody reads the dat: computes its values if they were not stored. */
void cleave_recipe_read(struct cleave_dat *dat);
/* Call before the dat is modified: computes what would follow from its values. */
void cleave_recipe_changes(struct cleave_dat *dat);
/* The values of the dat in a copy have been replaced. */
void cleave_recipe_written(struct cleave_dat *dat, int on_device);
/* Computes all values that were not stored: call before the order of the mesh, a constant or the
 * code of a unit changes, or a dat is freed or gets its memory shared. */
void cleave_recipes_settle(void);
/* At op_exit: forgets them all. */
void cleave_recipes_forget(void);

/* memory.c, for unstored.c: gives the dat the copies of `as`, and what is known of them. */
void cleave_dat_stand_in(struct cleave_dat *dat, const struct cleave_dat *as);

#endif
