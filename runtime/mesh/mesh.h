/* mesh.h: the mesh and its data as the runtime keeps them: sets, maps and dats, orders of sets, plans, copies on
 * the device. */
#ifndef CLEAVE_MESH_H
#define CLEAVE_MESH_H

#include "runtime/base/registry.h"

struct cleave_call;

/* ---- declare.c ------------------------------------------------------------------------------ */

struct cleave_set {
    struct op_set_core core;
    /* The runtime's own order of the set (order.c); both NULL: the user's. */
    int *to_user;           /* [size] the user's number of each own number */
    int *to_own;            /* [size] the inverse */
    int *to_user_on_device; /* copy of to_user, or NULL */
    struct cleave_set *next;
};

struct cleave_map {
    struct op_map_core core;
    int *own;       /* rows and entries in the own order of both sets; NULL: not made, or equal */
    int *on_device; /* copy of own, or NULL */
    struct cleave_map *next;
};

/* The copies of a dat; every one of them may be the only current one. */
enum cleave_copy {
    COPY_USER,  /* core.data: on the host, in the user's order */
    COPY_HOST,  /* on the host, in the runtime's order; the same memory where that is the user's */
    COPY_DEVICE /* on the device, in the runtime's order */
};
enum { CLEAVE_COPIES = COPY_DEVICE + 1 };

/* Accesses of the program to dat->data that need no fault (watch.c). */
enum cleave_watch { WATCH_OPEN, WATCH_READ, WATCH_CLOSED };

struct cleave_dat {
    struct op_dat_core core;
    enum cleave_base base;
    size_t component;           /* bytes of one component */
    void *own[CLEAVE_COPIES];   /* memory of COPY_HOST and COPY_DEVICE, or NULL */
    int current[CLEAVE_COPIES]; /* memory.c's, others only read it: holds the latest values; at least one
                                   does, or one of an overlay */
    int soa; /* own[COPY_DEVICE] is a structure of arrays, cleave_dat_stride() elements apart */
    unsigned long
        version; /* of its values: no two states of any dats have the same, see memory.c */
    int borrowed; /* core.data is the program's array (OP_NO_REALLOC) */
    int shares_array; /* likewise, and another dat lies in a part of that array */
    int paged;  /* core.data is from cleave_pages_new() */
    enum cleave_watch watch; /* of paged ones */
    int mapped; /* likewise, and it was declared without data: pages that nobody touched are zeros */
    const void *declared_from;  /* the program's array, to be compared only */
    struct cleave_dat *overlay; /* the next dat over the same values (overlay.c); NULL: none */
    int temporary;
    int freed; /* by op_free_dat_temp; the struct stays for a while, so that a later use is an
                  error and no crash */
    struct cleave_dat *next;
};

/* How many freed dats are remembered. */
#define CLEAVE_FREED_DATS 1024

/* Lists in order of declaration. */
struct cleave_mesh {
    struct cleave_set *sets;
    struct cleave_map *maps;
    struct cleave_dat *dats;
    int map_count;                               /* maps declared so far */
    struct cleave_dat *freed[CLEAVE_FREED_DATS]; /* the latest; NULL where there is none */
    int next_freed;                              /* the oldest, to be replaced */
};
extern struct cleave_mesh cleave_mesh;

static inline struct cleave_set *cleave_set_of(op_set set)
{
    return (struct cleave_set *)set;
}

static inline struct cleave_dat *cleave_dat_of(op_dat dat)
{
    return (struct cleave_dat *)dat;
}

static inline struct cleave_map *cleave_map_of(op_map map)
{
    return (struct cleave_map *)map;
}

static inline size_t cleave_dat_bytes(const struct op_dat_core *dat)
{
    return (size_t)dat->set->size * (size_t)dat->size;
}

/* The dat, when it may be used; else an error that names `function`. */
struct cleave_dat *cleave_dat_checked(op_dat dat, const char *function);
void cleave_mesh_free(void);

/* The type of a dat, as a declaration gives it. */
struct cleave_shape {
    int dim;
    const char *type;
    size_t component; /* bytes */
    enum cleave_base base;
};

/* The shape of an OP2 type; the pointer that came with it must fit. */
struct cleave_shape cleave_shape_known(const char *function, const char *name, int dim,
                                       const char *type, const char *pointer_type);
/* The shape of any type whose components have `size` bytes (the _char functions). */
struct cleave_shape cleave_shape_sized(const char *function, const char *name, int dim,
                                       const char *type, int size);
/* An error unless a dat of this shape can be on the set. */
void cleave_shape_check(const char *function, op_set set, const struct cleave_shape *shape,
                        const char *name);
/* A new dat with a copy of `data` (NULL: zeros); shared: memory of another dat to take instead of
 * an own, or NULL. */
