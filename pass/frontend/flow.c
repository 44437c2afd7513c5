/* flow.c: translates control flow that the loop IR spells in another form.
 *
 * In: the cursor of an `if`, `while`, `switch` or `for` over a range. Out: its tree, or NULL after
 * body_refuse(). Declarations in a header move into a block around the statement. A `while` that
 * declares tests inside its body. A `for` over an array becomes one that counts. The labels of a
 * `switch`, which libclang nests, stand side by side in its block.
 */
#include "pass/frontend/util.h"

static struct stmt *around(struct body *body, CXCursor cursor, struct stmt_list *list,
                           struct stmt *stmt)
{
    if (stmt == NULL || list->count == 0) {
        return stmt;
    }
    body_append(body, list, stmt);
    return body_block_of(body, cursor, list);
}

/* ---- if and while -------------------------------------------------------------------------------
 */

static bool declares(CXCursor cursor)
{
    return clang_getCursorKind(cursor) == CXCursor_DeclStmt ||
           clang_getCursorKind(cursor) == CXCursor_VarDecl;
}

/* `if (start; condition)` and `if (type name = value)`: reads what stands before the condition, and
 * returns how many children that was; -1 after body_refuse(). */
static int read_start(struct body *body, const struct children *children, struct stmt_list *list)
{
    int c = 0;

    while (c < children->count) {
        enum CXCursorKind kind = clang_getCursorKind(children->child[c]);
        bool read;

        if (kind == CXCursor_DeclStmt) {
            body->if_starts--;
            read = body_declaration(body, children->child[c], list);
        } else if (kind == CXCursor_VarDecl) {
            read = body_declare_variable(body, children->child[c], list);
        } else {
            return c;
        }
        if (!read) {
            return -1;
        }
        c++;
    }
    return c;
}

static struct stmt *plain_if(struct body *body, CXCursor cursor, const CXCursor *part, int parts)
{
    struct stmt *stmt;

    if (parts < 2 || parts > 3) {
        return body_refuse(body, cursor, "an if of an unknown kind");
    }
    stmt = body_new_stmt(body, STMT_IF, cursor, parts - 1);
    stmt->expr = body_expr(body, part[0]);
    for (int k = 0; k < stmt->kids && body->refusal.reason == NULL; k++) {
        stmt->kid[k] = body_substatement(body, part[k + 1]);
    }
    return body->refusal.reason == NULL ? stmt : NULL;
}

struct stmt *body_if(struct body *body, CXCursor cursor)
{
    struct children children = front_children(body->front, cursor);
    struct stmt_list *outer = body->before;
    struct stmt_list list = {0};
    struct stmt *stmt = NULL;
    int start;

    if (children.count > 0 && declares(children.child[0])) {
        body->before = &list;
    }
    start = read_start(body, &children, &list);
    if (start >= 0) {
        stmt = plain_if(body, cursor, children.child + start, children.count - start);
    }
    body->before = outer;
    return around(body, cursor, &list, stmt);
}

/* while (type name = value) body: for (;;) { type name = value; if (!name) break; body } */
static struct stmt *declaring_while(struct body *body, CXCursor cursor,
                                    const struct children *children)
{
    struct stmt *stmt = body_new_stmt(body, STMT_FOR, cursor, 2);
    struct stmt *leave = body_new_stmt(body, STMT_IF, cursor, 1);
    struct stmt_list *outer = body->before;
    struct stmt_list list = {0};
    struct expr *test = NULL;
    struct stmt *inner;

    body->before = &list;
    if (body_declare_variable(body, children->child[0], &list)) {
        test = body_expr(body, children->child[1]);
    }
    body->before = outer;
    if (test == NULL) {
        return NULL;
    }
    leave->expr = body_new_expr(body, EXPR_UNARY, cursor, test->type, 1);
    leave->expr->unary = UNARY_NOT;
    leave->expr->kid[0] = test;
    leave->kid[0] = body_new_stmt(body, STMT_BREAK, cursor, 0);
    body_append(body, &list, leave);
    inner = body_substatement(body, children->child[2]);
    if (inner == NULL) {
        return NULL;
    }
    body_append(body, &list, inner);
    stmt->kid[0] = body_new_stmt(body, STMT_NOTHING, cursor, 0);
    stmt->kid[1] = body_block_of(body, cursor, &list);
    return stmt;
}

struct stmt *body_while(struct body *body, CXCursor cursor)
{
    struct children children = front_children(body->front, cursor);
    struct stmt *stmt;

