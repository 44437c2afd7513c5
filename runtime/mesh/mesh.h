/* mesh.h: the mesh and its data as the runtime keeps them: sets, maps and dats, orders of sets,
 * plans, copies of dats on the host and the device. memory.c alone changes which copy is current:
 * loops get their data from cleave_dat_current() and cleave_dat_on_device(), which bring it there.
 * Halos of other processes will be exchanged there, too; exec/launch_args.c, which calls these
 * functions for the arguments of a loop, knows their maps and accesses. */
#ifndef CLEAVE_MESH_H
#define CLEAVE_MESH_H

#include "runtime/base/json.h"
#include "runtime/base/registry.h"
#include "runtime/base/worker.h"
#include "runtime/mesh/spare.h"

struct cleave_call;

/* ---- declare.c ------------------------------------------------------------------------------ */

struct cleave_set {
    struct op_set_core core;
    /* The runtime's own order of the set (order.c); both NULL: the user's order. */
    int *to_user;           /* [size] permutation: own number to the user's number */
    int *to_own;            /* [size] its inverse */
    int *to_user_on_device; /* copy of to_user, or NULL */
    struct cleave_set *next;
};

/* The copy of a map on the device before a loop asks for it: it may be made while the program
 * declares its mesh; is there; is the first loop's business, or was. */
enum cleave_map_ahead { AHEAD_WANTED, AHEAD_HELD, AHEAD_OVER };

struct cleave_map {
    struct op_map_core core;
    int *own; /* rows and entries in the own order of both sets; NULL: not made, or unchanged */
    int *on_device; /* copy of own, or NULL */
    enum cleave_map_ahead ahead;
    int measured; /* 1: order_host.c has measured the program's order through this map */
    struct plan_locality locality;
    double lines; /* planner_coalescing() in the program's order; 0: not measured */
    struct cleave_map *next;
};

/* The copies of a dat; any of them may be the only current one. */
enum cleave_copy {
    COPY_USER,  /* core.data: on the host, in the user's order */
    COPY_HOST,  /* on the host, in the runtime's order; equals COPY_USER if the orders are equal */
    COPY_DEVICE /* on the device, in the runtime's order */
};
enum { CLEAVE_COPIES = COPY_DEVICE + 1 };

/* Accesses of the program to dat->data that do not fault (watch.c): all, reads only, none. */
enum cleave_watch { WATCH_OPEN, WATCH_READ, WATCH_CLOSED };

struct cleave_dat {
    struct op_dat_core core;
    enum cleave_base base;
    size_t component;           /* bytes of one component */
    void *own[CLEAVE_COPIES];   /* memory of COPY_HOST and COPY_DEVICE, or NULL */
    int current[CLEAVE_COPIES]; /* 1: that copy holds the latest values. At least one copy does, of
                                   this dat or of an overlay, unless: */
    int zero; /* 1: all values are +0, as is any copy that is asked for. memory.c writes both */
    struct cleave_buffers buffers; /* on the device, besides own[COPY_DEVICE] */
    int soa; /* own[COPY_DEVICE] is a structure of arrays, cleave_dat_stride() elements apart */
    unsigned long version;   /* of its values: unique among all states of all dats, see memory.c */
    int borrowed;            /* core.data is the program's array (OP_NO_REALLOC) */
    int shares_array;        /* borrowed, and another dat lies in a part of the array */
    int paged;               /* core.data is from pages.c */
    enum cleave_watch watch; /* if paged */
    int mapped;              /* paged, and declared without data: untouched pages are zeros */
    const void *declared_from;  /* the program's array: compared, never read */
    struct cleave_dat *overlay; /* the next dat over the same values (overlay.c); NULL: none */
    int temporary;
    int freed; /* by op_free_dat_temp; the struct stays: a later use is an error, no crash */
    struct cleave_dat *next;
};

/* Freed dats that are remembered, so that their later use is an error and no crash. */
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