op_dat cleave_dat_declare(op_set set, const struct cleave_shape *shape, const void *data,
                          char *shared, const char *name);
/* 1: both lie in arrays of the program that have memory in common (OP_NO_REALLOC). */
int cleave_dat_arrays_meet(const struct cleave_dat *a, const struct cleave_dat *b);

/* ---- overlay.c ------------------------------------------------------------------------------ */

/* A dat without current values gets those of the dats it shares them with. */
void cleave_overlay_require(struct cleave_dat *dat);
/* The dat has been written: so have those that share its values. */
void cleave_overlay_written(struct cleave_dat *dat);
/* 1: two dats over the same values. */
int cleave_overlay_same(const struct cleave_dat *a, const struct cleave_dat *b);
void cleave_dat_free(struct cleave_dat *dat);
/* Frees the values of a temporary dat; the struct stays for a while. Prepared calls have forgotten the dat. */
void cleave_dat_free_temp(struct cleave_dat *dat);
void cleave_freed_dats_free(void);

/* ---- map_pointers.c ------------------------------------------------------------------------------- */

/* The array is not the program's, and is going to be freed: no map is found by it any more. */
void cleave_map_pointer_forget(const int *array);
void cleave_map_pointers_free(void);

/* ---- permute.c: in parallel ----------------------------------------------------------------- */

/* memcpy. */
void cleave_permute_copy(void *to, const void *from, size_t bytes);
/* to[i] = from[index[i]] for `count` records of `bytes` bytes. */
void cleave_permute_gather(void *to, const void *from, const int *index, size_t count,
                           size_t bytes);
/* to[index[i]] = from[i]; no two entries of index are equal. */
void cleave_permute_scatter(void *to, const void *from, const int *index, size_t count,
                            size_t bytes);
/* inverse[order[i]] = i. */
void cleave_permute_invert(int *inverse, const int *order, int count);
/* 1: order[i] == i for all. */
int cleave_permute_is_identity(const int *order, int count);
/* Row i of `to` becomes row to_user[i] of `from` (NULL: row i), each of its entries renamed by
 * to_own (NULL: kept). rows * dim entries. */
void cleave_permute_map(int *to, const int *from, int rows, int dim, const int *to_user,
                        const int *to_own);

/* ---- order.c: the runtime's own numbering of the mesh --------------------------------------- */

/* How the order was made, and from what, for reports. */
struct cleave_order {
    op_set primary; /* whose blocks decide; NULL: all sets keep the user's order */
    int sets;       /* that have an order of their own */
    int block_size;
    struct plan_numbering *numbering; /* of the primary set, in its own order: order is NULL */
    op_dat coordinates;               /* that were used, or NULL */
    int from_cache;
    double seconds;
    struct plan_phases phases;
};
extern struct cleave_order cleave_order;

/* Makes the order before the first launch through a map, where it is worth it; later calls find it
 * made, or, while there is none, decide again when maps have been declared. */
void cleave_order_require(void);
/* op_partition: names what the order is made of (all may be NULL) and makes it anew. */
void cleave_order_hint(op_set primary, op_map map, op_dat coordinates);
/* A dat is going to be freed: the order must not be made of it any more. */
void cleave_order_forget(op_dat dat);
/* Back to the user's order: dats become current there, own maps and all plans are freed. */
void cleave_order_drop(void);
void cleave_order_free(void);
/* 1: elements inside these blocks are to be ordered for the banks of shared memory. */
int cleave_orders_banks(const struct plan_numbering *numbering);
/* The blocks of the primary set, when this is it and they have this size; else NULL. */
const struct plan_numbering *cleave_order_blocks(op_set set, int block_size);
/* A map of `columns` columns from 0 on, as planner_number wants it. */
void cleave_plan_map(struct plan_map *plan_map, op_map map, const int *row);
/* planner_number through the cache on disk; `set` is named when it fails. */
struct plan_numbering *cleave_numbering(op_set set, int maps, const struct plan_map *map,
                                        struct plan_method method, int block_size,
                                        struct plan_phases *phases, int *from_cache);

/* ---- order_coordinates.c: where points are -------------------------------------------------- */

/* op_partition's coordinates; NULL: none. */
void cleave_coordinates_hint(op_dat dat);
void cleave_coordinates_forget(op_dat dat);
/* CLEAVE_COORDINATES's dat, else op_partition's, where it is of use: 2 or 3 finite floating components on
 * a set that one of the maps leads to. Else NULL, and a warning says why. */
op_dat cleave_coordinates_dat(op_set primary, const op_map *of, int maps);
/* Likewise for maps in the present order of their sets: 1, or 0 when unknown. */
int cleave_coordinates(struct plan_coordinates *coordinates);

/* ---- order_sets.c --------------------------------------------------------------------------- */

