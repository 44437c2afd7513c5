/* reference.c: C++'s references and structured bindings, which the trees do not have.
 *
 * A reference becomes a pointer that is dereferenced wherever it is named: int &r = x[0] is
 * int *r = &x[0], and f(a) of a parameter double & is f(&a). If nothing can change the
 * object, the reference becomes a plain value: parameters const T & of a helper that writes through
 * no pointer and returns none, and locals bound to a temporary or to a constant.
 */
#include "pass/frontend/util.h"

bool front_is_reference(CXType type)
{
    CXType canonical = clang_getCanonicalType(type);

    return canonical.kind == CXType_LValueReference || canonical.kind == CXType_RValueReference;
}

CXType front_without_reference(CXType type)
{
    return front_is_reference(type) ? clang_getPointeeType(clang_getCanonicalType(type)) : type;
}

bool front_has_references(CXCursor function)
{
    for (int k = 0; k < clang_Cursor_getNumArguments(function); k++) {
        if (front_is_reference(
                clang_getCursorType(clang_Cursor_getArgument(function, (unsigned)k)))) {
            return true;
        }
    }
    return front_is_reference(clang_getCursorResultType(function));
}

/* ---- signatures ---------------------------------------------------------------------------------
 */

static bool holds_pointer(const struct type *type)
{
    while (type->kind == TYPE_ARRAY) {
        type = type->elem;
    }
    for (int f = 0; type->kind == TYPE_RECORD && f < type->record->fields; f++) {
        if (holds_pointer(type->record->field[f].type)) {
            return true;
        }
    }
    return type->kind == TYPE_POINTER;
}

/* Whether a function can change something through a parameter of this type. */
static bool may_write(struct body *body, CXType type)
{
    CXType canonical = clang_getCanonicalType(type);
    struct refusal refusal = {0};
    const struct type *own;
    bool is_address = canonical.kind == CXType_Pointer || front_is_reference(canonical);

    if (is_address && !clang_isConstQualifiedType(clang_getPointeeType(canonical))) {
        return true;
    }
    own =
        front_type(body->front, is_address ? clang_getPointeeType(canonical) : canonical, &refusal);
    return own == NULL || holds_pointer(own);
}

/* Whether the function changes nothing that its caller sees and returns no place. */
static bool only_reads(struct body *body, CXCursor definition)
{
    CXType result = clang_getCanonicalType(clang_getCursorResultType(definition));

    if (result.kind != CXType_Void && may_write(body, result)) {
        return false;
    }
    if (result.kind == CXType_Pointer) {
        return false;
    }
    for (int k = 0; k < clang_Cursor_getNumArguments(definition); k++) {
        CXCursor param = clang_Cursor_getArgument(definition, (unsigned)k);

        if (may_write(body, clang_getCursorType(param))) {
            return false;
        }
    }
    return true;
}

/* Returns the type that stands for a reference in a signature: a value or a pointer. */
static const struct type *signature_type(struct body *body, CXCursor definition, CXCursor where,
                                         CXType type, bool *is_address)
{
    CXType referent = front_without_reference(type);
    const struct type *own = body_type_of(body, where, referent);
    bool is_array = own != NULL && own->kind == TYPE_ARRAY;

    *is_address = true;
    if (own == NULL) {
        return NULL;
    }
    if (clang_getCanonicalType(type).kind == CXType_RValueReference) {
        body_refuse(body, where, "a reference to a temporary");
    } else if (own->kind == TYPE_POINTER) {
        body_refuse(body, where, "a reference to a pointer");
    } else if (clang_isConstQualifiedType(referent) && !is_array && only_reads(body, definition)) {
        *is_address = false;
        return own;
    }
    body->entry->passes_addresses = true;
    return front_pointer(body->front, own);
}

const struct type *body_result_type(struct body *body, CXCursor definition)
{
    CXType type = clang_getCursorResultType(definition);
    struct function_entry *entry = body->entry;
    const struct type *result;

    if (!front_is_reference(type)) {
        return body_type_of(body, definition, type);
    }
    result = signature_type(body, definition, definition, type, &entry->result_by_address);
    entry->result_copied = !entry->result_by_address;
    return result;
}

const struct type *body_param_type(struct body *body, CXCursor definition, CXCursor param, int k)
{
    CXType type = clang_getCursorType(param);

    if (!front_is_reference(type)) {
        return body_type_of(body, param, type);
    }
    return signature_type(body, definition, param, type, &body->entry->by_address[k]);
}

/* ---- places -------------------------------------------------------------------------------------
 */

bool body_is_reference(const struct body *body, const struct var *var)
{
    for (int v = 0; v < body->locals; v++) {
        if (body->local[v].var == var) {
            return body->local[v].is_reference;
        }
    }
    return false;
}

struct expr *body_dereferenced(struct body *body, CXCursor where, struct expr *address)
{
    struct expr *expr;

    if (address->kind == EXPR_UNARY && address->unary == UNARY_ADDRESS) {
        return address->kid[0];
    }
    expr = body_new_expr(body, EXPR_UNARY, where, address->type->elem, 1);
    expr->unary = UNARY_DEREF;
    expr->kid[0] = address;
    return expr;
}

