/* order_coordinates.c: where the points of the mesh are, as the program or the user says: the dat
 * of CLEAVE_COORDINATES, else op_partition's. It only guides the numbering: one that cannot is left
 * aside, with a warning. */
#include <math.h>

#include "runtime/mesh/order.h"

/* The coordinates that op_partition named; NULL: none. */
static op_dat hint;

/* The dat that the user was last told is not used. */
static op_dat refused;

/* Below this, waking threads costs more than it saves. */
enum { MANY_VALUES = 100000 };

/* `place`: point * dim + component. */
static double value_of(const struct plan_coordinates *at, size_t place)
{
    return at->is_float ? (double)((const float *)at->at)[place] : ((const double *)at->at)[place];
}

/* 1: all points have equal coordinates, so that these cannot divide the set. */
static int is_one_place(const struct plan_coordinates *at, int points)
{
    const size_t dim = (size_t)at->dim;
    const size_t values = (size_t)points * dim;
    size_t i = 0;
    while (i < values && value_of(at, i) == value_of(at, i % dim)) {
        i++;
    }
    return i == values && points > 1;
}

/* 1: the values are usable as coordinates; 0: `reason` says why not. */
static int values_fit(const struct plan_coordinates *at, int points,
                      char reason[COORDINATES_REASON])
{
    const size_t dim = (size_t)at->dim;
    const size_t values = (size_t)points * dim;
    size_t first = values; /* that is no number */
#pragma omp parallel for schedule(static) reduction(min : first) if (values >= MANY_VALUES)        \
    num_threads(cleave_copy_threads())
    for (size_t i = 0; i < values; i++) {
        if (!isfinite(value_of(at, i)) && i < first) {
            first = i;
        }
    }
    if (first < values) {
        snprintf(reason, COORDINATES_REASON, "component %zu of element %zu is %g", first % dim,
                 first / dim, value_of(at, first));
        return 0;
    }
    if (is_one_place(at, points)) {
        snprintf(reason, COORDINATES_REASON, "all %d elements are at the same place", points);
        return 0;
    }
    return 1;
}

/* 1: the dat's shape is that of coordinates; 0: `reason` says why not. */
static int shape_fits(op_dat dat, char reason[COORDINATES_REASON])
{
    enum cleave_base base = cleave_dat_of(dat)->base;
    if (base != BASE_DOUBLE && base != BASE_FLOAT) {
        snprintf(reason, COORDINATES_REASON,
                 "it is of type \"%.40s\", coordinates are double or float", dat->type);
        return 0;
    }
    if (dat->dim != 2 && dat->dim != 3) {
        snprintf(reason, COORDINATES_REASON, "it has %d component%s, coordinates have 2 or 3",
                 dat->dim, dat->dim == 1 ? "" : "s");
        return 0;
    }
    return 1;
}

/* Those of the dat; `at` is its data, in the order of the maps that lead to it. */
static struct plan_coordinates coordinates_of(op_dat dat, const void *at)
{
    return (struct plan_coordinates){.at = at,
                                     .is_float = cleave_dat_of(dat)->base == BASE_FLOAT,
                                     .dim = dat->dim,
                                     .target = dat->set->index};
}

static int are_coordinates(op_dat dat, char reason[COORDINATES_REASON])
{
    if (!shape_fits(dat, reason)) {
        return 0;
    }
    const struct plan_coordinates at = coordinates_of(dat, cleave_dat_current(dat, COPY_USER));
    return values_fit(&at, dat->set->size, reason);
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
    char reason[COORDINATES_REASON];
    op_dat dat = named_dat(what);
    if (dat == NULL || are_coordinates(dat, reason)) {
        return dat;
    }
    refuse(*what, dat->name, dat, reason);
    return NULL;
}

/* Warns if none of the maps leads to the set of the dat. Returns 1 if one does. */
static int is_led_to(const char *what, op_dat dat, op_set primary, const op_map *of, int maps)
{
    char reason[COORDINATES_REASON];
    for (int m = 0; m < maps; m++) {
        if (of[m]->to == dat->set) {
            return 1;
        }
    }
    snprintf(reason, COORDINATES_REASON, "no map leads from set '%.60s' to its set '%.60s'",
             primary->name, dat->set->name);
    refuse(what, dat->name, dat, reason);
    return 0;
}

int cleave_coordinates(struct plan_coordinates *coordinates)
{
    const char *what;
    op_dat dat = usable_dat(&what);
    if (dat == NULL) {
        return 0;
    }
    *coordinates = coordinates_of(dat, cleave_dat_current(dat, COPY_HOST));
    return 1;
}

void *cleave_coordinates_copy(struct plan_coordinates *coordinates)
{
    const char *what;
    op_dat dat = usable_dat(&what);
    if (dat == NULL) {
        return NULL;
    }
    const size_t bytes = cleave_dat_bytes(dat);
    void *copy = cleave_alloc(bytes, "coordinates");
    cleave_permute_copy(copy, cleave_dat_current(dat, COPY_HOST), bytes);
    *coordinates = coordinates_of(dat, copy);
    return copy;
}

/* ---- of drafts ------------------------------------------------------------------------------- */

static void copy_values(struct order_draft *draft, op_dat dat)
{
    const size_t bytes = cleave_dat_bytes(dat);
    draft->at_copy = cleave_alloc(bytes, "coordinates");
    cleave_permute_copy(draft->at_copy, cleave_dat_current(dat, COPY_USER), bytes);
    draft->at = coordinates_of(dat, draft->at_copy);
    draft->points = dat->set->size;
    draft->at_unchecked = 1;
}

void cleave_draft_coordinates(struct order_draft *draft, const op_map *of, int maps, int copies)
{
    const char *what;
    char reason[COORDINATES_REASON];
    const int reads = cleave_uses_places(draft->method) || draft->first != NULL;
    copies = copies && reads;
    op_dat dat = copies ? named_dat(&what) : usable_dat(&what);
    if (copies && dat != NULL && !shape_fits(dat, reason)) {
        refuse(what, dat->name, dat, reason);
        dat = NULL;
    }
    if (dat == NULL) {
        return;
    }
    draft->named = dat;
    draft->order.coordinates = is_led_to(what, dat, draft->primary, of, maps) ? dat : NULL;
    if (copies) {
        copy_values(draft, dat);
    } else if (reads) {
        draft->at = coordinates_of(dat, cleave_dat_current(dat, COPY_USER));
    }
}

void cleave_draft_check_coordinates(struct order_draft *draft)
{
    if (draft->at_unchecked && !values_fit(&draft->at, draft->points, draft->refused)) {
        draft->at.at = NULL;
        draft->order.coordinates = NULL;
    }
    draft->at_unchecked = 0;
}

void cleave_draft_say_coordinates(const struct order_draft *draft)
{
    const char *what;
    op_dat dat = named_dat(&what);
    if (draft->refused[0] != '\0' && dat != NULL) {
        refuse(what, dat->name, dat, draft->refused);
    }
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
