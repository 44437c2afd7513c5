/* chain_expr.c: expressions of host code to touches on places.
 *
 * In: an expression, and what happens to its value or place. Out: touches on the step at hand;
 * calls are chain_call.c's. libclang does not show where a place becomes a value, so that is handed
 * down: a name below an assignment is written, below & its address is taken, else it is read. */
#include "pass/frontend/chain.h"

#include <string.h>

static void all_children(struct chain_walk *walk, CXCursor expression, unsigned does)
{
    struct children children = front_children(walk->front, expression);

    for (int c = 0; c < children.count; c++) {
        if (clang_isExpression(clang_getCursorKind(children.child[c]))) {
            chain_expr(walk, children.child[c], does);
        }
    }
}

/* ---- dats
 * ---------------------------------------------------------------------------------------- */

/* `field` of the record that sets, maps or dats point to: "data" of an op_dat; NULL: of another. */
static const char *field_of_handle(struct front *front, CXCursor expression)
{
    CXCursor inner = front_strip_casts(front, expression);
    CXCursor field = clang_getCursorReferenced(inner);
    const char *record;

    if (clang_getCursorKind(inner) != CXCursor_MemberRefExpr ||
        clang_getCursorKind(field) != CXCursor_FieldDecl) {
        return NULL;
    }
    record = front_spelling(front, clang_getCursorSemanticParent(field));
    if (strcmp(record, "op_dat_core") == 0) {
        return front_spelling(front, field);
    }
    return strcmp(record, "op_set_core") == 0 || strcmp(record, "op_map_core") == 0 ? "" : NULL;
}

static bool is_data(const char *field)
{
    return strcmp(field, "data") == 0 || strcmp(field, "data_d") == 0;
}

/* dat->data itself, or what it points to; `member` is the dat->data. */
static void touch_data(struct chain_walk *walk, CXCursor member, unsigned does)
{
    CXCursor inner = front_strip_casts(walk->front, member);
    struct children children = front_children(walk->front, inner);
    struct touch touch = {.does = does, .by = "data", .loc = front_loc(walk->front, inner)};

    if (children.count == 0) {
        chain_do(walk, DOES_UNKNOWN, "data", inner);
        return;
    }
    touch.place = host_place_of(walk->front, children.child[0]);
    chain_touch(walk, touch);
    chain_expr(walk, children.child[0], DOES_READ);
}

static void touch_field(struct chain_walk *walk, CXCursor member, const char *field, unsigned does)
{
    struct children children = front_children(walk->front, member);

    if (is_data(field)) {
        touch_data(walk, member, DOES_LOOK | DOES_CHANGE);
    } else if (strcmp(field, "dirty_hd") == 0 && (does & (DOES_WRITE | DOES_ADDRESS)) != 0) {
        touch_data(walk, member, DOES_CHANGE);
    } else if (children.count > 0) {
        chain_expr(walk, children.child[0], DOES_READ);
    }
}

/* An access behind a dat's `data` touches the values of that dat and no other variable. Returns
 * false if it is no such access. */
static bool touch_behind_data(struct chain_walk *walk, const struct children *children,
                              unsigned does)
{
    const char *field =
        children->count > 0 ? field_of_handle(walk->front, children->child[0]) : NULL;
    unsigned looks = (does & (DOES_READ | DOES_ADDRESS)) != 0 ? DOES_LOOK : 0;
    unsigned changes = (does & (DOES_WRITE | DOES_ADDRESS)) != 0 ? DOES_CHANGE : 0;

    if (field == NULL || !is_data(field)) {
        return false;
    }
    touch_data(walk, children->child[0], looks | changes);
    for (int c = 1; c < children->count; c++) {
        chain_expr(walk, children->child[c], DOES_READ);
    }
    return true;
}

/* ---- places
 * -------------------------------------------------------------------------------------- */

/* Whether a write through a pointer to this type may change a handle or another pointer: not if the
 * type is arithmetic. */
static bool may_be_handle(CXType type)
{
    enum CXTypeKind kind = clang_getCanonicalType(clang_getNonReferenceType(type)).kind;

    return !((kind >= CXType_Bool && kind <= CXType_LongDouble) || kind == CXType_Enum);
}