/* Returns the dat; an error that names `function` ends the program if it is NULL or was freed. */
struct cleave_dat *cleave_dat_checked(op_dat dat, const char *function);
void cleave_mesh_free(void);

/* The type of a dat, as a declaration gives it. */
struct cleave_shape {
    int dim;
    const char *type;
    size_t component; /* bytes */
    enum cleave_base base;
};

/* The shape of an OP2 type. Ends the program when `type` is unknown or pointer_type does not fit
 * it. */
struct cleave_shape cleave_shape_known(const char *function, const char *name, int dim,
                                       const char *type, const char *pointer_type);
/* The shape of any type whose components have `size` bytes, for the _char functions. */
struct cleave_shape cleave_shape_sized(const char *function, const char *name, int dim,
                                       const char *type, int size);
/* Ends the program unless a dat of this shape can be on the set. */
void cleave_shape_check(const char *function, op_set set, const struct cleave_shape *shape,
                        const char *name);
/* Makes a dat with a copy of `data` (NULL: zeros). shared: memory of another dat to use instead of
 * new memory, or NULL. */
op_dat cleave_dat_declare(op_set set, const struct cleave_shape *shape, const void *data,
                          char *shared, const char *name);
/* 1: the program's arrays in which the dats lie (OP_NO_REALLOC) overlap. */
int cleave_dat_arrays_meet(const struct cleave_dat *a, const struct cleave_dat *b);

/* ---- overlay.c ------------------------------------------------------------------------------ */

/* Gives a dat without current values those of the dats that share its values. */
void cleave_overlay_require(struct cleave_dat *dat);
/* Call after the dat was written: marks the dats that share its values as written, too. */
void cleave_overlay_written(struct cleave_dat *dat);
/* 1: the two dats share their values. */
int cleave_overlay_same(const struct cleave_dat *a, const struct cleave_dat *b);
void cleave_dat_free(struct cleave_dat *dat);
/* Frees the values of a temporary dat; the struct stays for a while, so that a later use is an
 * error. Call cleave_sites_forget() first. */
void cleave_dat_free_temp(struct cleave_dat *dat);
void cleave_freed_dats_free(void);

/* ---- map_pointers.c -------------------------------------------------------------------------- */

/* Forgets an array of the runtime before it is freed: op_search_map_ptr() no longer finds it. */
void cleave_map_pointer_forget(const int *array);
void cleave_map_pointers_free(void);

/* ---- permute.c: in parallel ----------------------------------------------------------------- */

/* memcpy(), and memset() with 0, by all threads in equal parts. */
void cleave_permute_copy(void *to, const void *from, size_t bytes);
void cleave_permute_zero(void *to, size_t bytes);
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
/* to[i*dim + c] = to_own[from[to_user[i]*dim + c]] for `rows` rows; a NULL permutation is the
 * identity. */
void cleave_permute_map(int *to, const int *from, int rows, int dim, const int *to_user,
                        const int *to_own);

/* ---- order.c: the runtime's own numbering of the mesh --------------------------------------- */

/* How the order was made, and from what, for reports. */
struct cleave_order {
    op_set primary; /* the set of the largest loops; NULL: all sets keep the user's order */
    int sets;       /* number of sets that have an order of their own */
    int block_size; /* elements */
    /* The primary set's, in its own order: `order` is NULL. NULL: the planner has numbered none. */
    struct plan_numbering *numbering;
    op_dat coordinates;   /* that were used, or NULL */
    int from_cache;       /* 1: read from the cache on disk */
    double seconds;       /* that making it took */
    int in_background;    /* 1: while loops ran */
    double adopt_seconds; /* that giving it to dats and maps took */
    double moved_bytes;   /* of dats that were put in order on the device */
    struct store_key key; /* in the store, if a device uses it */
    struct plan_phases phases;
};
extern struct cleave_order cleave_order;

/* Makes the order before the first launch through a map, if it pays. Later calls do nothing once it
 * is made; until then they decide anew whenever maps have been declared. */
