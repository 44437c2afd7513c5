/* chain_effects.c: turns touches on places into effects on the variables that loops name.
 *
 * In: the touches of a step, and the place of each host_var. Out: the step's effects. A touch by
 * the name of one variable may also be on a variable that loops reach by a pointer; a touch through
 * a pointer may be on anything that pointers may lead to; a touch on anything else has no effect on
 * loops. */
#include "pass/frontend/chain.h"

#include <string.h>

bool chain_is_static(const struct host_place *place)
{
    return place->kind == PLACE_VARIABLE && clang_Cursor_hasVarDeclGlobalStorage(place->base) == 1;
}

/* ---- addresses
 * ------------------------------------------------------------------------------------ */

/* Clears is_private of a variable whose address is taken. */
static void note_address(struct resolve *resolve, const struct host_place *place)
{
    const char *rest;

    for (int v = 0; v < resolve->count; v++) {
        struct named *named = &resolve->named[v];

        if (named->var.is_private && host_relation(place, &named->place, &rest) != PLACES_APART) {
            named->var.is_private = false;
        }
    }
    if (place->kind == PLACE_VARIABLE && !chain_is_static(place)) {
        resolve->addressed =
            arena_grow(resolve->front->arena, resolve->addressed, resolve->addresses,
                       &resolve->address_room, sizeof(*resolve->addressed));
        resolve->addressed[resolve->addresses++] = place->base;
    }
}

void chain_note_addresses(struct resolve *resolve, const struct draft *draft)
{
    resolve->addresses = 0;
    for (int s = 0; s < draft->steps; s++) {
        for (int t = 0; t < draft->step[s].touches.count; t++) {
            const struct touch *touch = &draft->step[s].touches.touch[t];

            if ((touch->does & DOES_ADDRESS) != 0) {
                note_address(resolve, &touch->place);
            }
        }
    }
}

/* ---- effects
 * -------------------------------------------------------------------------------------- */

static void add_effect(struct front *front, struct step *step, int *room, struct effect effect)
{
    for (int e = 0; e < step->effects; e++) {
        const struct effect *known = &step->effect[e];

        if (known->kind == effect.kind && known->var == effect.var &&
            (known->by == effect.by ||
             (known->by != NULL && effect.by != NULL && strcmp(known->by, effect.by) == 0))) {
            step->effect[e].is_named = known->is_named && effect.is_named;
            return;
        }
    }
    step->effect =
        arena_grow(front->arena, step->effect, step->effects, room, sizeof(*step->effect));
    step->effect[step->effects++] = effect;
}

/* Effect on a variable of reading or writing a place. relation: how the two places are related. */
static unsigned on_variable(const struct named *named, enum place_relation relation,
                            const char *rest, unsigned does)
{
    bool behind = relation == PLACE_AROUND && strchr(rest, '*') != NULL;
    unsigned kinds = 0;

    if (named->var.kind != HOST_VALUE) {
        return (does & DOES_WRITE) != 0 && relation != PLACE_INSIDE ? 1u << EFFECT_REBIND : 0;
    }
    if ((does & DOES_READ) != 0 && !behind) {
        kinds |= 1u << EFFECT_LOOK;
    }
    if ((does & DOES_WRITE) != 0) {
        kinds |= behind ? 1u << EFFECT_REBIND : 1u << EFFECT_CHANGE;
    }
    if ((does & DOES_DECLARE) != 0 && !behind) {
        kinds |= 1u << EFFECT_DECLARE;
    }
    return kinds;
}

/* Effect on the values of a dat. */
static unsigned on_dat(const struct named *named, enum place_relation relation, unsigned does)
{
    if (named->var.kind != HOST_DAT || relation != PLACES_SAME) {
        return 0;
    }
    return ((does & DOES_LOOK) != 0 ? 1u << EFFECT_LOOK : 0) |
           ((does & DOES_CHANGE) != 0 ? 1u << EFFECT_CHANGE : 0);
}

static void add_effects(struct front *front, struct step *step, int *room, unsigned kinds, int var,
                        const struct touch *touch, bool is_named)
{
    for (int k = 0; k <= EFFECT_UNKNOWN; k++) {
        if ((kinds & 1u << k) != 0) {
            add_effect(front, step, room,
                       (struct effect){(enum effect_kind)k, var, touch->by, touch->loc,
                                       is_named && touch->by == NULL});
        }
    }
}

/* Adds effects that do not belong to one variable. */
static void add_wide_effects(struct front *front, struct step *step, int *room,
                             const struct touch *touch, bool is_named)
{
    unsigned pointed = 0;
    unsigned all = 0;

    if (touch->place.derefs) {
        pointed |= (touch->does & DOES_READ) != 0 ? 1u << EFFECT_LOOK : 0;
        pointed |= (touch->does & DOES_WRITE) != 0 ? 1u << EFFECT_CHANGE : 0;
        pointed |= (touch->does & DOES_DECLARE) != 0 ? 1u << EFFECT_DECLARE : 0;
        pointed |= touch->may_be_handle ? 1u << EFFECT_REBIND : 0;
    }
    all |= (touch->does & DOES_LOOK_ALL) != 0 ? 1u << EFFECT_LOOK : 0;
    all |= (touch->does & DOES_ORDER) != 0 ? 1u << EFFECT_ORDER : 0;
    all |= (touch->does & DOES_CLOCK) != 0 ? 1u << EFFECT_CLOCK : 0;
    all |= (touch->does & DOES_UNKNOWN) != 0 ? 1u << EFFECT_UNKNOWN : 0;
    add_effects(front, step, room, pointed, HOST_POINTED, touch, is_named);
    add_effects(front, step, room, all, HOST_ALL, touch, false);
}

