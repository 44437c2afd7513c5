/* stmt.c: statements to trees.
 *
 * In: a statement cursor of a body. Out: its tree, or NULL after body_refuse(). A table says which
 * handler reads which kind of cursor; flow.c has those of control flow that changes its form. An
 * expression may ask for a variable before the statement that it stands in (body_temporary).
 */
#include "pass/frontend/util.h"

#include <string.h>

struct stmt *body_new_stmt(struct body *body, enum stmt_kind kind, CXCursor cursor, int kids)
{
    struct stmt *stmt = arena_alloc(body->front->arena, sizeof(*stmt));

    stmt->kind = kind;
    stmt->loc = front_loc(body->front, cursor);
    stmt->kids = kids;
    stmt->kid =
        kids > 0 ? arena_alloc(body->front->arena, (size_t)kids * sizeof(*stmt->kid)) : NULL;
    return stmt;
}

/* ---- declarations -------------------------------------------------------------------------------
 */

void body_append(struct body *body, struct stmt_list *list, struct stmt *stmt)
{
    list->stmt =
        arena_grow(body->front->arena, list->stmt, list->count, &list->room, sizeof(*list->stmt));
    list->stmt[list->count++] = stmt;
}

/* `P p;` of a plain record: C++ shows a call of the constructor that does nothing. */
static bool is_default_construction(CXCursor initialiser)
{
    return clang_getCursorKind(initialiser) == CXCursor_CallExpr &&
           clang_getCursorKind(clang_getCursorReferenced(initialiser)) == CXCursor_Constructor &&
           clang_Cursor_getNumArguments(initialiser) == 0;
}

static bool declare(struct body *body, CXCursor cursor, struct stmt_list *list)
{
    CXCursor initialiser = clang_Cursor_getVarDeclInitializer(cursor);
    const struct type *type;
    struct stmt *stmt;

    if (front_is_reference(clang_getCursorType(cursor))) {
        return body_declare_reference(body, cursor, list);
    }
    type = body_type(body, cursor);
    if (type == NULL) {
        return false;
    }
    stmt = body_new_stmt(body, STMT_DECL, cursor, 0);
    stmt->var = body_local(body, cursor, type);
    if (!clang_Cursor_isNull(initialiser) && !is_default_construction(initialiser)) {
        stmt->var->init = body_initialiser(body, initialiser, type);
        if (stmt->var->init == NULL) {
            return false;
        }
    }
    body_append(body, list, stmt);
    return true;
}

bool body_declare_variable(struct body *body, CXCursor cursor, struct stmt_list *list)
{
    switch (clang_Cursor_getStorageClass(cursor)) {
    case CX_SC_Static:
        /* A constant table is found when it is used. */
        if (!clang_isConstQualifiedType(clang_getCanonicalType(clang_getCursorType(cursor))) &&
            front_global(body->front, cursor)->var->storage != STORAGE_TABLE) {
            body_refuse_everywhere(body, cursor, "a static variable, which keeps its value");
            return false;
        }
        return true;
    case CX_SC_Extern:
        return true;
    default:
        return declare(body, cursor, list);
    }
}

bool body_declaration(struct body *body, CXCursor cursor, struct stmt_list *list)
{
    struct children children = front_children(body->front, cursor);

    for (int c = 0; c < children.count; c++) {
        switch (clang_getCursorKind(children.child[c])) {
        case CXCursor_VarDecl:
            if (!body_declare_variable(body, children.child[c], list)) {
                return false;
            }
            break;
        case CXCursor_UnexposedDecl:
            if (!body_declare_parts(body, children.child[c], list)) {
                return false;
            }
            break;
        case CXCursor_TypedefDecl:
        case CXCursor_TypeAliasDecl:
        case CXCursor_StructDecl:
        case CXCursor_UnionDecl:
        case CXCursor_EnumDecl:
        case CXCursor_FunctionDecl:
        case CXCursor_UsingDeclaration:
        case CXCursor_UsingDirective:
        case CXCursor_StaticAssert:
            break; /* resolved where they are used */
        default:
            body_refuse(body, children.child[c], "a declaration of a kind that is not known");
            return false;
        }
    }
    return true;
}

