/* declare.c: sets, maps and dats: checks what the program declares and copies it, so that the
 * program may free or reuse its arrays at once. These copies keep the user's order; those in the
 * runtime's order are made by memory.c. */
#include "cleave_impl.h"

struct cleave_mesh cleave_mesh;

static int next_set;
static int next_map;
static int next_dat;

static const char *name_or_unnamed(const char *name)
{
    return name != NULL ? name : "(no name)";
}

op_set op_decl_set(int size, const char *name)
{
    cleave_require_init();
    name = name_or_unnamed(name);
    if (size < 0) {
        cleave_fatal("op_decl_set '%s': the size is %d", name, size);
    }
    struct cleave_set *set = cleave_alloc_zero(sizeof *set, "a set");
    set->core.index = next_set++;
    set->core.size = size;
    set->core.core_size = size;
    set->core.name = cleave_text_copy(name);
    struct cleave_set **end = &cleave_mesh.sets;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = set;
    return &set->core;
}

/* ---- maps -------------------------------------------------------------------------------- */

static void check_map(op_set from, op_set to, int dim, const int *map, const char *name)
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

static void copy_entries(struct op_map_core *map, const int *entry)
{
    size_t count = (size_t)map->from->size * (size_t)map->dim;
    int base = cleave_settings.map_base;
    for (size_t i = 0; i < count; i++) {
        long value = (long)entry[i] - base;
        if (value < 0 || value >= map->to->size) {
            size_t dim = (size_t)map->dim;
            cleave_fatal("map '%s' row %zu column %zu = %d, but set '%s' has %d elements%s",
                         map->name, i / dim, i % dim, entry[i], map->to->name, map->to->size,
                         base ? ", counted from 1" : "");
        }
        map->map[i] = (int)value;
    }
}

op_map op_decl_map(op_set from, op_set to, int dim, const int *entry, const char *name)
{
    cleave_require_init();
    name = name_or_unnamed(name);
    check_map(from, to, dim, entry, name);
    struct cleave_map *map = cleave_alloc_zero(sizeof *map, "a map");
    size_t bytes = (size_t)from->size * (size_t)dim * sizeof(int);
    map->core.index = next_map++;
    map->core.from = from;
    map->core.to = to;
    map->core.dim = dim;
    map->core.name = cleave_text_copy(name);
    map->core.map = cleave_alloc(bytes, map->core.name);
    copy_entries(&map->core, entry);
    cleave_mesh.map_count++;
    cleave_generation++;
    struct cleave_map **end = &cleave_mesh.maps;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = map;
    return &map->core;
}

/* ---- dats -------------------------------------------------------------------------------- */

/* What a declaration says of a dat's type. */
struct shape {
    int dim;
    const char *type;
    size_t component; /* bytes */
    enum cleave_base base;
};

static void check_dat(const char *function, op_set set, const struct shape *shape, const char *name)
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
static struct shape known_shape(const char *function, const char *name, int dim, const char *type,
                                const char *pointer_type)
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
    return (struct shape){dim, type, known->size, known->base};
}

/* The shape of any type whose components have `size` bytes (the _char functions). */
static struct shape sized_shape(const char *function, const char *name, int dim, const char *type,
                                int size)
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
    return (struct shape){dim, type, (size_t)size, known != NULL ? known->base : BASE_OTHER};
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

static op_dat declare_dat(op_set set, const struct shape *shape, const void *data, const char *name)
{
    struct cleave_dat *dat = cleave_alloc_zero(sizeof *dat, "a dat");
    dat->core.index = next_dat++;
    dat->core.set = set;
    dat->core.dim = shape->dim;
    dat->core.size = (int)(shape->component * (size_t)shape->dim);
    dat->core.type = type_copy(shape->type);
    dat->core.name = cleave_text_copy(name);
    dat->base = shape->base;
    dat->component = shape->component;
    dat->current[COPY_USER] = 1;
    dat->version = cleave_dat_next_version();
    size_t bytes = cleave_dat_bytes(&dat->core);
    dat->mapped = data == NULL && cleave_pages_pay(bytes);
    dat->core.data = dat->mapped ? cleave_pages_new(bytes, dat->core.name)
                                 : cleave_alloc_zero(bytes, dat->core.name);
    if (data != NULL && bytes > 0) {
        memcpy(dat->core.data, data, bytes);
    }
    struct cleave_dat **end = &cleave_mesh.dats;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = dat;
    return &dat->core;
}