void chain_touch_place(struct chain_walk *walk, struct host_place place, unsigned does, CXType type,
                       const char *by, CXCursor where)
{
    struct touch touch = {.place = place,
                          .does = does,
                          .type = clang_getCanonicalType(clang_getNonReferenceType(type)).kind,
                          .by = by != NULL ? by : walk->by,
                          .may_be_handle =
                              place.derefs && (does & DOES_WRITE) != 0 && may_be_handle(type),
                          .loc = front_loc(walk->front, where)};

    if (does != 0 && (place.kind != PLACE_OTHER || place.derefs)) {
        chain_touch(walk, touch);
    }
    if ((does & (DOES_READ | DOES_WRITE)) != 0 && host_is_for_others(type)) {
        chain_do(walk, DOES_UNKNOWN, "a volatile or atomic object", where);
    }
}

static bool is_pointer(CXCursor expression)
{
    return clang_getCanonicalType(clang_getCursorType(expression)).kind == CXType_Pointer;
}

/* Walks the parts of a place: a pointer on the way is read, an array or a record is not. */
static void base_expr(struct chain_walk *walk, CXCursor base)
{
    CXCursor inner = front_strip_casts(walk->front, base);
    bool decays = clang_getCanonicalType(clang_getCursorType(inner)).kind != CXType_Pointer;

    if (is_pointer(base) && !decays) {
        chain_expr(walk, base, DOES_READ);
    } else {
        chain_expr_inner(walk, inner);
    }
}

void chain_expr_inner(struct chain_walk *walk, CXCursor expression)
{
    CXCursor inner = front_strip_casts(walk->front, expression);
    struct children children = front_children(walk->front, inner);
    CXCursor object;
    CXCursor subscript;

    switch (clang_getCursorKind(inner)) {
    case CXCursor_CallExpr:
        if (host_element(walk->front, inner, &object, &subscript)) {
            base_expr(walk, object);
            if (!clang_Cursor_isNull(subscript)) {
                chain_expr(walk, subscript, DOES_READ);
            }
            return;
        }
        break;
    case CXCursor_DeclRefExpr:
    case CXCursor_CXXThisExpr:
        return;
    case CXCursor_MemberRefExpr:
        if (children.count > 0 && clang_isExpression(clang_getCursorKind(children.child[0]))) {
            base_expr(walk, children.child[0]);
        }
        return;
    case CXCursor_ArraySubscriptExpr:
        if (children.count == 2) {
            base_expr(walk, children.child[0]);
            chain_expr(walk, children.child[1], DOES_READ);
            return;
        }
        break;
    case CXCursor_UnaryOperator:
        if (clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_Deref &&
            children.count == 1) {
            base_expr(walk, children.child[0]);
            return;
        }
        break;
    default:
        break;
    }
    chain_expr(walk, inner, DOES_READ);
}

/* Whether the reference names a function or a constant rather than a place; null: the value of a
 * template's parameter. */
static bool is_no_place(CXCursor referenced)
{
    switch (clang_getCursorKind(referenced)) {
    case CXCursor_FunctionDecl:
    case CXCursor_FunctionTemplate:
    case CXCursor_CXXMethod:
    case CXCursor_ConversionFunction:
    case CXCursor_Constructor:
    case CXCursor_Destructor:
    case CXCursor_EnumConstantDecl:
    case CXCursor_NonTypeTemplateParameter:
        return true;
    default:
        return clang_Cursor_isNull(referenced);
    }
}

/* A name, a member, an element, or what a pointer points to. */
static void place_expr(struct chain_walk *walk, CXCursor expression, unsigned does)
{
    enum CXCursorKind kind = clang_getCursorKind(expression);
    const char *field = NULL;

    if ((kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr) &&
        is_no_place(clang_getCursorReferenced(expression))) {
        all_children(walk, expression, DOES_READ);
        return;
    }
    if (kind == CXCursor_MemberRefExpr) {
        field = field_of_handle(walk->front, expression);
    }
    if (field != NULL) {
        touch_field(walk, expression, field, does);
        return;
    }
    if (kind == CXCursor_ArraySubscriptExpr || kind == CXCursor_UnaryOperator) {
        struct children children = front_children(walk->front, expression);

        if (touch_behind_data(walk, &children, does)) {
            return;
        }
    }
    if (kind != CXCursor_DeclRefExpr) {
        chain_expr_inner(walk, expression);
    }
    chain_touch_place(walk, host_place_of(walk->front, expression), does,
                      clang_getCursorType(expression), NULL, expression);
}

/* ---- operators
 * ----------------------------------------------------------------------------------- */