void cleave_order_require(void);
/* op_partition: sets what the order is made from (all may be NULL) and makes it anew. */
void cleave_order_hint(op_set primary, op_map map, op_dat coordinates);
/* Call before a dat is freed: later orders do not use it as coordinates. */
void cleave_order_forget(op_dat dat);
/* Returns to the user's order: makes dats current there, frees maps in other orders and all plans.
 */
void cleave_order_drop(void);
/* Likewise, but data stays on the device; later runs on the mesh get no order. */
void cleave_order_give_up(void);
/* 1: the settings leave it to measurements whether the mesh gets an order. */
int cleave_order_is_open(void);
void cleave_order_free(void);
/* 1: elements are to be reordered within these blocks to avoid bank conflicts. has_lanes:
 * cleave_has_lanes() of the first target. */
int cleave_orders_banks(const struct plan_numbering *numbering, int has_lanes);
/* Returns the elements per block of plans for the set, at most: on the CPU, large sets have larger
 * blocks by default than the target's row says. Depends on the mesh and the settings alone, with
 * CLEAVE_DETERMINISTIC=1 on the mesh alone. */
int cleave_order_block_size(op_set set, enum cleave_target target);
/* The blocks of the order if `set` is the primary set and block_size is theirs; else NULL.
 * Borrowed. */
const struct plan_numbering *cleave_order_blocks(op_set set, int block_size);
/* Describes the map for planner_number: its columns from 0 on, CLEAVE_MAX_COLUMNS at most. row: its
 * entries, borrowed. */
void cleave_plan_map(struct plan_map *plan_map, op_map map, const int *row);
/* planner_number through the cache on disk; `set` is named when it fails. coordinates: or NULL. */
struct plan_numbering *cleave_numbering(const struct planner *planner, op_set set, int maps,
                                        const struct plan_map *map, struct plan_method method,
                                        int block_size, const struct plan_coordinates *coordinates,
                                        struct plan_phases *phases, int *from_cache);

/* ---- order_host.c: the order where all loops run on the CPU ---------------------------------- */

/* 1: there is no device, and the user names no method. */
int cleave_order_is_for_host(void);

/* ---- background.c: orders and plans that are made while loops run --------------------------- */

/* 1: loops wait for the order of the mesh and for their plans: all run on the CPU, or a setting
 * asks for it, for the same bits in every run, or for certain variants. */
int cleave_plans_first(void);
/* 1: an order of the mesh is being made, or waits to be adopted: loops run in the program's. */
int cleave_order_is_awaited(void);

/* Call before a loop is prepared, with the state of dats held: adopts what the worker has made
 * since, and the order of the mesh if the run is likely to repay it. Costs a few loads if not. */
extern int cleave_order_awaited; /* cleave_order_is_awaited(), for this function alone */
void cleave_background_adopt(void);
static inline void cleave_order_adopt_if_ready(void)
{
    if (cleave_order_awaited ||
        atomic_load_explicit(&cleave_jobs_ended, memory_order_relaxed) != 0) {
        cleave_background_adopt();
    }
}
/* Waits for the order that is being made and adopts it. */
void cleave_order_await(void);
/* In a child of fork(): nothing is being made. */
void cleave_background_forked(void);

/* The fate of the order that was made in the background last. */
enum cleave_background_order {
    BACKGROUND_NONE, /* there was none */
    BACKGROUND_ADOPTED,
    BACKGROUND_NOT_READY,  /* the program ended before; the store may have it for the next run */
    BACKGROUND_NOT_REPAID, /* the program ended before the move could pay */
    BACKGROUND_FAILED,     /* there was no memory to make it */
    BACKGROUND_GIVEN_UP    /* loops were not faster in it, in this run or in an earlier one */
};