struct stmt *body_block_of(struct body *body, CXCursor cursor, const struct stmt_list *list)
{
    struct stmt *block = body_new_stmt(body, STMT_BLOCK, cursor, 0);

    block->kids = list->count;
    block->kid = list->stmt;
    return block;
}

/* A declaration where one statement stands: several variables make a block. */
static struct stmt *lone_declaration(struct body *body, CXCursor cursor)
{
    struct stmt_list list = {0};

    if (!body_declaration(body, cursor, &list)) {
        return NULL;
    }
    if (list.count == 0) {
        return body_new_stmt(body, STMT_NOTHING, cursor, 0);
    }
    return list.count == 1 ? list.stmt[0] : body_block_of(body, cursor, &list);
}

/* ---- control flow -------------------------------------------------------------------------------
 */

static bool read_block(struct body *body, CXCursor cursor, struct stmt_list *list)
{
    struct children children = front_children(body->front, cursor);

    for (int c = 0; c < children.count; c++) {
        if (clang_getCursorKind(children.child[c]) == CXCursor_DeclStmt) {
            if (!body_declaration(body, children.child[c], list)) {
                return false;
            }
        } else {
            struct stmt *stmt = body_stmt(body, children.child[c]);

            if (stmt == NULL) {
                return false;
            }
            body_append(body, list, stmt);
        }
    }
    return true;
}

static struct stmt *block(struct body *body, CXCursor cursor)
{
    struct stmt_list *outer = body->before;
    struct stmt_list list = {0};
    bool read;

    body->before = &list;
    read = read_block(body, cursor, &list);
    body->before = outer;
    return read ? body_block_of(body, cursor, &list) : NULL;
}

/* ({ statements; value; }): the statements stand in a block before this one, and end in setting a
 * variable that names the value. */
struct expr *body_statement_value(struct body *body, CXCursor cursor)
{
    struct children children = front_children(body->front, cursor);
    const struct type *type = body_type(body, cursor);
    struct stmt_list *outer = body->before;
    struct stmt_list list = {0};
    struct stmt *first;
    struct stmt *last;
    bool read;

    if (type == NULL || outer == NULL || children.count != 1 || type->kind == TYPE_VOID ||
        type->kind == TYPE_ARRAY) {
        return body_refuse(body, cursor, "a statement inside of an expression");
    }
    body->before = &list;
    read = read_block(body, children.child[0], &list);
    body->before = outer;
    last = list.count > 0 ? list.stmt[list.count - 1] : NULL;
    if (!read || last->kind != STMT_EXPR) {
        return body_refuse(body, cursor, "a statement inside of an expression");
    }
    first = body_new_stmt(body, STMT_DECL, cursor, 0);
    first->var = body_new_var(body, cursor, "value", type);
    last->expr = body_set(body, cursor, body_named(body, cursor, first->var),
                          body_convert(body, last->expr, type));
    body_append(body, outer, first);
    body_append(body, outer, body_block_of(body, cursor, &list));
    return body_named(body, cursor, first->var);
}

struct stmt *body_substatement(struct body *body, CXCursor cursor)
{
    struct stmt_list *outer = body->before;
    struct stmt_list list = {0};
    struct stmt *stmt;

    body->before = &list;
    stmt = body_stmt(body, cursor);
    body->before = outer;
    if (stmt == NULL || list.count == 0) {
        return stmt;
    }
    body_append(body, &list, stmt);
    return body_block_of(body, cursor, &list);
}

/* Replaces the list of statements that go before what is read next; returns the former one. */
static struct stmt_list *replace_before(struct body *body, struct stmt_list *list)
{
    struct stmt_list *former = body->before;

    body->before = list;
    return former;
}