static bool is_lvalue(const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_VAR:
        return true;
    case EXPR_INDEX:
    case EXPR_MEMBER:
        return expr->kid[0]->type->kind == TYPE_POINTER || is_lvalue(expr->kid[0]);
    case EXPR_UNARY:
        return expr->unary == UNARY_DEREF;
    case EXPR_COND:
        return type_same(expr->kid[1]->type, expr->kid[2]->type) && is_lvalue(expr->kid[1]) &&
               is_lvalue(expr->kid[2]);
    default:
        return false;
    }
}

struct expr *body_address_of(struct body *body, CXCursor where, struct expr *place)
{
    const struct type *type = front_pointer(body->front, place->type);
    struct expr *expr;

    if (place->kind == EXPR_UNARY && place->unary == UNARY_DEREF) {
        return place->kid[0];
    }
    if (place->kind == EXPR_BINARY) { /* a temporary that is set here */
        expr = body_new_expr(body, EXPR_BINARY, where, type, 2);
        expr->binary = BINARY_COMMA;
        expr->kid[0] = place->kid[0];
        expr->kid[1] = body_address_of(body, where, place->kid[1]);
        return expr;
    }
    if (place->kind == EXPR_COND) {
        expr = body_new_expr(body, EXPR_COND, where, type, 3);
        expr->kid[0] = place->kid[0];
        for (int k = 1; k < 3; k++) {
            expr->kid[k] = body_convert(body, body_address_of(body, where, place->kid[k]), type);
        }
        return expr;
    }
    expr = body_new_expr(body, EXPR_UNARY, where, type, 1);
    expr->unary = UNARY_ADDRESS;
    expr->kid[0] = place;
    return expr;
}

static bool is_cast(CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);

    return kind == CXCursor_CStyleCastExpr || kind == CXCursor_CXXStaticCastExpr ||
           kind == CXCursor_CXXReinterpretCastExpr || kind == CXCursor_CXXConstCastExpr ||
           kind == CXCursor_CXXFunctionalCastExpr;
}

/* Whether the cursor copies an object: in the tree a copy looks like the object. */
static bool is_copy(CXCursor cursor)
{
    return clang_getCursorKind(cursor) == CXCursor_CallExpr &&
           clang_getCursorKind(clang_getCursorReferenced(cursor)) == CXCursor_Constructor;
}

static bool is_changed_place(const struct expr *expr)
{
    return expr->kind == EXPR_ASSIGN ||
           (expr->kind == EXPR_BINARY && expr->binary == BINARY_COMMA) ||
           (expr->kind == EXPR_UNARY &&
            (expr->unary == UNARY_PRE_INC || expr->unary == UNARY_PRE_DEC));
}

/* Whether a call returns a reference of which the tree has only the value: a call of a helper, or
 * of std::max and similar functions. */
static bool is_copied_result(struct body *body, CXCursor inner, const struct expr *expr)
{
    const struct function_entry *entry;

    if (expr->kind != EXPR_CALL) {
        return false;
    }
    if (expr->callee->kind == FUNCTION_MATH) {
        return front_is_reference(clang_getCursorResultType(clang_getCursorReferenced(inner)));
    }
    entry = front_function_entry(body->front, expr->callee);
    return entry != NULL && entry->result_copied;
}

/* Returns what a reference is bound to. *is_place: an object that lives on, else a temporary. */
static struct expr *bound(struct body *body, CXCursor cursor, bool *is_place)
{
    CXCursor inner = front_strip(body->front, cursor);
    struct expr *expr = body_expr(body, cursor);

    if (expr == NULL) {
        return NULL;
    }
    *is_place = is_lvalue(expr) && !is_copy(inner);
    if (is_cast(inner) && clang_Cursor_isNull(front_literal_braces(body->front, inner)) &&
        (*is_place || (expr->kind == EXPR_CAST && type_same(expr->type, expr->kid[0]->type)))) {
        return body_refuse(body, cursor, "a reference to a cast");
    }
    if (is_changed_place(expr)) {
        return body_refuse(body, cursor, "a reference to the value of an assignment");
    }
    if (is_copied_result(body, inner, expr)) {
        return body_refuse(body, cursor, "a reference to what a call returns by reference");
    }
    return expr;
}

struct expr *body_passed_address(struct body *body, CXCursor given, const struct type *type)
{
    bool is_place = false;
    struct expr *expr = bound(body, given, &is_place);

    if (expr != NULL && !is_place) {
        expr = body_temporary(body, given, body_convert(body, expr, type->elem));
        if (expr == NULL || !type->elem->is_const) {
            return body_refuse(body, given, "a reference to a temporary");
        }
    }
    return expr != NULL ? body_convert(body, body_address_of(body, given, expr), type) : NULL;
}

struct expr *body_returned_address(struct body *body, CXCursor value)
{
    bool is_place = false;
    struct expr *expr = bound(body, value, &is_place);

    if (expr == NULL || !is_place) {
        return expr == NULL ? NULL : body_refuse(body, value, "a reference to a temporary");
    }
    return body_convert(body, body_address_of(body, value, expr), body->entry->function->result);
}

