/* chain_repeat.c: for, while and do of host code to steps, with how often they run.
 *
 * In: a repetition. Out: a STEP_REPEAT with the steps of its condition, its body and its step
 * expression in the order in which they run. libclang leaves out the parts of a `for` that are not
 * written: where one is missing, what is there stands before the repetition, and inside of it
 * before and behind the body.
 */
#include "pass/frontend/chain.h"

#include <limits.h>

/* ---- how often
 * ----------------------------------------------------------------------------------- */

/* for (variable = first; variable `test` last; variable += by) */
struct count {
    CXCursor variable;
    long long first;
    enum CXBinaryOperatorKind test;
    long long last;
    long long by;
};

static bool is_small(unsigned long long bits, long long *value)
{
    *value = (long long)bits;
    return *value >= INT_MIN && *value <= INT_MAX;
}

static bool constant(CXCursor cursor, long long *value)
{
    unsigned long long bits;

    return front_integer(cursor, &bits) && is_small(bits, value);
}

static bool names(struct front *front, CXCursor expression, CXCursor variable)
{
    CXCursor inner = front_strip(front, expression);

    return clang_getCursorKind(inner) == CXCursor_DeclRefExpr &&
           front_same(clang_getCanonicalCursor(clang_getCursorReferenced(inner)), variable);
}

/* A narrower counter may wrap before it reaches its end. */
static bool is_integer(CXCursor variable, bool *is_unsigned)
{
    enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(variable)).kind;

    *is_unsigned = kind == CXType_UInt || kind == CXType_ULong || kind == CXType_ULongLong;
    return *is_unsigned || kind == CXType_Int || kind == CXType_Long || kind == CXType_LongLong;
}

/* `int k = 0` or `k = 0` */
static bool read_start(struct front *front, CXCursor start, struct count *count)
{
    struct children children = front_children(front, start);
    struct children parts;

    if (clang_getCursorKind(start) == CXCursor_DeclStmt && children.count == 1 &&
        clang_getCursorKind(children.child[0]) == CXCursor_VarDecl) {
        count->variable = clang_getCanonicalCursor(children.child[0]);
        parts = front_children(front, children.child[0]);
        return parts.count > 0 && constant(parts.child[parts.count - 1], &count->first);
    }
    if (clang_getCursorBinaryOperatorKind(start) != CXBinaryOperator_Assign ||
        children.count != 2) {
        return false;
    }
    count->variable =
        clang_getCanonicalCursor(clang_getCursorReferenced(front_strip(front, children.child[0])));
    return clang_getCursorKind(count->variable) == CXCursor_VarDecl &&
           constant(children.child[1], &count->first);
}

static bool read_test(struct front *front, CXCursor test, struct count *count)
{
    CXCursor inner = front_strip(front, test);
    struct children children = front_children(front, inner);

    count->test = clang_getCursorBinaryOperatorKind(inner);
    return children.count == 2 && names(front, children.child[0], count->variable) &&
           constant(children.child[1], &count->last);
}

static bool read_step(struct front *front, CXCursor step, struct count *count)
{
    CXCursor inner = front_strip(front, step);
    struct children children = front_children(front, inner);
    bool found = false;

    if (children.count == 0 || !names(front, children.child[0], count->variable)) {
        return false;
    }
    switch (clang_getCursorUnaryOperatorKind(inner)) {
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PostInc:
        count->by = 1;
        return true;
    case CXUnaryOperator_PreDec:
    case CXUnaryOperator_PostDec:
        count->by = -1;
        return true;
    default:
        break;
    }
    if (children.count == 2) {
        enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(inner);

        found = (kind == CXBinaryOperator_AddAssign || kind == CXBinaryOperator_SubAssign) &&
                constant(children.child[1], &count->by);
        count->by = kind == CXBinaryOperator_SubAssign ? -count->by : count->by;
    }
    return found;
}

/* -1: not known. */
static long trips(const struct count *count)
{
    long long last = count->last;
    long long run;

    switch (count->test) {
    case CXBinaryOperator_LT:
        last--;
        break;
    case CXBinaryOperator_GT:
        last++;
        break;
    case CXBinaryOperator_NE:
        if (count->by == 0 || (last - count->first) % count->by != 0) {
            return -1;
        }
        last -= count->by;
        break;
    case CXBinaryOperator_LE:
    case CXBinaryOperator_GE:
        break;
    default:
        return -1;
    }
    /* A loop that counts away from its end runs until its variable overflows. */
    if (count->by == 0 || (count->test != CXBinaryOperator_NE &&
                           (count->test == CXBinaryOperator_LT ||
                            count->test == CXBinaryOperator_LE) != (count->by > 0))) {
        return -1;
    }
    run = (last - count->first) / count->by + 1;
    if ((count->by > 0 ? last < count->first : last > count->first)) {
        return count->test == CXBinaryOperator_NE && last + count->by != count->first ? -1 : 0;
    }
    return (long)run;
}

/* ---- the repetitions
 * ----------------------------------------------------------------------------- */

static void set_trips(struct chain_walk *walk, int step, long trips, bool always)
{
    if (step >= 0) {
        walk->draft->step[step].step.trips = trips;
        walk->draft->step[step].step.always = always || trips > 0;
    }
}