/* The work in the background, for reports. */
struct cleave_background {
    int unfinished; /* 1: the order was dropped before it was ready */
    int failed;     /* 1: there was no memory to make it */
    int plans;
    double plan_seconds; /* of the worker, for these */
    long calls;          /* of loops before the order was adopted */
    double waited;       /* seconds from the first of them to that moment */
    double adopted_from; /* cleave_seconds() when the device had run them */
    double ratio;        /* of the time of loops in the order to that before; 0: not measured */
    int given_up;
    long first_call; /* from which loops ran in a first order, from 1 on; 0: there was none */
};
extern struct cleave_background cleave_background;
enum cleave_background_order cleave_background_order(void);
/* Seconds of work that no loop waited for. */
double cleave_background_spared(void);
/* When the order was adopted, what it cost and what that spared loops, in a sentence without a full
 * stop, for reports. 0: nothing was made in the background. */
int cleave_background_text(char *text, size_t capacity);

/* ---- order_coordinates.c: where points are -------------------------------------------------- */

/* op_partition's coordinates; NULL: none. */
void cleave_coordinates_hint(op_dat dat);
void cleave_coordinates_forget(op_dat dat);
/* Fills *coordinates from the usable dat of CLEAVE_COORDINATES, else op_partition's, in the present
 * order of its set. Returns 1, or 0 if there is none. */
int cleave_coordinates(struct plan_coordinates *coordinates);
/* Does the same with a copy of the values. Returns the copy, which the caller frees; NULL: none. */
void *cleave_coordinates_copy(struct plan_coordinates *coordinates);

/* ---- planning.c ------------------------------------------------------------------------------ */

/* The threads that copy and check the program's data. */
int cleave_copy_threads(void);
/* Returns the planner with what the settings allow it; valid until the next call. Its threads are
 * those that OpenMP gives the calling thread now. */
const struct planner *cleave_planner(void);
/* Call before and after a plan or an order of so many elements is made: OpenMP uses one thread for
 * small ones. The first returns the number of threads before, which the second restores. */
int cleave_planning_begin(int elements);
void cleave_planning_end(int all);

/* ---- cached_plans.c ---------------------------------------------------------------------- */

struct cleave_plan_entry {
    op_set set;
    enum cleave_plan_kind kind;
    int block_size; /* elements, for CLEAVE_PLAN_OWNERS points; 0: a plan for points or colours */
    int lanes;      /* CLEAVE_PLAN_OWNERS: threads of a warp; else 0 */
    unsigned parts; /* CLEAVE_PART_ bits: the optional parts that it has */
    int maps;
    struct plan_map map[CLEAVE_MAX_LISTS]; /* in the own order of the sets */
    op_map of[CLEAVE_MAX_LISTS];
    struct cleave_plan *plan;
    struct cleave_plan *on_target; /* arrays in target memory, or NULL */
    struct plan_metrics metrics;
    struct plan_method method; /* that made its blocks; PLAN_START_NONE: consecutive elements */
    double number_seconds;     /* seconds of a numbering that was made for this plan alone */
    char *loop;                /* name of the loop that it was first made for */
    struct cleave_plan_entry *next;
};
extern struct cleave_plan_entry *cleave_plans;

/* The facts about a call that its plan depends on; the plan keeps nothing of them. */
struct cleave_planned {
    const char *loop; /* name of the loop */
    op_set set;
    const op_arg *arg; /* [args] of the call */
    double *seconds;   /* grows by the time that making the plan takes */
};

/* Returns the plan of a variant, which the runtime owns; makes it if it does not exist. block_size:
 * elements per block, points for CLEAVE_PLAN_OWNERS; lanes: threads per warp of the target, 1 on
 * the host; some kinds of plans ignore both. NULL: this mesh has no such CLEAVE_PLAN_OWNERS (a note
 * says why), and the variant cannot run with these blocks. */
struct cleave_plan_entry *cleave_plan_get(const struct cleave_planned *call,
                                          const struct cleave_loop *loop,
                                          const struct cleave_variant *variant, int block_size,
                                          int lanes);
/* Returns that plan if it exists; NULL: it does not yet. */
struct cleave_plan_entry *cleave_plan_find(const struct cleave_planned *call,
                                           const struct cleave_loop *loop,
                                           const struct cleave_variant *variant, int block_size,
                                           int lanes);