/* ---- locals -------------------------------------------------------------------------------------
 */

/* Whether the value is a component of a constant object or of a global: it does not change during
 * the loop. */
static bool is_unchanging(const struct expr *expr)
{
    while (expr->kind == EXPR_INDEX || expr->kind == EXPR_MEMBER) {
        expr = expr->kid[0];
    }
    return expr->kind == EXPR_VAR &&
           (expr->var->storage == STORAGE_GLOBAL || expr->var->storage == STORAGE_TABLE);
}

static bool is_value_list(CXCursor initialiser, const struct type *type)
{
    return clang_getCursorKind(initialiser) == CXCursor_InitListExpr &&
           (type->kind == TYPE_ARRAY || type->kind == TYPE_RECORD);
}

/* T &r{x} is T &r = x. */
static CXCursor unbraced(struct body *body, CXCursor initialiser, const struct type *type)
{
    struct children children = front_children(body->front, initialiser);

    return clang_getCursorKind(initialiser) == CXCursor_InitListExpr && children.count == 1 &&
                   !is_value_list(initialiser, type)
               ? children.child[0]
               : initialiser;
}

bool body_declare_reference(struct body *body, CXCursor cursor, struct stmt_list *list)
{
    CXCursor initialiser = clang_Cursor_getVarDeclInitializer(cursor);
    CXType referent = front_without_reference(clang_getCursorType(cursor));
    const struct type *type = body_type_of(body, cursor, referent);
    bool is_place = false;
    struct stmt *stmt;
    struct expr *expr;

    if (type == NULL || type->kind == TYPE_POINTER || clang_Cursor_isNull(initialiser)) {
        return body_refuse(body, cursor, "a reference to a pointer") != NULL;
    }
    initialiser = unbraced(body, initialiser, type);
    expr = bound(body, initialiser, &is_place);
    if (expr == NULL) {
        return false;
    }
    stmt = body_new_stmt(body, STMT_DECL, cursor, 0);
    if (is_place && !(type->is_const && type->kind <= TYPE_DOUBLE && is_unchanging(expr))) {
        stmt->var = body_local(body, cursor, front_pointer(body->front, type));
        stmt->var->init =
            body_convert(body, body_address_of(body, initialiser, expr), stmt->var->type);
        body->local[body->locals - 1].is_reference = true;
    } else {
        stmt->var = body_local(body, cursor, type);
        stmt->var->init = body_convert(body, expr, type);
    }
    body_append(body, list, stmt);
    return true;
}

/* ---- structured bindings ------------------------------------------------------------------------
 */

static bool declare_whole(struct body *body, CXCursor cursor, CXCursor value,
                          struct stmt_list *list)
{
    const struct type *type = body_type(body, cursor);
    struct stmt *stmt;

    if (type == NULL) {
        return false;
    }
    stmt = body_new_stmt(body, STMT_DECL, cursor, 0);
    stmt->var = body_local(body, cursor, type);
    stmt->var->init = body_initialiser(body, value, type);
    body_append(body, list, stmt);
    return stmt->var->init != NULL;
}

bool body_declare_parts(struct body *body, CXCursor cursor, struct stmt_list *list)
{
    struct children children = front_children(body->front, cursor);
    bool is_reference = front_is_reference(clang_getCursorType(cursor));
    struct var *whole;

    if (children.count < 2 || clang_getCursorKind(children.child[0]) != CXCursor_UnexposedDecl ||
        !clang_isExpression(clang_getCursorKind(children.child[children.count - 1]))) {
        return body_refuse_everywhere(body, cursor, "a declaration of a kind that is not known") !=
               NULL;
    }
    if (!(is_reference ? body_declare_reference(body, cursor, list)
                       : declare_whole(body, cursor, children.child[children.count - 1], list))) {
        return false;
    }
    whole = list->stmt[list->count - 1]->var;
    whole->name = body_new_var(body, cursor, "parts", whole->type)->name;
    is_reference = body_is_reference(body, whole);
    for (int c = 0; c + 1 < children.count; c++) {
        struct local *local;

        body_local(body, children.child[c], whole->type);
        local = &body->local[body->locals - 1];
        *local = (struct local){children.child[c], whole, is_reference, true, c};
    }
    return true;
}

struct expr *body_part(struct body *body, CXCursor where, CXCursor declaration)
{
    for (int v = 0; v < body->locals; v++) {
        const struct local *local = &body->local[v];
        struct expr *whole;
        struct expr *at;

        if (!local->is_part || !front_same(local->cursor, declaration)) {
            continue;
        }
        whole = body_named(body, where, local->var);
        whole = local->is_reference ? body_dereferenced(body, where, whole) : whole;
        if (whole->type->kind == TYPE_RECORD && local->part < whole->type->record->fields) {
            return body_field(body, where, whole, local->part);
        }
        if (whole->type->kind != TYPE_ARRAY) {
            return NULL;
        }
        at = body_new_expr(body, EXPR_INT, where, front_basic(body->front, TYPE_INT, false), 0);
        at->bits = (unsigned long long)local->part;
        return body_element(body, where, whole, at);
    }
    return NULL;
}