struct expr *body_repeated(struct body *body, CXCursor cursor)
{
    struct stmt_list *outer = replace_before(body, NULL);
    struct expr *expr = body_expr(body, cursor);

    replace_before(body, outer);
    return expr;
}

static struct stmt *for_start(struct body *body, CXCursor cursor)
{
    struct stmt_list *outer = replace_before(body, NULL);
    struct stmt *stmt = body_stmt(body, cursor);

    replace_before(body, outer);
    return stmt;
}

static struct stmt *for_stmt(struct body *body, CXCursor cursor)
{
    struct children children = front_children(body->front, cursor);
    int header = body->next_header < body->headers ? body->header[body->next_header] : 0;
    int parts = !!(header & FOR_INIT) + !!(header & FOR_TEST) + !!(header & FOR_STEP);
    struct stmt *stmt = body_new_stmt(body, STMT_FOR, cursor, 2);
    int c = 0;

    body->next_header++;
    if (children.count != parts + 1) {
        return body_refuse(body, cursor, "a for header of an unknown kind");
    }
    stmt->kid[0] = header & FOR_INIT ? for_start(body, children.child[c++])
                                     : body_new_stmt(body, STMT_NOTHING, cursor, 0);
    if (header & FOR_TEST) {
        stmt->expr = body_repeated(body, children.child[c++]);
    }
    if (header & FOR_STEP) {
        stmt->step = body_repeated(body, children.child[c++]);
    }
    stmt->kid[1] = body_substatement(body, children.child[c]);
    return body->refusal.reason == NULL ? stmt : NULL;
}

static struct stmt *do_stmt(struct body *body, CXCursor cursor)
{
    struct children children = front_children(body->front, cursor);
    struct stmt *stmt = body_new_stmt(body, STMT_DO, cursor, 1);

    if (children.count != 2) {
        return body_refuse(body, cursor, "a do of an unknown kind");
    }
    stmt->kid[0] = body_substatement(body, children.child[0]);
    stmt->expr = stmt->kid[0] != NULL ? body_repeated(body, children.child[1]) : NULL;
    return stmt->expr != NULL ? stmt : NULL;
}

static struct stmt *return_stmt(struct body *body, CXCursor cursor)
{
    struct children children = front_children(body->front, cursor);
    struct stmt *stmt = body_new_stmt(body, STMT_RETURN, cursor, 0);

    if (children.count == 0) {
        return stmt;
    }
    stmt->expr = body->entry->result_by_address ? body_returned_address(body, children.child[0])
                                                : body_expr(body, children.child[0]);
    return stmt->expr != NULL ? stmt : NULL;
}

static struct stmt *break_stmt(struct body *body, CXCursor cursor)
{
    return body_new_stmt(body, STMT_BREAK, cursor, 0);
}

static struct stmt *continue_stmt(struct body *body, CXCursor cursor)
{
    return body_new_stmt(body, STMT_CONTINUE, cursor, 0);
}

static struct stmt *null_stmt(struct body *body, CXCursor cursor)
{
    return body_new_stmt(body, STMT_NOTHING, cursor, 0);
}

/* In the block of its switch, flow.c reads it. */
static struct stmt *inner_case(struct body *body, CXCursor cursor)
{
    return body_refuse(body, cursor, "a case inside of another statement");
}

static struct stmt *goto_stmt(struct body *body, CXCursor cursor)
{
    return body_refuse(body, cursor, "a goto");
}

static struct stmt *label_stmt(struct body *body, CXCursor cursor)
{
    return body_refuse(body, cursor, "a label");
}

static struct stmt *assembly(struct body *body, CXCursor cursor)
{
    return body_refuse_everywhere(body, cursor, "assembly");
}

static struct stmt *exception(struct body *body, CXCursor cursor)
{
    return body_refuse_everywhere(body, cursor, "an exception");
}