static void body(struct chain_walk *walk, CXCursor repeat, CXCursor statement)
{
    chain_stmt(walk, statement);
    if (walk->continues) {
        chain_add(walk, STEP_NEXT, repeat, NULL);
    }
}

static void while_statement(struct chain_walk *walk, CXCursor repeat,
                            const struct children *children)
{
    int last = children->count - 1;
    int step = chain_begin(walk, STEP_REPEAT, repeat, "while");

    for (int c = 0; c < last; c++) {
        chain_stmt(walk, children->child[c]);
    }
    body(walk, repeat, children->child[last]);
    chain_end(walk, step);
}

static void do_statement(struct chain_walk *walk, CXCursor repeat, const struct children *children)
{
    int step = chain_begin(walk, STEP_REPEAT, repeat, "do");
    long long again = 1;
    bool once = children->count == 2 && constant(children->child[1], &again) && again == 0;

    body(walk, repeat, children->child[0]);
    for (int c = 1; c < children->count; c++) {
        chain_stmt(walk, children->child[c]);
    }
    set_trips(walk, step, once ? 1 : -1, true);
    chain_end(walk, step);
}

/* Whether the first part has no semicolon before it, as in `for (; type name = value; step)`. */
static bool begins_with_start(struct chain_walk *walk, const struct children *children)
{
    return walk->front->program->language == LANGUAGE_C ||
           (clang_getCursorKind(children->child[0]) != CXCursor_VarDecl &&
            clang_getCursorKind(children->child[1]) != CXCursor_VarDecl);
}

static void whole_for(struct chain_walk *walk, CXCursor repeat, const struct children *children)
{
    CXCursor *part = children->child;
    struct count count = {.variable = clang_getNullCursor()};
    struct counter counter = {.outer = walk->counter};
    bool is_unsigned = false;
    bool is_counted =
        read_start(walk->front, part[0], &count) && is_integer(count.variable, &is_unsigned) &&
        read_test(walk->front, part[1], &count) && read_step(walk->front, part[2], &count) &&
        !(is_unsigned && count.by < 0) && clang_Cursor_hasVarDeclGlobalStorage(count.variable) != 1;
    int step;

    chain_stmt(walk, part[0]);
    step = chain_begin(walk, STEP_REPEAT, repeat, "for");
    chain_stmt(walk, part[1]);
    counter.variable = count.variable;
    walk->counter = is_counted ? &counter : walk->counter;
    body(walk, repeat, part[3]);
    walk->counter = counter.outer;
    chain_stmt(walk, part[2]);
    set_trips(walk, step, is_counted && !counter.is_written ? trips(&count) : -1, false);
    chain_end(walk, step);
}

static void partial_for(struct chain_walk *walk, CXCursor repeat, const struct children *children)
{
    int last = children->count - 1;
    int step;

    for (int c = 0; c < last; c++) {
        chain_stmt(walk, children->child[c]);
    }
    step = chain_begin(walk, STEP_REPEAT, repeat, "for");
    for (int c = 0; c < last; c++) {
        chain_stmt(walk, children->child[c]);
    }
    body(walk, repeat, children->child[last]);
    for (int c = 0; c < last; c++) {
        chain_stmt(walk, children->child[c]);
    }
    chain_end(walk, step);
}

/* begin(), end(), ++ and * of a user's class are in no part that libclang shows. */
static bool is_range_of_user(const struct children *children)
{
    for (int c = 0; c + 1 < children->count; c++) {
        CXType type = clang_getCanonicalType(
            clang_getNonReferenceType(clang_getCursorType(children->child[c])));

        if (type.kind == CXType_Record && !front_in_system(clang_getTypeDeclaration(type))) {
            return true;
        }
    }
    return false;
}

static void range_for(struct chain_walk *walk, CXCursor repeat, const struct children *children)
{
    int last = children->count - 1;
    int step = chain_begin(walk, STEP_REPEAT, repeat, "for");

    if (is_range_of_user(children)) {
        chain_do(walk, DOES_UNKNOWN, "the range of a for", repeat);
    }
    for (int c = 0; c < last; c++) {
        chain_stmt(walk, children->child[c]);
    }
    body(walk, repeat, children->child[last]);
    chain_end(walk, step);
}

void chain_repeat(struct chain_walk *walk, CXCursor repeat)
{
    struct children children = front_children(walk->front, repeat);
    enum CXCursorKind kind = clang_getCursorKind(repeat);
    bool outer = walk->continues;

    walk->continues = false;
    if (children.count == 0) {
        chain_do(walk, DOES_UNKNOWN, "control that is not known", repeat);
    } else if (kind == CXCursor_WhileStmt) {
        while_statement(walk, repeat, &children);
    } else if (kind == CXCursor_DoStmt) {
        do_statement(walk, repeat, &children);
    } else if (kind == CXCursor_CXXForRangeStmt) {
        range_for(walk, repeat, &children);
    } else if (children.count == 4 && begins_with_start(walk, &children)) {
        whole_for(walk, repeat, &children);
    } else {
        partial_for(walk, repeat, &children);
    }
    walk->continues = outer;
}
