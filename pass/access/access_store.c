/* access_store.c: variables that hold pointers, alone, in arrays and in records, while a kernel is
 * walked: where they are themselves, what is taken from them and what is put into them.
 *
 * In: places and values as access_expr.c evaluates them. Out: the state that access_state.c keeps.
 * Each pointer of an array or a record has a slot of its own, in their order. A subscript that is
 * not constant may mean any of them: then a value taken is in doubt, and a value put adds to what
 * was held.
 */
#include "pass/access/access_impl.h"
#include "pass/access/access_state.h"

#include <string.h>

static const struct type *innermost(const struct type *type)
{
    while (type->kind == TYPE_ARRAY) {
        type = type->elem;
    }
    return type;
}

bool access_holds_pointers(const struct type *type)
{
    type = innermost(type);
    if (type->kind == TYPE_RECORD) {
        for (int n = 0; n < type->record->fields; n++) {
            if (access_holds_pointers(type->record->field[n].type)) {
                return true;
            }
        }
    }
    return type->kind == TYPE_POINTER;
}

/* Number of pointers in an object of the type; *exact becomes false when parts of it overlap (a
 * union). */
static long count_slots(const struct type *type, bool *exact)
{
    long slots = 0;

    if (type->kind == TYPE_ARRAY) {
        return type->count * count_slots(type->elem, exact);
    }
    for (int n = 0; type->kind == TYPE_RECORD && n < type->record->fields; n++) {
        slots += count_slots(type->record->field[n].type, exact);
    }
    *exact &= slots == 0 || type->kind != TYPE_RECORD || !type->record->is_union;
    return type->kind == TYPE_POINTER ? 1 : slots;
}

static long slots_of(const struct type *type)
{
    bool exact = true;

    return count_slots(type, &exact);
}

/* Whether each pointer in the variable has its own slot; otherwise all share slot 0. */
static bool is_exact(const struct var *var)
{
    bool exact = true;

    return count_slots(var->type, &exact) <= SLOTS_LIMIT && exact;
}

long store_step(const struct type *type)
{
    return access_holds_pointers(type) ? slots_of(type) : access_scalars(type);
}

struct targets store_place(const struct var *var)
{
    struct targets place = {0};

    if (var->storage == STORAGE_GLOBAL || var->storage == STORAGE_TABLE) {
        place.count = 1;
        place.target[0] = (struct target){.arg = -1,
                                          .storage = var,
                                          .is_global = true,
                                          .offset_known = true,
                                          .column_known = true};
    } else if (access_holds_pointers(var->type)) {
        place.count = 1;
        place.target[0] = (struct target){
            .arg = -1, .storage = var, .is_rows = true, .offset_known = true, .column_known = true};
    }
    return place;
}

void store_member(struct targets *place, const struct type *record, const char *name)
{
    const struct record *own = record->record;
    long by = 0;

    for (int n = 0; n < own->fields && strcmp(own->field[n].name, name) != 0; n++) {
        by += slots_of(own->field[n].type);
    }
    for (int n = 0; n < place->count; n++) {
        struct target *target = &place->target[n];

        if (target->storage != NULL && !target->is_global) {
            target->column = (struct range){target->column.lo + by, target->column.hi + by};
        } else {
            target->offset_known = false;
        }
    }
}

/* The slots of the variable that an object of this type at this place may occupy. *one: it surely
 * occupies all of them. */
static struct range slots_meant(const struct target *place, const struct type *type, bool *one)
{
    bool exact = is_exact(place->storage);
    struct range all = {0, exact ? slots_of(place->storage->type) - 1 : 0};
    struct range meant = {place->column.lo, place->column.hi + slots_of(type) - 1};

    *one = exact && place->column_known && place->column.lo == place->column.hi;
    if (!exact || !place->column_known || meant.lo < all.lo || meant.hi > all.hi) {
        *one = false;
        return all;
    }
    return meant;
}

struct targets store_load(struct walk *walk, const struct target *from, const struct type *type)
{
    bool one;
    struct range slots = slots_meant(from, type, &one);
    struct targets value = {0};

    for (long slot = slots.lo; slot <= slots.hi; slot++) {
        struct targets held = state_get(walk, from->storage, (int)slot);

        targets_join(&value, &held);
    }
    if (!one || slots.lo != slots.hi) {
        targets_doubt(&value);
    }
    return value;
}

static void assign_at(struct walk *walk, const struct target *target, const struct type *type,
                      struct targets value, bool is_only)
{
    bool one;
    struct range slots = slots_meant(target, type, &one);

    for (long slot = slots.lo; slot <= slots.hi; slot++) {
        struct targets joined = state_get(walk, target->storage, (int)slot);

        if (one && is_only) {
            state_set(walk, target->storage, (int)slot, value);
            continue;
        }
        targets_join(&joined, &value);
        if (!one) {
            targets_doubt(&joined);
        }
        state_set(walk, target->storage, (int)slot, joined);
    }
}

void store_assign(struct walk *walk, const struct targets *place, const struct type *type,
                  struct targets value)
{
    if (place->count == 0 || place->is_full) {
        access_escape(walk, &value);
    }
    for (int n = 0; n < place->count; n++) {
        const struct target *target = &place->target[n];

        if (target->storage != NULL && !target->is_global) {
            assign_at(walk, target, type, value,
                      place->count == 1 && !place->is_full && !target->in_doubt);
        } else {
            access_escape(walk, &value); /* into the rows of a vector argument */
        }
    }
}

/* Sets the slots from `slot` on, which have the type. */
static void set_slots(struct walk *walk, const struct var *var, const struct type *type, long slot,
                      const struct expr *init)
{
    struct targets value;

    if (init->kind == EXPR_INIT && type->kind == TYPE_ARRAY) {
        for (int k = 0; k < init->kids; k++) {
            set_slots(walk, var, type->elem, slot + k * slots_of(type->elem), init->kid[k]);
        }
        return;
    }
    if (init->kind == EXPR_INIT && type->kind == TYPE_RECORD) {
        for (int k = 0; k < init->kids; k++) {
            set_slots(walk, var, type->record->field[k].type, slot, init->kid[k]);
            slot += slots_of(type->record->field[k].type);
        }
        return;
    }
    value = access_value(walk, init);
    for (long n = 0; n < slots_of(type); n++) {
        state_set(walk, var, (int)(slot + n), value);
    }
}

void store_begin(struct walk *walk, const struct var *var, const struct expr *init)
{
    struct targets nothing = {0};

    if (!is_exact(var)) {
        state_set(walk, var, 0, init != NULL ? access_value(walk, init) : nothing);
        return;
    }
    for (long slot = 0; slot < slots_of(var->type); slot++) {
        state_set(walk, var, (int)slot, nothing);
    }
    if (init != NULL) {
        set_slots(walk, var, var->type, 0, init);
    }
}

bool store_is_meant(const struct targets *targets)
{
    for (int n = 0; n < targets->count; n++) {
        if (targets->target[n].storage != NULL && !targets->target[n].is_global) {
            return true;
        }
    }
    return targets->is_full;
}