/* A statement with attributes or a pragma in front shows as one without a kind around it. */
static struct stmt *attributed(struct body *body, CXCursor cursor)
{
    struct children children = front_children(body->front, cursor);

    return children.count == 1 ? body_stmt(body, children.child[0])
                               : body_refuse(body, cursor, "a statement of an unknown kind");
}

static const struct {
    enum CXCursorKind kind;
    struct stmt *(*read)(struct body *body, CXCursor cursor);
} handler[] = {
    {CXCursor_CompoundStmt, block},
    {CXCursor_DeclStmt, lone_declaration},
    {CXCursor_IfStmt, body_if},
    {CXCursor_ForStmt, for_stmt},
    {CXCursor_WhileStmt, body_while},
    {CXCursor_DoStmt, do_stmt},
    {CXCursor_ReturnStmt, return_stmt},
    {CXCursor_BreakStmt, break_stmt},
    {CXCursor_ContinueStmt, continue_stmt},
    {CXCursor_NullStmt, null_stmt},
    {CXCursor_SwitchStmt, body_switch},
    {CXCursor_CaseStmt, inner_case},
    {CXCursor_DefaultStmt, inner_case},
    {CXCursor_GotoStmt, goto_stmt},
    {CXCursor_IndirectGotoStmt, assembly},
    {CXCursor_LabelStmt, label_stmt},
    {CXCursor_CXXForRangeStmt, body_range_for},
    {CXCursor_GCCAsmStmt, assembly},
    {CXCursor_MSAsmStmt, assembly},
    {CXCursor_CXXTryStmt, exception},
    {CXCursor_UnexposedStmt, attributed},
};

/* C++: (c ? x : y) += z; is if (c) x += z; else y += z; */
static struct stmt *either_place(struct body *body, CXCursor cursor, const struct expr *assign)
{
    const struct expr *either = assign->kid[0];
    struct stmt *stmt = body_new_stmt(body, STMT_IF, cursor, 2);

    stmt->expr = either->kid[0];
    for (int k = 0; k < 2; k++) {
        struct expr *one = body_new_expr(body, assign->kind, cursor, assign->type, assign->kids);
        struct expr **kid = one->kid;

        *one = *assign;
        one->kid = kid;
        one->kid[0] = either->kid[k + 1];
        for (int rest = 1; rest < assign->kids; rest++) {
            one->kid[rest] = assign->kid[rest];
        }
        stmt->kid[k] = body_expr_stmt(body, cursor, one);
    }
    return stmt;
}

struct stmt *body_expr_stmt(struct body *body, CXCursor cursor, struct expr *expr)
{
    struct stmt *stmt = body_new_stmt(body, STMT_EXPR, cursor, 0);

    if ((expr->kind == EXPR_ASSIGN || (expr->kind == EXPR_UNARY && expr->unary >= UNARY_PRE_INC)) &&
        expr->kid[0]->kind == EXPR_COND) {
        return either_place(body, cursor, expr);
    }
    /* Only the call matters if nobody uses a result that is a reference. */
    if (expr->kind == EXPR_UNARY && expr->unary == UNARY_DEREF && expr->kid[0]->kind == EXPR_CALL) {
        expr = expr->kid[0];
    }
    stmt->expr = expr;
    return stmt;
}

struct stmt *body_stmt(struct body *body, CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    struct stmt *stmt;
    struct expr *expr;

    for (size_t h = 0; h < sizeof(handler) / sizeof(handler[0]); h++) {
        if (handler[h].kind == kind) {
            return handler[h].read(body, cursor);
        }
    }
    if (!clang_isExpression(kind)) {
        return body_refuse(body, cursor, "a statement of an unknown kind");
    }
    stmt = body_memory_call(body, cursor);
    if (stmt != NULL) {
        return stmt;
    }
    expr =
        front_counts_bool(cursor) ? body_count_bool(body, cursor, true) : body_expr(body, cursor);
    return expr != NULL ? body_expr_stmt(body, cursor, expr) : NULL;
}