    if (children.count == 3 && clang_getCursorKind(children.child[0]) == CXCursor_VarDecl) {
        return declaring_while(body, cursor, &children);
    }
    if (children.count != 2) {
        return body_refuse(body, cursor, "a while of an unknown kind");
    }
    stmt = body_new_stmt(body, STMT_WHILE, cursor, 1);
    stmt->expr = body_repeated(body, children.child[0]);
    stmt->kid[0] = stmt->expr != NULL ? body_substatement(body, children.child[1]) : NULL;
    return stmt->kid[0] != NULL ? stmt : NULL;
}

/* ---- switch -------------------------------------------------------------------------------------
 */

static struct expr *label_value(struct body *body, CXCursor cursor, const struct type *type)
{
    unsigned long long bits;
    struct expr *value;

    if (!front_integer(cursor, &bits)) {
        return body_refuse(body, cursor, "a case whose value is not known");
    }
    value = body_new_expr(body, EXPR_INT, cursor, front_basic(body->front, type->kind, false), 0);
    value->bits = bits;
    return value;
}

/* Appends the labels that stand at *cursor, and moves it to the statement behind them. */
static bool read_labels(struct body *body, CXCursor *cursor, const struct type *type,
                        struct stmt_list *list)
{
    enum CXCursorKind kind = clang_getCursorKind(*cursor);

    while (kind == CXCursor_CaseStmt || kind == CXCursor_DefaultStmt) {
        struct children children = front_children(body->front, *cursor);
        struct stmt *label = body_new_stmt(body, STMT_CASE, *cursor, 0);
        int values = kind == CXCursor_CaseStmt ? children.count - 1 : 0;

        if (children.count < 1 || values > 2 || (kind == CXCursor_CaseStmt && values < 1)) {
            return body_refuse(body, *cursor, "a case of an unknown kind") != NULL;
        }
        if (values > 0) {
            label->expr = label_value(body, children.child[0], type);
        }
        if (values > 1) {
            label->step = label_value(body, children.child[1], type);
        }
        body_append(body, list, label);
        *cursor = children.child[children.count - 1];
        kind = clang_getCursorKind(*cursor);
    }
    return body->refusal.reason == NULL;
}

/* A jump to a later case passes this declaration: the variable is declared before the switch, and
 * set at the place of the declaration, because in C++ no jump may pass an initialiser. */
static struct stmt *passed_declaration(struct body *body, CXCursor cursor, struct stmt *stmt,
                                       struct stmt_list *before)
{
    struct var *var = stmt->var;
    struct expr *value = var->init;
    struct expr *set = NULL;

    if (value != NULL) {
        set = body_set_later(body, cursor, var, value);
        if (set == NULL) {
            return body_refuse(body, cursor, "a jump past a declaration");
        }
    }
    var->name = body_new_var(body, cursor, var->name, var->type)->name;
    var->init = NULL;
    body_append(body, before, stmt);
    return set != NULL ? body_expr_stmt(body, cursor, set)
                       : body_new_stmt(body, STMT_NOTHING, cursor, 0);
}

static bool part_declarations(struct body *body, CXCursor cursor, struct stmt_list *list,
                              struct stmt_list *before)
{
    int last = list->count - 1;

    while (last >= 0 && list->stmt[last]->kind != STMT_CASE) {
        last--;
    }
    for (int place = 0; place < last; place++) {
        if (list->stmt[place]->kind == STMT_DECL) {
            list->stmt[place] = passed_declaration(body, cursor, list->stmt[place], before);
            if (list->stmt[place] == NULL) {
                return false;
            }
        }
    }
    return true;
}

/* Statements before the first label never run. */
static void drop_unlabelled(struct stmt_list *list)
{
    int first = 0;

    while (first < list->count && list->stmt[first]->kind != STMT_CASE) {
        first++;
    }
    list->stmt += first;
    list->count -= first;
}

/* body_stmt() refuses labels of this switch inside other statements. */
static struct stmt *switch_block(struct body *body, CXCursor cursor, const struct type *type,
                                 struct stmt_list *before)
{
    bool is_block = clang_getCursorKind(cursor) == CXCursor_CompoundStmt;
    struct children children = {1, &cursor};
    struct stmt_list list = {0};

    if (is_block) {
        children = front_children(body->front, cursor);
    }
    for (int c = 0; c < children.count; c++) {
        CXCursor inner = children.child[c];
        struct stmt *stmt;

        if (!read_labels(body, &inner, type, &list)) {
            return NULL;
        }
        if (clang_getCursorKind(inner) == CXCursor_DeclStmt) {
            if (!body_declaration(body, inner, &list)) {
                return NULL;
            }
            continue;
        }
        stmt = body_substatement(body, inner);
        if (stmt == NULL) {
            return NULL;
        }
        body_append(body, &list, stmt);
    }
    if (!part_declarations(body, cursor, &list, before)) {
        return NULL;
    }
    drop_unlabelled(&list);
    return body_block_of(body, cursor, &list);
}