/* ---- variables behind pointers ---- */

/* Whether a pointer may also lead to a variable that code names directly. */
static bool is_exposed(const struct resolve *resolve, const struct host_place *place)
{
    if (place->kind != PLACE_VARIABLE || place->derefs) {
        return false; /* then the touch is one through a pointer already */
    }
    for (int a = 0; a < resolve->addresses; a++) {
        if (front_same(resolve->addressed[a], place->base)) {
            return true;
        }
    }
    return chain_is_static(place) && !front_in_system(place->base);
}

/* Whether a touch of one type may be on a variable of the other: numbers of different types,
 * signedness aside, are different variables. */
static bool may_be_type(enum CXTypeKind touched, enum type_kind type)
{
    switch (touched) {
    case CXType_Double:
        return type == TYPE_DOUBLE || type == TYPE_VOID;
    case CXType_Float:
        return type == TYPE_FLOAT || type == TYPE_VOID;
    case CXType_Bool:
        return type == TYPE_BOOL || type == TYPE_VOID;
    case CXType_Int:
    case CXType_UInt:
        return type == TYPE_INT || type == TYPE_UINT || type == TYPE_VOID;
    case CXType_Pointer:
        return false;
    default:
        return true;
    }
}

/* Whether the touched place may be the variable: a pointer to a member leads to a member of that
 * name. */
static bool may_be_member(const struct touch *touch, const struct named *named)
{
    const char *member = strrchr(named->place.path, '.');
    const char *touched = strrchr(touch->place.path, '.');

    if (member == NULL || strpbrk(member, "*[") != NULL || touch->type == CXType_Record ||
        touch->type == CXType_Invalid) {
        return true;
    }
    return touched != NULL && strcmp(member, touched) == 0;
}

/* Effect of a touch by the name of an exposed variable on one that loops reach by a pointer: both
 * may be one object. */
static unsigned on_pointed(const struct named *named, const struct touch *touch)
{
    bool is_behind = named->place.derefs;
    bool is_number = touch->type >= CXType_Bool && touch->type <= CXType_LongDouble;

    if (!is_behind || (touch->does & (DOES_READ | DOES_WRITE)) == 0 ||
        !may_be_member(touch, named)) {
        return 0;
    }
    if (named->var.kind != HOST_VALUE) {
        return (touch->does & DOES_WRITE) != 0 && !is_number ? 1u << EFFECT_REBIND : 0;
    }
    return may_be_type(touch->type, named->is_typed ? named->type : TYPE_VOID)
               ? on_variable(named, PLACES_SAME, "", touch->does)
               : 0;
}

/* Whether a touch is one of this variable and surely of no other place: both have one text, without
 * a subscript that varies. */
static bool is_text_of(const struct host_place *place, const struct named *named)
{
    const char *rest;

    return named->var.kind == HOST_VALUE && !named->var.varies &&
           host_relation(place, &named->place, &rest) == PLACES_SAME &&
           strcmp(place->path, named->place.path) == 0 && strstr(place->path, "[]") == NULL;
}

/* A touched dat that no loop names this way may be one that a loop names another way. */
static void touch_effects(struct resolve *resolve, struct step *step, int *room,
                          const struct touch *touch)
{
    bool found = (touch->does & (DOES_LOOK | DOES_CHANGE)) == 0;
    bool may_be_pointed = is_exposed(resolve, &touch->place);
    bool is_named = false;

    for (int v = 0; v < resolve->count && (touch->does & DOES_NOWHERE) == 0; v++) {
        const struct named *named = &resolve->named[v];
        const char *rest = "";
        enum place_relation relation;
        unsigned values;

        if (named->var.chain >= 0 && named->var.chain != resolve->chain) {
            continue;
        }
        relation = host_relation(&touch->place, &named->place, &rest);
        if (relation == PLACES_APART) {
            if (may_be_pointed) {
                add_effects(resolve->front, step, room, on_pointed(named, touch), v, touch, false);
            }
            continue;
        }
        is_named = is_named || is_text_of(&touch->place, named);
        values = on_dat(named, relation, touch->does);
        found = found || values != 0;
        add_effects(resolve->front, step, room,
                    values | on_variable(named, relation, rest, touch->does), v, touch, false);
    }
    if (!found) {
        add_effects(resolve->front, step, room,
                    ((touch->does & DOES_LOOK) != 0 ? 1u << EFFECT_LOOK : 0) |
                        ((touch->does & DOES_CHANGE) != 0 ? 1u << EFFECT_CHANGE : 0),
                    HOST_ALL, touch, false);
    }
    add_wide_effects(resolve->front, step, room, touch, is_named);
}

void chain_effects(struct resolve *resolve, struct draft_step *step)
{
    int room = 0;

    for (int t = 0; t < step->touches.count; t++) {
        touch_effects(resolve, &step->step, &room, &step->touches.touch[t]);
    }
}
