/* overlay.c: dats that come and go, and dats that share their values: temporary dats, snapshots,
 * and overlays, which are a second dat over the values of a first one.
 *
 * The dats of one overlay form a ring. They share core.data, the values in the user's order; each
 * has its own copies in the order of its set. A dat of the ring none of whose copies is current
 * gets the values through the shared one; when one has been written, the copies of the others are
 * old. */
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/pages.h"

/* ---- rings --------------------------------------------------------------------------------- */

void cleave_overlay_require(struct cleave_dat *dat)
{
    struct cleave_dat *other = dat->overlay;
    if (other == NULL || cleave_dat_holds_values(dat)) {
        return;
    }
    while (!cleave_dat_holds_values(other)) {
        other = other->overlay;
    }
    cleave_dat_current(&other->core, COPY_USER);
    cleave_dat_share(dat);
}

void cleave_overlay_written(struct cleave_dat *dat)
{
    for (struct cleave_dat *d = dat->overlay; d != NULL && d != dat; d = d->overlay) {
        cleave_dat_lose(d);
        if (dat->current[COPY_USER]) {
            cleave_dat_share(d);
        }
    }
}

int cleave_overlay_same(const struct cleave_dat *a, const struct cleave_dat *b)
{
    const struct cleave_dat *d = a->overlay;
    while (d != NULL && d != a && d != b) {
        d = d->overlay;
    }
    return a != b && d == b && d != NULL;
}

static void join(struct cleave_dat *first, struct cleave_dat *second)
{
    if (first->overlay == NULL) {
        first->overlay = first;
    }
    second->overlay = first->overlay;
    first->overlay = second;
}

/* Takes the dat out of its overlay. Returns 1 if another dat keeps the values. */
static int leave(struct cleave_dat *dat)
{
    struct cleave_dat *before = dat->overlay;
    if (before == NULL) {
        return 0;
    }
    cleave_dat_current(&dat->core, COPY_USER);
    while (before->overlay != dat) {
        before = before->overlay;
    }
    for (struct cleave_dat *d = dat->overlay; d != dat; d = d->overlay) {
        cleave_dat_share(d);
    }
    before->overlay = before == dat->overlay ? NULL : dat->overlay;
    dat->overlay = NULL;
    return 1;
}

op_dat op_decl_dat_overlay(op_set set, op_dat dat)
{
    CLEAVE_ENTER("op_decl_dat_overlay");
    cleave_flush();
    struct cleave_dat *first = cleave_dat_checked(dat, "op_decl_dat_overlay");
    if (set == NULL) {
        cleave_fatal("op_decl_dat_overlay of dat '%s': the set is a null pointer", dat->name);
    }
    if (set->size != dat->set->size) {
        cleave_fatal("op_decl_dat_overlay of dat '%s': set '%s' has %d elements, but the dat is on "
                     "set '%s' with %d; an overlay is on a set of the same size",
                     dat->name, set->name, set->size, dat->set->name, dat->set->size);
    }
    struct cleave_shape shape = {dat->dim, dat->type, first->component, first->base};
    CLEAVE_HOLD_DATS;
    cleave_dat_current(dat, COPY_USER);
    op_dat over = cleave_dat_declare(set, &shape, NULL, dat->data, dat->name);
    cleave_dat_of(over)->temporary = first->temporary;
    cleave_dat_of(over)->mapped = first->mapped;
    cleave_dat_of(over)->paged = first->paged;
    cleave_dat_of(over)->borrowed = first->borrowed;
    cleave_dat_of(over)->watch = first->watch;
    join(first, cleave_dat_of(over));
    return over;
}

op_dat op_decl_dat_overlay_ptr(op_set set, const void *data)
{
    CLEAVE_ENTER("op_decl_dat_overlay_ptr");
    for (struct cleave_dat *d = cleave_mesh.dats; d != NULL && data != NULL; d = d->next) {
        if (d->declared_from == data || d->core.data == data) {
            return op_decl_dat_overlay(set, &d->core);
        }
    }
    cleave_fatal("op_decl_dat_overlay_ptr: no dat was declared from the array at %p", data);
}

/* ---- temporary dats ------------------------------------------------------------------------ */

op_dat cleave_decl_dat_temp(op_set set, int dim, const char *type, const char *pointer_type,
                            const char *name)
{
    CLEAVE_ENTER("op_decl_dat_temp");
    cleave_require_init();
    name = cleave_name_or_unnamed(name);
    struct cleave_shape shape =
        cleave_shape_known("op_decl_dat_temp", name, dim, type, pointer_type);
    cleave_shape_check("op_decl_dat_temp", set, &shape, name);
    op_dat dat = cleave_dat_declare(set, &shape, NULL, NULL, name);
    cleave_dat_of(dat)->temporary = 1;
    return dat;
}