enum cleave_plan_state {
    PLAN_EXISTS,
    PLAN_AWAITED, /* not yet: ask again when cleave_plans_arrived or cleave_generation has grown */
    PLAN_IMPOSSIBLE /* this mesh has no such plan */
};
/* Returns the plan, but waits for nothing that takes long: the worker makes it, after the order of
 * the mesh. Plans for small sets are made at once, and so are all with cleave_plans_first. */
struct cleave_plan_entry *cleave_plan_request(const struct cleave_planned *call,
                                              const struct cleave_loop *loop,
                                              const struct cleave_variant *variant, int block_size,
                                              int lanes, enum cleave_plan_state *state);
/* Grows with each plan that the worker has made and that exists from then on. */
extern unsigned long cleave_plans_arrived;
/* In a child of fork(): the plans that the worker of the parent makes are none of its own. */
void cleave_plans_forked(void);
/* Returns the bytes that cleave_plan_on() is going to take on the device; 0: the plan is there. */
size_t cleave_plan_on_bytes(const struct cleave_plan_entry *entry);
/* Returns the plan with its arrays in the device's memory; device NULL: in host memory. */
const struct cleave_plan *cleave_plan_on(struct cleave_plan_entry *entry,
                                         const struct cleave_planned *call,
                                         const struct target_ops *device);
void cleave_plans_free(void);

/* ---- watch.c: dat->data as the program uses it between loops -------------------------------- */

/* 1: dats that are declared now get pages of their own, to be watched. */
int cleave_watch_wanted(void);
/* Adapts the page protection of core.data after dat->current has changed. */
void cleave_watch_update(struct cleave_dat *dat);
/* Makes core.data writable for the runtime. Call cleave_dat_written() or cleave_watch_update()
 * afterwards. */
void cleave_watch_open(struct cleave_dat *dat);
/* Fills core.data: `fill` writes the values there, or to other pages that then replace it in one
 * step, so that no thread sees half of them. */
void cleave_watch_fill(struct cleave_dat *dat,
                       void (*fill)(const struct cleave_dat *dat, char *to));

/* ---- memory.c, map_memory.c ----------------------------------------------------------------- */