/* An operand that may not be evaluated. */
static void optional_expr(struct chain_walk *walk, CXCursor operand, unsigned does)
{
    int step = chain_begin(walk, STEP_BRANCH, operand, NULL);

    chain_expr(walk, operand, does);
    chain_end(walk, step);
}

/* Evaluates the first operand, then one of the others, or none of them unless `always`. */
static void chosen_operands(struct chain_walk *walk, CXCursor expression,
                            const struct children *children, unsigned does, const char *word,
                            bool always)
{
    int step;

    chain_expr(walk, children->child[0], DOES_READ);
    if (!chain_leads(walk, expression)) {
        for (int c = 1; c < children->count; c++) {
            chain_expr(walk, children->child[c], does);
        }
        return;
    }
    step = chain_begin(walk, STEP_CHOICE, expression, word);
    if (step >= 0) {
        walk->draft->step[step].step.always = always;
    }
    for (int c = 1; c < children->count; c++) {
        optional_expr(walk, children->child[c], does);
    }
    chain_end(walk, step);
}

static void binary_expr(struct chain_walk *walk, CXCursor expression, unsigned does)
{
    struct children children = front_children(walk->front, expression);
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(expression);

    if (children.count != 2) {
        all_children(walk, expression, DOES_READ);
    } else if (kind == CXBinaryOperator_Assign) {
        chain_expr(walk, children.child[1], DOES_READ);
        chain_expr(walk, children.child[0], DOES_WRITE | (does & DOES_ADDRESS));
    } else if (kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr) {
        chosen_operands(walk, expression, &children, DOES_READ,
                        kind == CXBinaryOperator_LAnd ? "&&" : "||", false);
    } else {
        chain_expr(walk, children.child[0], DOES_READ);
        chain_expr(walk, children.child[1], kind == CXBinaryOperator_Comma ? does : DOES_READ);
    }
}

static void unary_expr(struct chain_walk *walk, CXCursor expression, unsigned does)
{
    struct children children = front_children(walk->front, expression);

    switch (clang_getCursorUnaryOperatorKind(expression)) {
    case CXUnaryOperator_PostInc:
    case CXUnaryOperator_PostDec:
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PreDec:
        all_children(walk, expression, DOES_READ | DOES_WRITE | (does & DOES_ADDRESS));
        break;
    case CXUnaryOperator_AddrOf:
        all_children(walk, expression, DOES_ADDRESS);
        break;
    case CXUnaryOperator_Deref:
        if (children.count == 1) {
            place_expr(walk, expression, does);
            break;
        }
        all_children(walk, expression, DOES_READ);
        break;
    default:
        all_children(walk, expression, DOES_READ);
        break;
    }
}

/* ---- C++
 * ----------------------------------------------------------------------------------------- */

/* Creating a lambda runs none of its code; its captures may be touched whenever it is called. */
static void lambda_expr(struct chain_walk *walk, CXCursor lambda)
{
    struct draft *draft = chain_lambda(walk, lambda);

    for (int t = 0; draft != NULL && t < draft->summary.count; t++) {
        struct touch touch = draft->summary.touch[t];

        if ((touch.does & DOES_NOWHERE) == 0 && touch.place.kind == PLACE_VARIABLE) {
            touch.does = DOES_READ | DOES_ADDRESS;
            chain_touch(walk, touch);
        }
    }
    if (draft == NULL) {
        chain_do(walk, DOES_UNKNOWN, "a lambda", lambda);
    }
}

static void delete_expr(struct chain_walk *walk, CXCursor expression)
{
    struct children children = front_children(walk->front, expression);
    CXType type = {CXType_Invalid, {NULL, NULL}};

    if (children.count > 0) {
        type = clang_getCanonicalType(clang_getPointeeType(
            clang_getCanonicalType(clang_getCursorType(children.child[children.count - 1]))));
    }
    if (type.kind == CXType_Record && !clang_isPODType(type)) {
        chain_do(walk, DOES_UNKNOWN, "a destructor", expression);
    }
    all_children(walk, expression, DOES_READ);
}

/* ---- all
 * ----------------------------------------------------------------------------------------- */

/* An expression that libclang has no cursor for: loops inside run in any order, any number of
 * times. */