/* Takes over to_user[size], a permutation; the identity leaves the set without an order. */
void cleave_set_order(op_set set, int *to_user);
/* Orders the sets that maps join to those with an order, directly or not. */
void cleave_order_others(void);

/* ---- planning.c ------------------------------------------------------------------------------ */

/* Returns the planner with what the settings allow it; valid until the next call. Its threads are
 * those that OpenMP gives the calling thread now. */
const struct planner *cleave_planner(void);
/* Before and after a plan or an order of so many elements is made: few get one thread. `all` is what the first
 * returned. */
int cleave_planning_begin(int elements);
void cleave_planning_end(int all);
/* Tells the user, once, where no folder for kept plans can be named. */
void cleave_planner_need_folder(void);

/* ---- cached_plans.c ---------------------------------------------------------------------- */

struct cleave_plan_entry {
    op_set set;
    enum cleave_plan_kind kind;
    int block_size; /* elements, or for CLEAVE_PLAN_OWNERS points; 0: a plan for points or colours */
    int lanes;      /* of CLEAVE_PLAN_OWNERS: threads of a warp; else 0 */
    unsigned parts; /* CLEAVE_PART_ bits: what it has besides */
    int maps;
    struct plan_map map[CLEAVE_MAX_LISTS]; /* in the own order of the sets */
    op_map of[CLEAVE_MAX_LISTS];
    struct cleave_plan *plan;
    struct cleave_plan *on_target; /* arrays in target memory, or NULL */
    struct plan_metrics metrics;
    struct plan_method method; /* where its blocks come from: PLAN_START_NONE for runs */
    double number_seconds;     /* of a numbering that was made for this plan alone */
    char *loop;                /* that it was made for first */
    struct cleave_plan_entry *next;
};
extern struct cleave_plan_entry *cleave_plans;

/* The facts about a call that its plan depends on; the plan keeps nothing of them. */
struct cleave_planned {
    const char *loop; /* its name */
    op_set set;
    const op_arg *arg; /* of all arguments */
    double *seconds;   /* grows by what the plan takes, if it has to be made */
};

/* The plan that a variant asks for, made when it does not exist yet. block_size: elements per block, or
 * points of CLEAVE_PLAN_OWNERS; lanes: threads of a warp of the target that runs the variant, 1 on the host.
 * Both are ignored where the kind of plan does not depend on them. NULL when no such CLEAVE_PLAN_OWNERS can be
 * made of this mesh (a note says why): the variant cannot run with such blocks. */
struct cleave_plan_entry *cleave_plan_get(const struct cleave_planned *call,
                                          const struct cleave_loop *loop,
                                          const struct cleave_variant *variant, int block_size,
                                          int lanes);
/* Its arrays in the memory of the device; on the host without one. */
const struct cleave_plan *cleave_plan_on(struct cleave_plan_entry *entry,
                                         const struct cleave_planned *call,
                                         const struct target_ops *device);
void cleave_plans_free(void);

/* ---- pages.c: memory of dats declared without data ------------------------------------------ */

/* 1: so many zeros are worth pages of their own: there is a device, which can do without a copy. */
int cleave_pages_pay(size_t bytes);
/* Zeros; bytes > 0. `what` is named when there is not enough. To be freed by cleave_pages_free() with the
 * number of bytes. */
void *cleave_pages_new(size_t bytes, const char *what);
/* memory: from cleave_pages_new(), or NULL. */
void cleave_pages_free(void *memory, size_t bytes);
/* The pages at `from` take the place of those at `to`, in one step; there is nothing at `from` any more.
 * 0, or -1 and errno. */
int cleave_pages_move(void *from, void *to, size_t bytes);
/* 1: nobody has touched memory from cleave_pages_new() yet, so that it is all zeros. 0: somebody has, or the
 * operating system does not tell. Takes about 8 microseconds for 20 MB. */
int cleave_pages_untouched(const void *memory, size_t bytes);
/* 1: any memory that is small enough to be read for this, and holds zeros. */
int cleave_pages_small_zero(const char *memory, size_t bytes);

/* ---- watch.c: dat->data as the program uses it between loops -------------------------------- */

/* 1: dats declared now are to be in pages, to be watched. */
int cleave_watch_wanted(void);
/* Other copies are current than before. */
void cleave_watch_update(struct cleave_dat *dat);
/* The runtime is about to write core.data; cleave_dat_written() or cleave_watch_update() follows. */
void cleave_watch_open(struct cleave_dat *dat);
/* Has `fill` write the dat's values to core.data, or elsewhere, to be moved there at once. */
void cleave_watch_fill(struct cleave_dat *dat,
                       void (*fill)(const struct cleave_dat *dat, char *to));

/* ---- memory.c ------------------------------------------------------------------------------- */

