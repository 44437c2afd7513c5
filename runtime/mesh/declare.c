/* declare.c: sets, maps and dats (temporary ones and overlays: overlay.c): checks what the program
 * declares and copies it, so that the program may free or reuse its arrays at once. These copies
 * keep the user's order; those in the runtime's order are made by memory.c. */
#include "runtime/base/timeline.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/pages.h"

#define MANY_ENTRIES ((size_t)1 << 17) /* of a map: from so many on, waking threads pays */

struct cleave_mesh cleave_mesh;

static int next_set;
static int next_map;
static int next_dat;

op_set op_decl_set(int size, const char *name)
{
    CLEAVE_ENTER_EARLY("op_decl_set");
    cleave_require_init();
    name = cleave_name_or_unnamed(name);
    if (size < 0) {
        cleave_fatal("op_decl_set '%s': the size is %d", name, size);
    }
    struct cleave_set *set = cleave_alloc_zero(sizeof *set, "a set");
    set->core.index = next_set++;
    set->core.size = size;
    set->core.core_size = size;
    set->core.stride = size;
    set->core.name = cleave_text_copy(name);
    struct cleave_set **end = &cleave_mesh.sets;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = set;
    cleave_timeline_declared();
    return &set->core;
}

/* ---- maps -------------------------------------------------------------------------------- */

static void check_map(op_set from, op_set to, int dim, const void *map, const char *name)
{
    if (from == NULL || to == NULL) {
        cleave_fatal("op_decl_map '%s': the set it goes %s is a null pointer", name,
                     from == NULL ? "from" : "to");
    }
    if (dim <= 0) {
        cleave_fatal("op_decl_map '%s': the dimension is %d, must be at least 1", name, dim);
    }
    if (map == NULL && from->size > 0) {
        cleave_fatal("op_decl_map '%s': the array is a null pointer, but set '%s' has %d elements",
                     name, from->name, from->size);
    }
}

/* Entry i of a map whose entries have `bytes` bytes each. */
static idx_g_t entry_of(const void *entry, size_t bytes, size_t i)
{
    return bytes == sizeof(int) ? ((const int *)entry)[i] : ((const idx_g_t *)entry)[i];
}

/* Copies the entries among threads, so that each has those of its elements near it (first touch).
 */
static void copy_entries(struct op_map_core *map, const void *entry, size_t bytes)
{
    const size_t dim = (size_t)map->dim;
    const size_t count = (size_t)map->from->size * dim;
    const idx_g_t base = OP_maps_base_index;
    size_t wrong = count;
#pragma omp parallel for schedule(static) reduction(min : wrong) if (count >= MANY_ENTRIES)        \
    num_threads(cleave_copy_threads())
    for (size_t i = 0; i < count; i++) {
        idx_g_t value = entry_of(entry, bytes, i);
        if (value < base || value - base >= map->to->size) {
            wrong = i < wrong ? i : wrong;
        } else {
            map->map[i] = (int)(value - base);
        }
    }
    if (wrong < count) {
        cleave_fatal("map '%s' row %zu column %zu = %lld, but set '%s' has %d elements%s",
                     map->name, wrong / dim, wrong % dim, entry_of(entry, bytes, wrong),
                     map->to->name, map->to->size, base ? ", counted from 1" : "");
    }
}

void op_check_map(const char *name, op_set from, op_set to, int dim, const int *entry)
{
    name = cleave_name_or_unnamed(name);
    check_map(from, to, dim, entry, name);
    for (size_t i = 0; i < (size_t)from->size * (size_t)dim; i++) {
        if (entry[i] < 0 || entry[i] >= to->size) {
            cleave_fatal("map '%s' row %zu column %zu = %d, but set '%s' has %d elements", name,
                         i / (size_t)dim, i % (size_t)dim, entry[i], to->name, to->size);
        }
    }
}

static op_map declare_map(op_set from, op_set to, int dim, const void *entry, size_t entry_bytes,
                          const char *name)
{
    cleave_require_init();
    name = cleave_name_or_unnamed(name);
    check_map(from, to, dim, entry, name);
    if (OP_maps_base_index != 0 && OP_maps_base_index != 1) {
        cleave_fatal("op_decl_map '%s': OP_maps_base_index is %d; maps begin at 0 or at 1", name,
                     OP_maps_base_index);
    }
    const double begun = cleave_moment_begin();
    cleave_recipes_settle(); /* the mesh may get another order */
    struct cleave_map *map = cleave_alloc_zero(sizeof *map, "a map");
    size_t bytes = (size_t)from->size * (size_t)dim * sizeof(int);
    map->core.index = next_map++;
    map->core.from = from;
    map->core.to = to;
    map->core.dim = dim;
    map->core.name = cleave_text_copy(name);
    map->core.map = cleave_alloc(bytes, map->core.name);
    copy_entries(&map->core, entry, entry_bytes);
    cleave_mesh.map_count++;
    cleave_generation++;
    struct cleave_map **end = &cleave_mesh.maps;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = map;
    op_register_map_ptr((int *)(uintptr_t)entry, &map->core);
    cleave_moment_end("op_decl_map", map->core.name, begun);
    cleave_maps_ahead();
    cleave_timeline_declared();
    return &map->core;
}