op_dat cleave_decl_dat(op_set set, int dim, const char *type, const char *pointer_type,
                       const void *data, const char *name)
{
    cleave_require_init();
    name = name_or_unnamed(name);
    struct shape shape = known_shape("op_decl_dat", name, dim, type, pointer_type);
    check_dat("op_decl_dat", set, &shape, name);
    return declare_dat(set, &shape, data, name);
}

/* The macro of this name checks the pointer; this is the function behind it, for void pointers. */
op_dat(op_decl_dat)(op_set set, int dim, const char *type, const void *data, const char *name)
{
    return cleave_decl_dat(set, dim, type, "", data, name);
}

op_dat op_decl_dat_char(op_set set, int dim, const char *type, int size, const void *data,
                        const char *name)
{
    cleave_require_init();
    name = name_or_unnamed(name);
    struct shape shape = sized_shape("op_decl_dat_char", name, dim, type, size);
    check_dat("op_decl_dat_char", set, &shape, name);
    return declare_dat(set, &shape, data, name);
}

/* ---- temporary dats ---------------------------------------------------------------------- */

op_dat cleave_decl_dat_temp(op_set set, int dim, const char *type, const char *pointer_type,
                            const char *name)
{
    cleave_require_init();
    name = name_or_unnamed(name);
    struct shape shape = known_shape("op_decl_dat_temp", name, dim, type, pointer_type);
    check_dat("op_decl_dat_temp", set, &shape, name);
    op_dat dat = declare_dat(set, &shape, NULL, name);
    cleave_dat_of(dat)->temporary = 1;
    return dat;
}

op_dat(op_decl_dat_temp)(op_set set, int dim, const char *type, const void *data, const char *name)
{
    (void)data;
    return cleave_decl_dat_temp(set, dim, type, "", name);
}

op_dat op_decl_dat_temp_char(op_set set, int dim, const char *type, int size, const char *name)
{
    cleave_require_init();
    name = name_or_unnamed(name);
    struct shape shape = sized_shape("op_decl_dat_temp_char", name, dim, type, size);
    check_dat("op_decl_dat_temp_char", set, &shape, name);
    op_dat dat = declare_dat(set, &shape, NULL, name);
    cleave_dat_of(dat)->temporary = 1;
    return dat;
}

static void free_data(struct cleave_dat *dat)
{
    if (dat->mapped) {
        cleave_pages_free(dat->core.data, cleave_dat_bytes(&dat->core));
    } else {
        free(dat->core.data);
    }
    dat->core.data = NULL;
}

static void free_dat(struct cleave_dat *dat)
{
    cleave_dat_release(dat);
    free_data(dat);
    free((char *)dat->core.type);
    free((char *)dat->core.name);
    free(dat);
}

/* Programs free dats in every time step, so only the latest are kept. */
static void remember_freed(struct cleave_dat *dat)
{
    struct cleave_dat **slot = &cleave_mesh.freed[cleave_mesh.next_freed];
    if (*slot != NULL) {
        free_dat(*slot);
    }
    *slot = dat;
    cleave_mesh.next_freed = (cleave_mesh.next_freed + 1) % CLEAVE_FREED_DATS;
}

int op_free_dat_temp(op_dat dat)
{
    struct cleave_dat *own = cleave_dat_checked(dat, "op_free_dat_temp");
    if (!own->temporary) {
        cleave_fatal(
            "op_free_dat_temp: dat '%s' was declared by op_decl_dat; only op_decl_dat_temp's "
            "can be freed",
            dat->name);
    }
    cleave_order_forget(dat);
    cleave_sites_forget(dat);
    cleave_dat_release(own);
    free_data(own);
    own->freed = 1;
    struct cleave_dat **link = &cleave_mesh.dats;
    while (*link != own) {
        link = &(*link)->next;
    }
    *link = own->next;
    remember_freed(own);
    return 0;
}

int op_free_dat_temp_char(op_dat dat)
{
    return op_free_dat_temp(dat);
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
    while (cleave_mesh.dats != NULL) {
        struct cleave_dat *dat = cleave_mesh.dats;
        cleave_mesh.dats = dat->next;
        free_dat(dat);
    }
    for (int i = 0; i < CLEAVE_FREED_DATS; i++) {
        if (cleave_mesh.freed[i] != NULL) {
            free_dat(cleave_mesh.freed[i]);
        }
        cleave_mesh.freed[i] = NULL;
    }
    cleave_mesh.next_freed = 0;
}

void cleave_mesh_free(void)
{
    free_dats();
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
    cleave_mesh.map_count = 0;
    next_set = next_map = next_dat = 0;
}
