/* order.h: an order of the mesh that is being made, for the files of mesh/ that make orders.
 *
 * order.c begins a draft with all that decides the order. Making it changes the draft alone and
 * reads, beside the draft, the settings and what is declared once for all: sizes of sets, entries
 * of maps. So the worker may make it while loops run (background.c). order_adopt.c then gives the
 * mesh the order. */
#ifndef CLEAVE_MESH_ORDER_H
#define CLEAVE_MESH_ORDER_H

#include "runtime/base/worker.h"
#include "runtime/mesh/mesh.h"

/* ---- planning.c --------------------------------------------------------------------------------
 */

/* The threads that OpenMP gives the calling thread now. */
int cleave_planning_threads(void);

/* ---- drafts -----------------------------------------------------------------------------------
 */

enum { COORDINATES_REASON = 200 };

struct order_draft {
    /* The input. */
    int sets; /* more than the highest index of a set */
    int maps;
    op_map *map; /* [maps] all that are declared, by their index */
    op_set primary;
    op_map hint;           /* op_partition's, or NULL */
    int froms;             /* maps from the primary set */
    struct plan_map *from; /* [froms] in the user's numbering */
    op_map *of;            /* [froms] likewise */
    int for_host;
    int has_lanes;                /* of the first target */
    const struct cleave_job *job; /* the worker's that makes it; NULL: nobody's */
    struct plan_method method;
    struct planner planner;
    op_dat named;               /* the coordinates' dat, or NULL */
    struct plan_coordinates at; /* at.at NULL: none */
    void *at_copy;              /* at.at, if the draft owns it; else NULL */
    int points;                 /* of at_copy */
    int at_unchecked;           /* 1: whether the values of at_copy are coordinates is not known */

    int waits;     /* 1: it is to be made later, unless the store has it */
    int is_absent; /* 1: it has not been made because it waits */

    /* A first order, for the loops that run while this one is made (order_first.c). NULL: none, or
     * adopted. The worker leaves it alone once has_first is 1. */
    struct order_draft *first;
    atomic_int has_first; /* 1: `first` is made */

    /* The result. An order is NULL while the set keeps the user's. */
    int **to_user; /* [sets] by index, as in struct cleave_set */
    int **to_own;  /* [sets] likewise */
    int **row; /* [maps] by index, entries in the order of both sets, as in struct cleave_map, or
                  NULL */
    struct cleave_order order;
    char refused[COORDINATES_REASON]; /* why at_copy holds no coordinates; "": it does */
    struct store_key key;             /* of the order in the store, if is_new */
    int is_new;                       /* 1: the store should have it, and does not */
    int is_refused; /* 1: an earlier run has found that the mesh needs no order: there is none */
};

/* 1: the method looks at coordinates. */
int cleave_uses_places(struct plan_method method);
/* Makes the order. Fails by cleave_fatal(). */
void cleave_draft_make(struct order_draft *draft);
/* The entries of a map in the order of both sets so far; the draft owns them if they are not the
 * program's. */
const int *cleave_draft_row(struct order_draft *draft, op_map map);
void cleave_draft_forget_row(struct order_draft *draft, op_map map);
/* Makes these entries for all maps. */
void cleave_draft_renumber_maps(struct order_draft *draft);
void cleave_draft_free(struct order_draft *draft);
/* Appends a phase on one thread to the order's phases; begin: cleave_seconds() at its start. */
void cleave_draft_add_phase(struct order_draft *draft, const char *name, double begin);

/* 1: the draft makes an order of its own for the set. */
static inline int cleave_draft_moves(const struct order_draft *draft, op_set set)
{
    return draft->to_user[set->index] != NULL;
}

/* ---- order_sets.c -----------------------------------------------------------------------------
 */

/* Ends the program unless to_user[set->size] is a permutation. */
void cleave_order_check(op_set set, const int *to_user);
/* Gives the set the order to_user[size], a permutation, which the draft then owns. The identity
 * leaves the set without an order. */
void cleave_draft_set(struct order_draft *draft, op_set set, int *to_user);
/* Gives a set an order by a map whose other set has its order: elements are sorted by their points,
 * points numbered as the elements name them first. */
void cleave_draft_follow(struct order_draft *draft, op_map map, op_set set);
/* Orders the sets that maps connect, directly or not, to sets that have an order. */
void cleave_draft_others(struct order_draft *draft);
/* Likewise, if `set` alone has one. */
void cleave_draft_all_after(struct order_draft *draft, op_set set);