op_map op_decl_map(op_set from, op_set to, int dim, const int *entry, const char *name)
{
    CLEAVE_ENTER_EARLY("op_decl_map");
    cleave_flush(); /* the order of the mesh may be decided again */
    return declare_map(from, to, dim, entry, sizeof *entry, name);
}

op_map op_decl_map_long(op_set from, op_set to, int dim, const idx_g_t *entry, const char *name)
{
    CLEAVE_ENTER_EARLY("op_decl_map_long");
    cleave_flush();
    return declare_map(from, to, dim, entry, sizeof *entry, name);
}

/* ---- dats -------------------------------------------------------------------------------- */

void cleave_shape_check(const char *function, op_set set, const struct cleave_shape *shape,
                        const char *name)
{
    if (set == NULL) {
        cleave_fatal("%s '%s': the set is a null pointer", function, name);
    }
    if (shape->dim <= 0) {
        cleave_fatal("%s '%s': the dimension is %d, must be at least 1", function, name,
                     shape->dim);
    }
    if ((size_t)shape->dim > (size_t)INT32_MAX / shape->component) {
        cleave_fatal("%s '%s': %d components of %zu bytes are too many", function, name, shape->dim,
                     shape->component);
    }
}

/* The shape of an OP2 type; the pointer that came with it must fit. */
struct cleave_shape cleave_shape_known(const char *function, const char *name, int dim,
                                       const char *type, const char *pointer_type)
{
    const struct cleave_type *known = type != NULL ? cleave_type_find(type) : NULL;
    if (known == NULL) {
        cleave_fatal("%s '%s': type \"%s\" is not known; known are double, float, int, uint, long, "
                     "ll, ull, bool",
                     function, name, type != NULL ? type : "(null)");
    }
    if (!cleave_type_fits(type, pointer_type)) {
        cleave_fatal("%s '%s': the type is given as \"%s\", but the array's elements are %s",
                     function, name, type, pointer_type);
    }
    return (struct cleave_shape){dim, type, known->size, known->base};
}

/* The shape of any type whose components have `size` bytes (the _char functions). */
struct cleave_shape cleave_shape_sized(const char *function, const char *name, int dim,
                                       const char *type, int size)
{
    const struct cleave_type *known = type != NULL ? cleave_type_find(type) : NULL;
    if (type == NULL || size <= 0) {
        cleave_fatal("%s '%s': a type string and a size above 0 are needed, not \"%s\" and %d",
                     function, name, type != NULL ? type : "(null)", size);
    }
    if (known != NULL && known->size != (size_t)size) {
        cleave_fatal("%s '%s': a component of type \"%s\" has %zu bytes, not %d", function, name,
                     type, known->size, size);
    }
    return (struct cleave_shape){dim, type, (size_t)size, known != NULL ? known->base : BASE_OTHER};
}

static char *type_copy(const char *type)
{
    char *copy = cleave_text_copy(type);
    size_t length = strlen(copy);
    if (length > 4 && strcmp(copy + length - 4, ":soa") == 0) {
        copy[length - 4] = '\0';
    }
    return copy;
}

int cleave_dat_arrays_meet(const struct cleave_dat *a, const struct cleave_dat *b)
{
    return a->borrowed && b->borrowed && a->core.data < b->core.data + cleave_dat_bytes(&b->core) &&
           b->core.data < a->core.data + cleave_dat_bytes(&a->core);
}

/* Marks the dats that lie in the array of a new one. */
static void find_shared_arrays(struct cleave_dat *dat)
{
    for (struct cleave_dat *d = cleave_mesh.dats; d != NULL; d = d->next) {
        if (cleave_dat_arrays_meet(d, dat)) {
            d->shares_array = dat->shares_array = 1;
        }
    }
}

/* Memory with the values of `data`, or zeros. Threads fill it in the parts in which loops divide
 * the set among them: on a machine of several sockets, each then has its values near it. */
