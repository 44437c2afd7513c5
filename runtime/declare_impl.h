/* declare_impl.h: sets, maps and dats as the runtime keeps them, and what declares, shares and frees them.
 * Included by cleave_impl.h, whose types it needs.
 */
#ifndef CLEAVE_DECLARE_IMPL_H
#define CLEAVE_DECLARE_IMPL_H

/* ---- declare.c --------------------------------------------------------------------------- */

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

/* What the program may do with dat->data (watch.c). */
enum cleave_watch { WATCH_OPEN, WATCH_READ, WATCH_CLOSED };

struct cleave_dat {
    struct op_dat_core core;
    enum cleave_base base;
    size_t component;           /* bytes of one component */
    void *own[CLEAVE_COPIES];   /* memory of COPY_HOST and COPY_DEVICE, or NULL */
    int current[CLEAVE_COPIES]; /* holds the latest values; at least one does */
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

/* What a declaration says of a dat's type. */
struct cleave_shape {
    int dim;
    const char *type;
    size_t component; /* bytes */
    enum cleave_base base;
};

const char *cleave_name_or_unnamed(const char *name);
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

/* ---- overlay.c --------------------------------------------------------------------------- */

/* A dat without current values gets those of the dats it shares them with. */
void cleave_overlay_require(struct cleave_dat *dat);
/* The dat has been written: so have those that share its values. */
void cleave_overlay_written(struct cleave_dat *dat);
/* 1: two dats over the same values. */
int cleave_overlay_same(const struct cleave_dat *a, const struct cleave_dat *b);
void cleave_dat_free(struct cleave_dat *dat);
void cleave_freed_dats_free(void);

/* ---- single.c ---------------------------------------------------------------------------- */

void cleave_map_pointers_free(void);

#endif