/* ---- order_wanted.c ---------------------------------------------------------------------------
 */

/* Counts the entries of all maps that start at the set. */
double cleave_order_entries(op_set set);
/* Bytes of an element of the set in all dats. */
size_t cleave_order_point_bytes(op_set set);
/* 1: a mesh with this primary set, or NULL, is to get an order. Measures maps for that. */
int cleave_order_is_wanted(op_set primary);
/* 1: the last call of cleave_order_is_wanted() has found an order in which consecutive elements
 * name points at random. */
int cleave_order_is_scattered(void);

/* ---- order_first.c ----------------------------------------------------------------------------
 */

/* Makes draft->first, if there is one and the draft has coordinates for it, and says so in
 * has_first. */
void cleave_draft_make_first(struct order_draft *draft);

/* ---- order_kept.c -----------------------------------------------------------------------------
 */

struct kept_set {
    int32_t index;
    int size;
    const int *to_user; /* [size], borrowed */
};

/* An order that is to be kept. The arrays are borrowed: those of a draft, and those of the mesh
 * after it has been adopted. */
struct kept_order {
    struct store_key key;
    struct cleave_store store;
    struct plan_numbering numbering; /* without order; start borrowed */
    int sets;                        /* ordered ones */
    struct kept_set set[];
};

/* Sets *key to a hash of all that decides the draft's order. numbering: planner_key() for the maps
 * chosen[maps], which have been hashed there. */
void cleave_order_key(struct store_key *key, const struct order_draft *draft, int maps,
                      const struct plan_map *chosen, const struct store_key *numbering);
/* 1: the store had the order, which the draft has now, or says that the mesh needs none
 * (draft->is_refused). */
int cleave_order_read(struct order_draft *draft, const struct store_key *key);
/* Returns the data that cleave_order_keep() writes for the draft's order; free() frees them. NULL:
 * the order need not be kept. */
struct kept_order *cleave_order_kept(const struct order_draft *draft);
/* Writes it to the store; NULL: nothing. */
void cleave_order_keep(const struct kept_order *kept);
/* Writes that the mesh of this key needs no order. */
void cleave_order_refuse(const struct store_key *key);

/* ---- order_host.c -----------------------------------------------------------------------------
 */

/* Makes the order where all loops run on the CPU, except for sets whose own order suits the caches;
 * draft->order.primary is NULL if all are such. */
void cleave_draft_for_host(struct order_draft *draft);

/* ---- order_coordinates.c ----------------------------------------------------------------------
 */

/* Sets draft->at to the coordinates that the program or the user names, and
 * draft->order.coordinates to their dat if one of the maps of[maps] leads to its set; a warning
 * says why a named dat is not used. copies: the draft gets a copy of the values, which are not yet
 * checked, unless its method looks at none. */
void cleave_draft_coordinates(struct order_draft *draft, const op_map *of, int maps, int copies);
/* Checks unchecked values; without coordinates from then on if they are wrong. */
void cleave_draft_check_coordinates(struct order_draft *draft);
/* Warns if the check found them wrong. */
void cleave_draft_say_coordinates(const struct order_draft *draft);

/* ---- background.c -----------------------------------------------------------------------------
 */

/* Has the worker make the order, which is adopted later. Owns the draft. in_loop: 1: a loop is
 * being prepared. */
void cleave_draft_start(struct order_draft *draft, int in_loop);
/* 1: plans are not to be made now: maps will get other entries, or the worker makes the entries
 * that they have got. */
int cleave_plans_are_held(void);
/* Drops an order that is not adopted yet; waits for the worker, unless it has not begun. */
void cleave_background_drop(void);
/* background_text.c: writes the object "background" of reports. */
void cleave_background_json(struct cleave_json *json);
/* Call before a dat is freed. */
void cleave_background_forget(op_dat dat);

/* ---- order_adopt.c ----------------------------------------------------------------------------
 */

/* Gives the mesh the draft's order, in place of the user's: moves dats and maps there, drops all
 * plans, and frees the draft. */
void cleave_draft_adopt(struct order_draft *draft);
/* Likewise for a first order: the mesh has no order that reports, plans and the store know. */
void cleave_draft_adopt_first(struct order_draft *first);
/* Bytes that adopting it would transfer between host and device. */
double cleave_draft_transfers(const struct order_draft *draft);

#endif