static char *new_data(const struct cleave_dat *dat, const void *data)
{
    const size_t bytes = cleave_dat_bytes(&dat->core);
    char *memory = !dat->paged    ? cleave_alloc(bytes, dat->core.name)
                   : data != NULL ? cleave_pages_filled(bytes, dat->core.name)
                                  : cleave_pages_new(bytes, dat->core.name);
    if (data != NULL && bytes > 0) {
        cleave_permute_copy(memory, data, bytes);
    } else if (!dat->paged) {
        cleave_permute_zero(memory, bytes);
    }
    return memory;
}

op_dat cleave_dat_declare(op_set set, const struct cleave_shape *shape, const void *data,
                          char *shared, const char *name)
{
    const double begun = cleave_moment_begin();
    cleave_recipes_settle(); /* dats may share memory from now on */
    struct cleave_dat *dat = cleave_alloc_zero(sizeof *dat, "a dat");
    dat->core.index = next_dat++;
    dat->core.set = set;
    dat->core.dim = shape->dim;
    dat->core.size = (int)(shape->component * (size_t)shape->dim);
    dat->core.type = type_copy(shape->type);
    dat->core.name = cleave_text_copy(name);
    dat->base = shape->base;
    dat->component = shape->component;
    dat->declared_from = data;
    cleave_dat_share(dat);
    dat->version = cleave_dat_next_version();
    size_t bytes = cleave_dat_bytes(&dat->core);
    if (shared == NULL && data != NULL && cleave_no_copies()) {
        shared = (char *)(uintptr_t)data;
        dat->borrowed = 1;
    }
    dat->mapped = data == NULL && shared == NULL && cleave_pages_pay(bytes);
    dat->paged = dat->mapped || (shared == NULL && cleave_watch_wanted());
    dat->core.data = shared != NULL ? shared : new_data(dat, data);
    find_shared_arrays(dat);
    CLEAVE_HOLD_DATS;
    struct cleave_dat **end = &cleave_mesh.dats;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = dat;
    cleave_moment_end("op_decl_dat", dat->core.name, begun);
    cleave_maps_ahead();
    cleave_timeline_declared();
    return &dat->core;
}

op_dat cleave_decl_dat(op_set set, int dim, const char *type, const char *pointer_type,
                       const void *data, const char *name)
{
    CLEAVE_ENTER("op_decl_dat");
    cleave_require_init();
    name = cleave_name_or_unnamed(name);
    struct cleave_shape shape = cleave_shape_known("op_decl_dat", name, dim, type, pointer_type);
    cleave_shape_check("op_decl_dat", set, &shape, name);
    return cleave_dat_declare(set, &shape, data, NULL, name);
}

/* The macro of this name checks the pointer; this is the function behind it, for void pointers. */
op_dat(op_decl_dat)(op_set set, int dim, const char *type, const void *data, const char *name)
{
    return cleave_decl_dat(set, dim, type, "", data, name);
}

op_dat op_decl_dat_char(op_set set, int dim, const char *type, int size, const void *data,
                        const char *name)
{
    CLEAVE_ENTER("op_decl_dat_char");
    cleave_require_init();
    name = cleave_name_or_unnamed(name);
    struct cleave_shape shape = cleave_shape_sized("op_decl_dat_char", name, dim, type, size);
    cleave_shape_check("op_decl_dat_char", set, &shape, name);
    return cleave_dat_declare(set, &shape, data, NULL, name);
}

/* ---- all --------------------------------------------------------------------------------- */

struct cleave_dat *cleave_dat_checked(op_dat dat, const char *function)
{
    if (dat == NULL) {
        cleave_fatal("%s: the dat is a null pointer", function);
    }
    if (cleave_dat_of(dat)->freed) {
        cleave_fatal("%s: dat '%s' was freed by op_free_dat_temp", function, dat->name);
    }
    return cleave_dat_of(dat);
}

static void free_dats(void)
{
    CLEAVE_HOLD_DATS;
    while (cleave_mesh.dats != NULL) {
        struct cleave_dat *dat = cleave_mesh.dats;
        cleave_mesh.dats = dat->next;
        cleave_dat_free(dat);
    }
    cleave_freed_dats_free();
}

void cleave_mesh_free(void)
{
    free_dats();
    cleave_spares_make_room();
    while (cleave_mesh.maps != NULL) {
        struct cleave_map *map = cleave_mesh.maps;
        cleave_mesh.maps = map->next;
        cleave_map_release(map);
        free(map->core.map);
        free((char *)map->core.name);
        free(map);
    }
    while (cleave_mesh.sets != NULL) {
        struct cleave_set *set = cleave_mesh.sets;
        cleave_mesh.sets = set->next;
        cleave_set_release(set);
        free((char *)set->core.name);
        free(set);
    }
    cleave_map_pointers_free();
    cleave_mesh.map_count = 0;
    next_set = next_map = next_dat = 0;
}