/* Allocates target memory; ends the program when there is not enough. format: what it is for. */
void *cleave_target_alloc(const struct target_ops *device, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void cleave_target_upload(const struct target_ops *device, void *to, const void *from, size_t bytes,
                          const char *what);
/* Returns the copy that variants of a target read. */
static inline enum cleave_copy cleave_copy_for(const struct target_ops *device)
{
    return device != NULL ? COPY_DEVICE : COPY_HOST;
}
/* Makes a copy of a dat current and returns it. Every read or write of a dat, except its
 * declaration, goes through here, or through cleave_dat_on_device() if the layout matters. */
void *cleave_dat_current(op_dat dat, enum cleave_copy copy);
/* Call after a copy was written: the other copies become stale. */
void cleave_dat_written(op_dat dat, enum cleave_copy copy);
/* 1: the dat itself has its values. 0: only a dat that shares them has a copy (overlay.c). */
int cleave_dat_holds_values(const struct cleave_dat *dat);
/* Marks core.data as current: after the declaration, or after a dat that shares it wrote it. */
void cleave_dat_share(struct cleave_dat *dat);
/* Marks all copies of the dat as stale, after a dat that shares its values was written. */
void cleave_dat_lose(struct cleave_dat *dat);
/* op_upload_all: the program has written dat->data of all dats whose dat->data is current. */
void cleave_dats_put(void);
/* op_put_data: the program has written all or part of dat->data. If watch.c watches the dat and
 * dat->data is stale, its values are fetched first: the program cannot have written any. */
void cleave_dat_put(op_dat dat);
/* Call before the current copy is written; cleave_dat_written() must follow. */
void cleave_dat_open(op_dat dat, enum cleave_copy copy);
/* Makes the copy on the device current and returns it. soa: 1 structure of arrays, 0 array of
 * structures; ignored for dats of one component. */
void *cleave_dat_on_device(op_dat dat, int soa);
/* Frees all copies of the dat except core.data. */
void cleave_dat_release(struct cleave_dat *dat);
/* Copies every dat that is current only on the device to the host. */
void cleave_dats_to_host(void);
/* Forgets all copies on the device. The copies on the host must be current. */
void cleave_mesh_lose_device(void);
/* Call before a unit is unloaded whose kernels convert layouts: no structure of arrays is left. */
void cleave_layouts_unload(struct cleave_unit_entry *entry);
/* Makes a copy of a map current and returns it, borrowed. COPY_USER is the declared map. */
const int *cleave_map_current(op_map map, enum cleave_copy copy);
/* 1: no order of the runtime's changes the map's rows or entries. */
int cleave_map_is_as_declared(const struct cleave_map *map);
/* Call after a declaration: copies the maps so far to the device before loops ask for them, once it
 * is there and has buffers, so that the first loop of the program starts earlier. Leaves out those
 * for which loops may never ask, and those that find no memory. */
void cleave_maps_ahead(void);
/* Releases those that no loop has asked for. 1: there were any. */
int cleave_maps_make_room(void);
/* The user's number of each element, [size]; NULL if the set keeps the user's order. */
const int *cleave_numbers_current(op_set set, enum cleave_copy copy);
void cleave_map_release(struct cleave_map *map);
void cleave_set_release(struct cleave_set *set);

/* ---- layout.c: dats as structures of arrays, on the device only ----------------------------- */

/* Elements from one component to the next: the set's size, rounded up so that each component begins
 * at a multiple of 32 elements, of 32 bytes at least. */
int cleave_dat_stride(const struct cleave_dat *dat);
/* Bytes of the copy on the device. */
size_t cleave_dat_device_bytes(const struct cleave_dat *dat, int soa);
/* Starts to convert the dat on the device between layouts. to_soa: 1: `to` is the
 * structure of arrays. */
void cleave_dat_relayout(const struct cleave_dat *dat, void *to, const void *from, int to_soa);
/* Number of such conversions since the start or the last op_exit; *bytes: bytes converted. */
long cleave_relayouts(size_t *bytes);
void cleave_relayouts_forget(void);

/* ---- dat_copies.c: copies of dats as blocks read them --------------------------------------- */

/* Returns a new, unique version number for values that were made or changed. */
unsigned long cleave_dat_next_version(void);
/* Makes the wanted copy current and returns it; NULL: not enough memory on the device. plan: the
 * variant's, with its arrays on the device. The dats must be current on the device. *remade becomes
 * 1 if a copy had to be remade, or was made for the first time but will not last. */
const void *cleave_copy_current(const struct cleave_planned *call,
                                const struct cleave_dat_copy *wanted,
                                const struct cleave_plan_entry *plan, int *remade);
/* Releases the copies of a dat whose memory on the device is released. */
void cleave_copies_forget(const struct cleave_dat *dat);
/* Releases all copies; call it before plans are freed. */
void cleave_copies_free(void);
/* Releases all copies to make room for more important data. Returns 1 if there were any. */
int cleave_copies_make_room(void);
/* Number of copies made since the start or the last op_exit; *bytes: their bytes. */
long cleave_copies_made(size_t *bytes);
void cleave_copies_made_forget(void);

/* ---- diagnostics.c -------------------------------------------------------------------------- */

/* Print the metrics of a plan, and how the order was made, for op_init's diags >= 2. */
void cleave_plan_print(const struct cleave_plan_entry *entry);
void cleave_order_print(void);
/* Writes the order and all plans to the file that CLEAVE_PLAN_JSON names, if it is set. */
void cleave_plans_write(void);
/* Writes them as members "order" and "plans" of the object that is open. */
void cleave_plans_to_json(struct cleave_json *json);

#endif