/* Target memory; `format` names what it is for when there is not enough. */
void *cleave_target_alloc(const struct target_ops *device, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void cleave_target_upload(const struct target_ops *device, void *to, const void *from, size_t bytes,
                          const char *what);
/* Returns the copy that variants of a target read. */
static inline enum cleave_copy cleave_copy_for(const struct target_ops *device)
{
    return device != NULL ? COPY_DEVICE : COPY_HOST;
}
/* Makes a copy of a dat current, and returns it. All that is read or written of dats, but for their
 * declaration, goes through here. */
void *cleave_dat_current(op_dat dat, enum cleave_copy copy);
/* The copy has been written: the others are old. */
void cleave_dat_written(op_dat dat, enum cleave_copy copy);
/* 1: one of its copies is current. 0: only one of a dat that shares its values (overlay.c). */
int cleave_dat_holds_values(const struct cleave_dat *dat);
/* core.data holds the latest values: at the declaration, or because another dat that shares it has put
 * them there. */
void cleave_dat_share(struct cleave_dat *dat);
/* All its copies are old: another dat that shares its values has been written. */
void cleave_dat_lose(struct cleave_dat *dat);
/* The program says that it has written dat->data of all dats where that is current. */
void cleave_dats_put(void);
/* The program says that it has written dat->data, the whole or parts of it. Where faults show what it writes,
 * values that are old are fetched before: the program cannot have written any. */
void cleave_dat_put(op_dat dat);
/* The current copy is going to be written, and cleave_dat_written() follows. */
void cleave_dat_open(op_dat dat, enum cleave_copy copy);
/* The copy on the device, made current, in the layout that is asked for: soa 1 or 0. A dat of one
 * component has but one. */
void *cleave_dat_on_device(op_dat dat, int soa);
/* Likewise for a map: COPY_USER is what the program declared. */
const int *cleave_map_current(op_map map, enum cleave_copy copy);
/* The user's numbers of a set's elements; NULL where the runtime keeps the user's numbering. */
const int *cleave_numbers_current(op_set set, enum cleave_copy copy);
/* Frees all but core.data and core.map. */
void cleave_dat_release(struct cleave_dat *dat);
/* Makes a copy on the host current of every dat whose values are on the device alone. */
void cleave_dats_to_host(void);
/* Forgets what is on the device; the copies on the host are current. */
void cleave_mesh_lose_device(void);
/* A unit goes whose kernels change layouts: leaves no structure of arrays on the device. */
void cleave_layouts_unload(struct cleave_unit_entry *entry);
void cleave_map_release(struct cleave_map *map);
void cleave_set_release(struct cleave_set *set);

/* ---- layout.c: dats as structures of arrays, on the device only ----------------------------- */

/* Elements from one component to the next: the set's size, rounded up so that each component begins
 * at a multiple of 32 elements, of 32 bytes at least. */
int cleave_dat_stride(const struct cleave_dat *dat);
/* Bytes of the copy on the device. */
size_t cleave_dat_device_bytes(const struct cleave_dat *dat, int soa);
/* Starts to copy the dat on the device from one layout to the other; to_soa: the one of `to`. */
void cleave_dat_relayout(const struct cleave_dat *dat, void *to, const void *from, int to_soa);
/* How many such copies there were since the start or the last op_exit, and of how many bytes. */
long cleave_relayouts(size_t *bytes);
void cleave_relayouts_forget(void);

/* ---- derived.c: copies of dats as blocks read them ------------------------------------------ */

/* A new version of a dat's values, which are new or have been changed. */
unsigned long cleave_dat_next_version(void);
/* The copy that is wanted, made current; NULL: there is not enough memory on the device. plan: the variant's,
 * whose arrays are on the device; the dats' copies there are current. *remade becomes 1 when a copy had to be
 * made again, or one that will not last was made. */
const void *cleave_derived_current(const struct cleave_planned *call,
                                   const struct cleave_derived *wanted,
                                   const struct cleave_plan_entry *plan, int *remade);
/* A dat's memory on the device is released: its copies go too. */
void cleave_derived_forget(const struct cleave_dat *dat);
/* Releases all copies, before plans go. */
void cleave_derived_free(void);
/* Likewise when there is no memory for something more important. Returns 1 if there were any. */
int cleave_derived_make_room(void);
/* How many copies were made since the start or the last op_exit, and of how many bytes. */
long cleave_derived_made(size_t *bytes);
void cleave_derived_made_forget(void);

/* ---- diagnostics.c ----------------------------------------------------------------------------- */

/* The metrics of one plan, and how the order was made, as op_init's diags >= 2 shows them. */
void cleave_plan_print(const struct cleave_plan_entry *entry);
void cleave_order_print(void);
/* CLEAVE_PLAN_JSON: the order and all plans to a file. */
void cleave_plans_write(void);

#endif