op_dat(op_decl_dat_temp)(op_set set, int dim, const char *type, const void *data, const char *name)
{
    (void)data;
    return cleave_decl_dat_temp(set, dim, type, "", name);
}

/* In OP2 the size is only the distance of components in memory that the program may see; kernels go
 * by the type. Nothing is copied in, so that the type's own size serves both. */
static int component_size(const char *type, int size, const char *name)
{
    const struct cleave_type *known = type != NULL ? cleave_type_find(type) : NULL;
    if (known == NULL || size <= 0 || known->size == (size_t)size) {
        return size;
    }
    cleave_warning(
        "op_decl_dat_temp_char '%s': a component of type \"%s\" has %zu bytes, not %d; the size "
        "is ignored",
        name, type, known->size, size);
    return (int)known->size;
}

op_dat op_decl_dat_temp_char(op_set set, int dim, const char *type, int size, const char *name)
{
    CLEAVE_ENTER("op_decl_dat_temp_char");
    cleave_require_init();
    name = cleave_name_or_unnamed(name);
    size = component_size(type, size, name);
    struct cleave_shape shape = cleave_shape_sized("op_decl_dat_temp_char", name, dim, type, size);
    cleave_shape_check("op_decl_dat_temp_char", set, &shape, name);
    op_dat dat = cleave_dat_declare(set, &shape, NULL, NULL, name);
    cleave_dat_of(dat)->temporary = 1;
    return dat;
}

op_dat op_fetch_data_file_char(op_dat dat)
{
    CLEAVE_ENTER("op_fetch_data_file_char");
    cleave_flush();
    const struct cleave_dat *own = cleave_dat_checked(dat, "op_fetch_data_file_char");
    struct cleave_shape shape = {dat->dim, dat->type, own->component, own->base};
    const void *values = cleave_dat_current(dat, COPY_USER);
    /* Declared without data: with OP_NO_REALLOC it would lie in the array of the first one. */
    op_dat copy = cleave_dat_declare(dat->set, &shape, NULL, NULL, dat->name);
    memcpy(copy->data, values, cleave_dat_bytes(dat));
    cleave_dat_of(copy)->temporary = 1;
    return copy;
}

op_dat op_mpi_get_data(op_dat dat)
{
    return op_fetch_data_file_char(dat);
}

/* ---- freeing ------------------------------------------------------------------------------- */

/* Frees the dat's values and copies; the struct stays. */
static void free_values(struct cleave_dat *dat)
{
    const int shared = leave(dat);
    dat->paged = dat->paged && !shared; /* the pages are the others' */
    cleave_dat_release(dat);
    if (!shared && dat->paged) {
        cleave_pages_free(dat->core.data, cleave_dat_bytes(&dat->core));
    } else if (!shared && !dat->borrowed) {
        free(dat->core.data);
    }
    dat->core.data = NULL;
}

void cleave_dat_free(struct cleave_dat *dat)
{
    free_values(dat);
    free((char *)dat->core.type);
    free((char *)dat->core.name);
    free(dat);
}

/* Keeps the structs of the latest freed dats only: programs may free dats in every time step. */
static void remember_freed(struct cleave_dat *dat)
{
    struct cleave_dat **slot = &cleave_mesh.freed[cleave_mesh.next_freed];
    if (*slot != NULL) {
        cleave_dat_free(*slot);
    }
    *slot = dat;
    cleave_mesh.next_freed = (cleave_mesh.next_freed + 1) % CLEAVE_FREED_DATS;
}

void cleave_dat_free_temp(struct cleave_dat *own)
{
    cleave_order_forget(&own->core);
    CLEAVE_HOLD_DATS;
    cleave_recipes_settle();
    free_values(own);
    own->freed = 1;
    struct cleave_dat **link = &cleave_mesh.dats;
    while (*link != own) {
        link = &(*link)->next;
    }
    *link = own->next;
    remember_freed(own);
}

void cleave_freed_dats_free(void)
{
    for (int i = 0; i < CLEAVE_FREED_DATS; i++) {
        if (cleave_mesh.freed[i] != NULL) {
            cleave_dat_free(cleave_mesh.freed[i]);
        }
        cleave_mesh.freed[i] = NULL;
    }
    cleave_mesh.next_freed = 0;
}
