/* chain_steps.c: the steps of one function as its body is walked, and the summary of its code.
 *
 * In: steps and touches in source order. Out: draft->step, where the function leads to loops, and
 * draft->summary. Control without loops, calls of chains and jumps out of it is one STEP_CODE:
 * effects say what may happen, not how often.
 */
#include "pass/frontend/chain.h"

#include <string.h>

/* With more touches than this, a function counts as unknown code. */
enum { MOST_TOUCHES = 256 };

/* ---- touches
 * ------------------------------------------------------------------------------------- */

static bool same_name(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_place(const struct host_place *a, const struct host_place *b)
{
    return a->kind == b->kind && a->derefs == b->derefs && strcmp(a->path, b->path) == 0 &&
           (a->kind != PLACE_VARIABLE || front_same(a->base, b->base));
}

void touches_add(struct front *front, struct touches *touches, const struct touch *touch)
{
    bool nowhere = (touch->does & DOES_NOWHERE) != 0;

    for (int t = 0; t < touches->count; t++) {
        struct touch *known = &touches->touch[t];
        bool known_nowhere = (known->does & DOES_NOWHERE) != 0;

        if (nowhere == known_nowhere && same_name(known->by, touch->by) &&
            known->may_be_handle == touch->may_be_handle &&
            (nowhere ? known->does == touch->does : same_place(&known->place, &touch->place))) {
            known->does |= touch->does;
            known->type = known->type == touch->type ? known->type : CXType_Invalid;
            return;
        }
    }
    touches->touch = arena_grow(front->arena, touches->touch, touches->count, &touches->room,
                                sizeof(*touches->touch));
    touches->touch[touches->count++] = *touch;
}

/* ---- the summary
 * --------------------------------------------------------------------------------- */

static int param_of(const struct draft *draft, const struct host_place *place)
{
    for (int p = 0; p < draft->params; p++) {
        if (place->kind == PLACE_VARIABLE && front_same(draft->param[p], place->base)) {
            return p;
        }
    }
    return -1;
}

bool chain_is_captured(const struct draft *draft, CXCursor variable)
{
    unsigned from;
    unsigned to;
    unsigned at;

    if (clang_getCursorKind(draft->function) != CXCursor_LambdaExpr) {
        return false;
    }
    clang_getFileLocation(clang_getRangeStart(clang_getCursorExtent(draft->function)), NULL, NULL,
                          NULL, &from);
    clang_getFileLocation(clang_getRangeEnd(clang_getCursorExtent(draft->function)), NULL, NULL,
                          NULL, &to);
    clang_getFileLocation(clang_getCursorLocation(variable), NULL, NULL, NULL, &at);
    return at < from || at >= to;
}

/* Whether others see the touch: callers through parameters, all code through static variables.
 * Reduces it to the effects and the place that they see. */
static bool seen_outside(const struct draft *draft, struct touch *touch)
{
    const struct host_place *place = &touch->place;
    bool is_param = param_of(draft, place) >= 0;

    if ((touch->does & DOES_NOWHERE) != 0) {
        return true;
    }
    touch->does &= ~(unsigned)DOES_ADDRESS;
    if (place->kind == PLACE_VARIABLE && clang_Cursor_hasVarDeclGlobalStorage(place->base) != 1 &&
        !chain_is_captured(draft, place->base)) {
        bool is_shared =
            front_is_reference(clang_getCursorType(place->base)) || place->path[0] == '*';

        if (is_param && !is_shared) {
            touch->does &= DOES_LOOK | DOES_CHANGE;
        } else if (!is_param) {
            bool is_handle = (touch->does & (DOES_LOOK | DOES_CHANGE)) != 0;
            bool derefs = place->derefs;

            touch->place = host_somewhere();
            touch->place.derefs = derefs || is_handle;
        }
    }
    return touch->does != 0 && (touch->place.kind != PLACE_OTHER || touch->place.derefs);
}

static void add_to_summary(struct chain_walk *walk, struct touch touch)
{
    struct touches *summary = &walk->draft->summary;

    if (!seen_outside(walk->draft, &touch)) {
        return;
    }
    if (summary->count >= MOST_TOUCHES) {
        touch = (struct touch){.does = DOES_UNKNOWN, .by = "much code", .loc = touch.loc};
    }
    touches_add(walk->front, summary, &touch);
}

bool chain_translate(struct front *front, const struct draft *callee, const struct passed *passed,
                     const struct host_place *inner, struct host_place *outer)
{
    int p = param_of(callee, inner);
    bool follows = inner->path[0] == '*';

    *outer = *inner;
    if (inner->kind == PLACE_THIS && follows && passed->has_object) {
        *outer = host_below(front, passed->object, inner->path + 1);
    } else if (p >= 0 && p < passed->count) {
        bool by_pointer = follows && !front_is_reference(clang_getCursorType(callee->param[p]));

        *outer = by_pointer ? host_below(front, passed->pointee[p], inner->path + 1)
                            : host_below(front, passed->value[p], inner->path);
    } else if (inner->kind == PLACE_THIS || p >= 0) {
        *outer = host_somewhere();
    }
    return outer->kind != PLACE_OTHER || outer->derefs;
}

/* ---- steps
 * --------------------------------------------------------------------------------------- */

static struct draft_step *add(struct chain_walk *walk, enum step_kind kind, struct loc loc,
                              const char *word)
{
    struct draft *draft = walk->draft;
    struct draft_step *step;

    draft->step = arena_grow(walk->front->arena, draft->step, draft->steps, &draft->step_room,
                             sizeof(*draft->step));
    step = &draft->step[draft->steps++];
    *step = (struct draft_step){.step = {.kind = kind,
                                         .loc = loc,
                                         .parent = walk->around,
                                         .end = draft->steps,
                                         .set = HOST_NONE,
                                         .trips = -1,
                                         .word = word}};
    return step;
}

struct draft_step *chain_add(struct chain_walk *walk, enum step_kind kind, CXCursor where,
                             const char *word)
{
    walk->code = -1;
    return walk->draft->leads_to_loops ? add(walk, kind, front_loc(walk->front, where), word)
                                       : NULL;
}

int chain_begin(struct chain_walk *walk, enum step_kind kind, CXCursor where, const char *word)
{
    if (!walk->draft->leads_to_loops) {
        return -1;
    }
    chain_add(walk, kind, where, word);
    walk->around = walk->draft->steps - 1;
    return walk->around;
}

/* Whether a step inside of a step of kind `outer` matters to code outside only by its touches. */
static bool is_plain(enum step_kind outer, enum step_kind inner)
{
    switch (inner) {
    case STEP_CODE:
    case STEP_REPEAT:
    case STEP_CHOICE:
    case STEP_SWITCH:
    case STEP_BRANCH:
        return true;
    case STEP_BREAK:
        return outer == STEP_REPEAT || outer == STEP_SWITCH;
    case STEP_CONTINUE:
    case STEP_NEXT:
        return outer == STEP_REPEAT;
    default:
        return false;
    }
}

static bool all_plain(const struct draft *draft, int step)
{
    for (int s = step + 1; s < draft->steps; s++) {
        if (!is_plain(draft->step[step].step.kind, draft->step[s].step.kind)) {
            return false;
        }
    }
    return true;
}

/* Merges the step and those inside of it into one, or into none. */
static void flatten(struct chain_walk *walk, int step)
{
    struct draft *draft = walk->draft;
    struct touches all = {0};

    for (int s = step; s < draft->steps; s++) {
        for (int t = 0; t < draft->step[s].touches.count; t++) {
            touches_add(walk->front, &all, &draft->step[s].touches.touch[t]);
        }
    }
    draft->steps = step;
    if (all.count > 0) {
        add(walk, STEP_CODE, draft->step[step].step.loc, NULL)->touches = all;
    }
}

void chain_end(struct chain_walk *walk, int step)
{
    struct draft *draft = walk->draft;

    walk->code = -1;
    if (step < 0) {
        return;
    }
    walk->around = draft->step[step].step.parent;
    draft->step[step].step.end = draft->steps;
    if (draft->step[step].step.kind != STEP_BRANCH && all_plain(draft, step)) {
        flatten(walk, step);
    }
}

/* ---- both
 * ---------------------------------------------------------------------------------------- */

static void note_counters(struct chain_walk *walk, const struct touch *touch)
{
    for (struct counter *counter = walk->counter; counter != NULL; counter = counter->outer) {
        if ((touch->does & (DOES_WRITE | DOES_ADDRESS)) != 0 &&
            touch->place.kind == PLACE_VARIABLE &&
            front_same(touch->place.base, counter->variable)) {
            counter->is_written = true;
        }
    }
}

void chain_touch(struct chain_walk *walk, struct touch touch)
{
    note_counters(walk, &touch);
    add_to_summary(walk, touch);
    if (!walk->draft->leads_to_loops) {
        return;
    }
    if (walk->code < 0) {
        add(walk, STEP_CODE, walk->loc.line > 0 ? walk->loc : touch.loc, NULL);
        walk->code = walk->draft->steps - 1;
    }
    touches_add(walk->front, &walk->draft->step[walk->code].touches, &touch);
}

void chain_do(struct chain_walk *walk, unsigned does, const char *by, CXCursor where)
{
    chain_touch(walk, (struct touch){.place = {.base = clang_getNullCursor(), .path = ""},
                                     .does = does,
                                     .by = by,
                                     .loc = front_loc(walk->front, where)});
}