struct stmt *body_switch(struct body *body, CXCursor cursor)
{
    struct children children = front_children(body->front, cursor);
    struct stmt *stmt = body_new_stmt(body, STMT_SWITCH, cursor, 1);
    struct stmt_list *outer = body->before;
    struct stmt_list list = {0};

    if (children.count != 2) {
        return body_refuse(body, cursor, "a switch that declares a variable");
    }
    stmt->expr = body_expr(body, children.child[0]);
    if (stmt->expr == NULL) {
        return NULL;
    }
    body->before = NULL; /* a declaration in the block may be jumped past */
    stmt->kid[0] = switch_block(body, children.child[1], stmt->expr->type, &list);
    body->before = outer;
    return stmt->kid[0] != NULL ? around(body, cursor, &list, stmt) : NULL;
}

/* ---- for over an array --------------------------------------------------------------------------
 */

/* The variable that runs through the elements: their value, or their address. */
static struct stmt *element_variable(struct body *body, CXCursor cursor, struct expr *value)
{
    CXType type = clang_getCursorType(cursor);
    const struct type *own = body_type_of(body, cursor, front_without_reference(type));
    struct stmt *stmt = body_new_stmt(body, STMT_DECL, cursor, 0);

    if (own == NULL || *front_spelling(body->front, cursor) == '\0') {
        return body_refuse(body, cursor, "a structured binding");
    }
    if (!front_is_reference(type)) {
        stmt->var = body_local(body, cursor, own);
        stmt->var->init = body_convert(body, value, own);
        return stmt;
    }
    if (!type_same(own, value->type) || own->kind == TYPE_POINTER) {
        return body_refuse(body, cursor, "a for over a range");
    }
    stmt->var = body_local(body, cursor, front_pointer(body->front, own));
    stmt->var->init = body_convert(body, body_address_of(body, cursor, value), stmt->var->type);
    body->local[body->locals - 1].is_reference = true;
    return stmt;
}

/* Names the same array in every iteration. */
static bool is_fixed(const struct body *body, const struct expr *array)
{
    switch (array->kind) {
    case EXPR_VAR:
        return array->type->kind == TYPE_ARRAY || array->type->kind == TYPE_RECORD;
    case EXPR_UNARY:
        return array->unary == UNARY_DEREF && array->kid[0]->kind == EXPR_VAR &&
               body_is_reference(body, array->kid[0]->var);
    case EXPR_INDEX:
        return array->kid[1]->kind == EXPR_INT && is_fixed(body, array->kid[0]);
    case EXPR_MEMBER:
        return is_fixed(body, array->kid[0]);
    default:
        return false;
    }
}

/* The array that the loop runs over, found once. */
static struct expr *range_of(struct body *body, CXCursor cursor)
{
    struct expr *array = body_expr(body, cursor);

    if (array == NULL) {
        return NULL;
    }
    if (array->type->kind != TYPE_ARRAY || !expr_is_plain(array)) {
        return body_refuse(body, cursor, "a for over a range");
    }
    if (is_fixed(body, array)) {
        return array;
    }
    array = body->before != NULL
                ? body_temporary(body, cursor, body_address_of(body, cursor, array))
                : NULL;
    return array != NULL ? body_dereferenced(body, cursor, array)
                         : body_refuse(body, cursor, "a for over a range");
}

struct stmt *body_range_for(struct body *body, CXCursor cursor)
{
    struct children children = front_children(body->front, cursor);
    struct stmt_list list = {0};
    struct stmt *stmt;
    struct expr *array;
    struct var *index;

    body->next_header++;
    if (children.count != 3 || clang_getCursorKind(children.child[0]) != CXCursor_VarDecl) {
        return body_refuse(body, cursor, "a for over a range");
    }
    array = range_of(body, children.child[1]);
    if (array == NULL) {
        return NULL;
    }
    stmt = body_counting_loop(body, cursor, array->type->count, &index);
    body_append(
        body, &list,
        element_variable(body, children.child[0],
                         body_element(body, cursor, array, body_named(body, cursor, index))));
    body_append(body, &list, body_substatement(body, children.child[2]));
    stmt->kid[1] = body_block_of(body, cursor, &list);
    return body->refusal.reason == NULL ? stmt : NULL;
}
