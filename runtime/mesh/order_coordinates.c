/* order_coordinates.c: where the points of the mesh are, as the program or the user says: the dat
 * of CLEAVE_COORDINATES, else op_partition's. It only guides the numbering: one that cannot is left
 * aside, with a warning. */
#include <math.h>

#include "runtime/mesh/mesh.h"

/* The coordinates that op_partition named; NULL: none. */
static op_dat hint;

/* The dat that the user was last told is not used. */
static op_dat refused;

#define REASON 200

/* `place`: element * dim + component. */
static double value_of(op_dat dat, const void *data, size_t place)
{
    return cleave_dat_of(dat)->base == BASE_FLOAT ? (double)((const float *)data)[place]
                                                  : ((const double *)data)[place];
}

/* 1: all points have equal coordinates, so that these cannot divide the set. */
static int is_one_place(op_dat dat, const void *data)
{
    const size_t values = (size_t)dat->set->size * (size_t)dat->dim;
    size_t i = 0;
    while (i < values && value_of(dat, data, i) == value_of(dat, data, i % (size_t)dat->dim)) {
        i++;
    }
    return i == values && dat->set->size > 1;
}

/* 1: the dat is usable as coordinates; 0: `reason` says why not. */
static int are_coordinates(op_dat dat, char reason[REASON])
{
    enum cleave_base base = cleave_dat_of(dat)->base;
    if (base != BASE_DOUBLE && base != BASE_FLOAT) {
        snprintf(reason, REASON, "it is of type \"%.40s\", coordinates are double or float",
                 dat->type);
        return 0;
    }
    if (dat->dim != 2 && dat->dim != 3) {
        snprintf(reason, REASON, "it has %d component%s, coordinates have 2 or 3", dat->dim,
                 dat->dim == 1 ? "" : "s");
        return 0;
    }
    const void *data = cleave_dat_current(dat, COPY_USER);
    size_t values = (size_t)dat->set->size * (size_t)dat->dim;
    for (size_t i = 0; i < values; i++) {
        if (!isfinite(value_of(dat, data, i))) {
            snprintf(reason, REASON, "component %zu of element %zu is %g", i % (size_t)dat->dim,
                     i / (size_t)dat->dim, value_of(dat, data, i));
            return 0;
        }
    }
    if (is_one_place(dat, data)) {
        snprintf(reason, REASON, "all %d elements are at the same place", dat->set->size);
        return 0;
    }
    return 1;
}

static void refuse(const char *what, const char *name, op_dat dat, const char *reason)
{
    if (dat == NULL || refused != dat) {
        refused = dat;
        cleave_warning("%s '%s': %s; the mesh is numbered without coordinates", what, name, reason);
    }
}

/* The dat that the user means to be coordinates; NULL when there is none. */
static op_dat named_dat(const char **what)
{
    static int said;
    const char *name = cleave_settings.coordinates;
    *what = name != NULL ? "CLEAVE_COORDINATES" : "op_partition: coordinates";
    if (name == NULL) {
        return hint;
    }
    for (struct cleave_dat *d = cleave_mesh.dats; d != NULL; d = d->next) {
        if (strcmp(d->core.name, name) == 0) {
            return &d->core;
        }
    }
    if (!said) {
        said = 1;
        refuse(*what, name, NULL, "no dat of this name has been declared");
    }
    return NULL;
}

static op_dat usable_dat(const char **what)
{
    char reason[REASON];
    op_dat dat = named_dat(what);
    if (dat == NULL || are_coordinates(dat, reason)) {
        return dat;
    }
    refuse(*what, dat->name, dat, reason);
    return NULL;
}

op_dat cleave_coordinates_dat(op_set primary, const op_map *of, int maps)
{
    const char *what;
    char reason[REASON];
    op_dat dat = usable_dat(&what);
    for (int m = 0; dat != NULL && m < maps; m++) {
        if (of[m]->to == dat->set) {
            return dat;
        }
    }
    if (dat != NULL) {
        snprintf(reason, REASON, "no map leads from set '%.60s' to its set '%.60s'", primary->name,
                 dat->set->name);
        refuse(what, dat->name, dat, reason);
    }
    return NULL;
}

int cleave_coordinates(struct plan_coordinates *coordinates)
{
    const char *what;
    op_dat dat = usable_dat(&what);
    if (dat == NULL) {
        return 0;
    }
    coordinates->at = cleave_dat_current(dat, COPY_HOST);
    coordinates->is_float = cleave_dat_of(dat)->base == BASE_FLOAT;
    coordinates->dim = dat->dim;
    coordinates->target = dat->set->index;
    return 1;
}

void cleave_coordinates_hint(op_dat dat)
{
    hint = dat;
    refused = dat == NULL ? NULL : refused;
}

void cleave_coordinates_forget(op_dat dat)
{
    hint = hint == dat ? NULL : hint;
    refused = refused == dat ? NULL : refused;
}