static void unknown_expr(struct chain_walk *walk, CXCursor expression)
{
    bool leads = chain_leads(walk, expression);
    int step = leads ? chain_begin(walk, STEP_REPEAT, expression, "control that is not known") : -1;

    chain_do(walk, DOES_UNKNOWN, "an expression that is not known", expression);
    all_children(walk, expression, DOES_READ | DOES_ADDRESS);
    if (leads) {
        chain_end(walk, step);
    }
}

/* Walks a cast or parentheses. An array that becomes a pointer has its address taken. */
static void wrapped_expr(struct chain_walk *walk, CXCursor expression, unsigned does)
{
    struct children children = front_children(walk->front, expression);

    if (children.count > 1 && clang_isExpression(clang_getCursorKind(children.child[0])) &&
        chain_leads(walk, expression)) { /* a ?: b of GNU C, and its kind */
        unknown_expr(walk, expression);
        return;
    }
    for (int c = 0; c < children.count; c++) {
        CXType type = clang_getCanonicalType(clang_getCursorType(children.child[c]));
        bool decays = is_pointer(expression) &&
                      (type.kind == CXType_ConstantArray || type.kind == CXType_VariableArray ||
                       type.kind == CXType_IncompleteArray);

        if (clang_isExpression(clang_getCursorKind(children.child[c]))) {
            chain_expr(walk, children.child[c], decays ? DOES_ADDRESS : does);
        }
    }
}

/* Kinds of expressions that only evaluate their children. */
static bool is_harmless(enum CXCursorKind kind)
{
    return kind == CXCursor_InitListExpr || kind == CXCursor_CompoundLiteralExpr ||
           kind == CXCursor_CXXNewExpr; /* the constructor is a call below it */
}

static void special_expr(struct chain_walk *walk, CXCursor expression, unsigned does)
{
    struct children children;

    switch (clang_getCursorKind(expression)) {
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_ImaginaryLiteral:
    case CXCursor_StringLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_CXXBoolLiteralExpr:
    case CXCursor_CXXNullPtrLiteralExpr:
    case CXCursor_GNUNullExpr:
    case CXCursor_CXXThisExpr:
    case CXCursor_SizeOfPackExpr:
    case CXCursor_AddrLabelExpr:
    case CXCursor_UnaryExpr: /* sizeof and its kind */
    case CXCursor_CXXTypeidExpr:
        return;
    case CXCursor_ConditionalOperator:
        children = front_children(walk->front, expression);
        if (children.count == 3) {
            chosen_operands(walk, expression, &children, does, "?:", true);
            return;
        }
        break;
    case CXCursor_StmtExpr:
        children = front_children(walk->front, expression);
        for (int c = 0; c < children.count; c++) {
            chain_stmt(walk, children.child[c]);
        }
        return;
    case CXCursor_LambdaExpr:
        lambda_expr(walk, expression);
        return;
    case CXCursor_CXXDeleteExpr:
        delete_expr(walk, expression);
        return;
    case CXCursor_CXXThrowExpr:
        all_children(walk, expression, DOES_READ);
        if (walk->draft->leads_to_loops) {
            chain_add(walk, STEP_LEAVE, expression, "throw");
        } else {
            chain_do(walk, DOES_UNKNOWN, "throw", expression);
        }
        return;
    default:
        break;
    }
    if (is_harmless(clang_getCursorKind(expression))) {
        all_children(walk, expression, DOES_READ);
    } else {
        unknown_expr(walk, expression);
    }
}

void chain_expr(struct chain_walk *walk, CXCursor expression, unsigned does)
{
    switch (clang_getCursorKind(expression)) {
    case CXCursor_UnexposedExpr:
    case CXCursor_ParenExpr:
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXConstCastExpr:
    case CXCursor_CXXReinterpretCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
        wrapped_expr(walk, expression, does);
        return;
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRefExpr:
    case CXCursor_ArraySubscriptExpr:
        place_expr(walk, expression, does);
        return;
    case CXCursor_CallExpr:
        chain_call(walk, expression, does);
        return;
    case CXCursor_BinaryOperator:
        binary_expr(walk, expression, does);
        return;
    case CXCursor_CompoundAssignOperator: {
        struct children children = front_children(walk->front, expression);

        if (children.count == 2) {
            chain_expr(walk, children.child[1], DOES_READ);
            chain_expr(walk, children.child[0], DOES_READ | DOES_WRITE | (does & DOES_ADDRESS));
        }
        return;
    }
    case CXCursor_UnaryOperator:
        unary_expr(walk, expression, does);
        return;
    default:
        special_expr(walk, expression, does);
        return;
    }
}
