/* stmt.c: statements to trees.
 *
 * In: a statement cursor of a body. Out: its tree, or NULL after body_refuse(). Incomplete `for`
 * headers look alike in libclang's tree: which parts are there is read from the function as clang
 * prints it, macros expanded, where the n-th `for` of the text is the n-th of the tree.
 */
#include "pass/clang/util.h"

#include <ctype.h>
#include <string.h>

static struct stmt *new_stmt(struct body *body, enum stmt_kind kind, CXCursor cursor, int kids)
{
    struct stmt *stmt = arena_alloc(body->front->arena, sizeof(*stmt));

    stmt->kind = kind;
    stmt->loc = front_loc(body->front, cursor);
    stmt->kids = kids;
    stmt->kid =
        kids > 0 ? arena_alloc(body->front->arena, (size_t)kids * sizeof(*stmt->kid)) : NULL;
    stmt->increments_arg = -1;
    stmt->increments_component = -1;
    return stmt;
}

/* ---- declarations -------------------------------------------------------------------------------
 */

struct list {
    struct stmt **stmt;
    int count;
    int room;
};

static void append(struct body *body, struct list *list, struct stmt *stmt)
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

static bool declare(struct body *body, CXCursor cursor, struct list *list)
{
    CXCursor initialiser = clang_Cursor_getVarDeclInitializer(cursor);
    const struct type *type = body_type(body, cursor);
    struct stmt *stmt;

    if (type == NULL) {
        return false;
    }
    stmt = new_stmt(body, STMT_DECL, cursor, 0);
    stmt->var = body_local(body, cursor, type);
    if (!clang_Cursor_isNull(initialiser) && !is_default_construction(initialiser)) {
        stmt->var->init = body_initialiser(body, initialiser, type);
        if (stmt->var->init == NULL) {
            return false;
        }
    }
    append(body, list, stmt);
    return true;
}

static bool declare_variable(struct body *body, CXCursor cursor, struct list *list)
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

static bool declaration(struct body *body, CXCursor cursor, struct list *list)
{
    struct children children = front_children(body->front, cursor);

    for (int c = 0; c < children.count; c++) {
        switch (clang_getCursorKind(children.child[c])) {
        case CXCursor_VarDecl:
            if (!declare_variable(body, children.child[c], list)) {
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

static struct stmt *block_of(struct body *body, CXCursor cursor, const struct list *list)
{
    struct stmt *block = new_stmt(body, STMT_BLOCK, cursor, 0);

    block->kids = list->count;
    block->kid = list->stmt;
    return block;
}

/* A declaration where one statement stands: several variables make a block. */
static struct stmt *lone_declaration(struct body *body, CXCursor cursor)
{
    struct list list = {0};

    if (!declaration(body, cursor, &list)) {
        return NULL;
    }
    if (list.count == 0) {
        return new_stmt(body, STMT_NOTHING, cursor, 0);
    }
    return list.count == 1 ? list.stmt[0] : block_of(body, cursor, &list);
}

/* ---- control flow -------------------------------------------------------------------------------
 */

static struct stmt *block(struct body *body, CXCursor cursor)
{
    struct children children = front_children(body->front, cursor);
    struct list list = {0};

    for (int c = 0; c < children.count; c++) {
        if (clang_getCursorKind(children.child[c]) == CXCursor_DeclStmt) {
            if (!declaration(body, children.child[c], &list)) {
                return NULL;
            }
        } else {
            struct stmt *stmt = body_stmt(body, children.child[c]);

            if (stmt == NULL) {
                return NULL;
            }
            append(body, &list, stmt);
        }
    }
    return block_of(body, cursor, &list);
}

static bool declares(CXCursor cursor)
{
    return clang_getCursorKind(cursor) == CXCursor_DeclStmt ||
           clang_getCursorKind(cursor) == CXCursor_VarDecl;
}

static struct stmt *if_stmt(struct body *body, CXCursor cursor)
{
    struct children children = front_children(body->front, cursor);
    struct stmt *stmt;

    if (children.count < 2 || children.count > 3 || declares(children.child[0])) {
        return body_refuse(body, cursor, "an if that declares a variable");
    }
    stmt = new_stmt(body, STMT_IF, cursor, children.count - 1);
    stmt->expr = body_expr(body, children.child[0]);
    if (stmt->expr == NULL) {
        return NULL;
    }
    for (int k = 0; k < stmt->kids; k++) {
        stmt->kid[k] = body_stmt(body, children.child[k + 1]);
        if (stmt->kid[k] == NULL) {
            return NULL;
        }
    }
    return stmt;
}

static struct stmt *for_stmt(struct body *body, CXCursor cursor)
{
    struct children children = front_children(body->front, cursor);
    int header = body->next_header < body->headers ? body->header[body->next_header] : 0;
    int parts = !!(header & FOR_INIT) + !!(header & FOR_TEST) + !!(header & FOR_STEP);
    struct stmt *stmt = new_stmt(body, STMT_FOR, cursor, 2);
    int c = 0;

    body->next_header++;
    if (children.count != parts + 1) {
        return body_refuse(body, cursor, "a for header of an unknown kind");
    }
    stmt->kid[0] = header & FOR_INIT ? body_stmt(body, children.child[c++])
                                     : new_stmt(body, STMT_NOTHING, cursor, 0);
    if (header & FOR_TEST) {
        stmt->expr = body_expr(body, children.child[c++]);
    }
    if (header & FOR_STEP) {
        stmt->step = body_expr(body, children.child[c++]);
    }
    stmt->kid[1] = body_stmt(body, children.child[c]);
    return body->refusal.reason == NULL ? stmt : NULL;
}

static struct stmt *while_stmt(struct body *body, CXCursor cursor)
{
    struct children children = front_children(body->front, cursor);
    struct stmt *stmt = new_stmt(body, STMT_WHILE, cursor, 1);

    if (children.count != 2) {
        return body_refuse(body, cursor, "a while that declares a variable");
    }
    stmt->expr = body_expr(body, children.child[0]);
    stmt->kid[0] = stmt->expr != NULL ? body_stmt(body, children.child[1]) : NULL;
    return stmt->kid[0] != NULL ? stmt : NULL;
}

static struct stmt *do_stmt(struct body *body, CXCursor cursor)
{
    struct children children = front_children(body->front, cursor);
    struct stmt *stmt = new_stmt(body, STMT_DO, cursor, 1);

    if (children.count != 2) {
        return body_refuse(body, cursor, "a do of an unknown kind");
    }
    stmt->kid[0] = body_stmt(body, children.child[0]);
    stmt->expr = stmt->kid[0] != NULL ? body_expr(body, children.child[1]) : NULL;
    return stmt->expr != NULL ? stmt : NULL;
}

static struct stmt *return_stmt(struct body *body, CXCursor cursor)
{
    struct children children = front_children(body->front, cursor);
    struct stmt *stmt = new_stmt(body, STMT_RETURN, cursor, 0);

    if (children.count == 0) {
        return stmt;
    }
    stmt->expr = body_expr(body, children.child[0]);
    return stmt->expr != NULL ? stmt : NULL;
}

static struct stmt *break_stmt(struct body *body, CXCursor cursor)
{
    return new_stmt(body, STMT_BREAK, cursor, 0);
}

static struct stmt *continue_stmt(struct body *body, CXCursor cursor)
{
    return new_stmt(body, STMT_CONTINUE, cursor, 0);
}

static struct stmt *null_stmt(struct body *body, CXCursor cursor)
{
    return new_stmt(body, STMT_NOTHING, cursor, 0);
}

static struct stmt *switch_stmt(struct body *body, CXCursor cursor)
{
    return body_refuse(body, cursor, "a switch statement");
}

static struct stmt *goto_stmt(struct body *body, CXCursor cursor)
{
    return body_refuse(body, cursor, "a goto");
}

static struct stmt *label_stmt(struct body *body, CXCursor cursor)
{
    return body_refuse(body, cursor, "a label");
}

static struct stmt *range_for(struct body *body, CXCursor cursor)
{
    return body_refuse(body, cursor, "a for over a range");
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
    {CXCursor_IfStmt, if_stmt},
    {CXCursor_ForStmt, for_stmt},
    {CXCursor_WhileStmt, while_stmt},
    {CXCursor_DoStmt, do_stmt},
    {CXCursor_ReturnStmt, return_stmt},
    {CXCursor_BreakStmt, break_stmt},
    {CXCursor_ContinueStmt, continue_stmt},
    {CXCursor_NullStmt, null_stmt},
    {CXCursor_SwitchStmt, switch_stmt},
    {CXCursor_CaseStmt, switch_stmt},
    {CXCursor_DefaultStmt, switch_stmt},
    {CXCursor_GotoStmt, goto_stmt},
    {CXCursor_IndirectGotoStmt, assembly},
    {CXCursor_LabelStmt, label_stmt},
    {CXCursor_CXXForRangeStmt, range_for},
    {CXCursor_GCCAsmStmt, assembly},
    {CXCursor_MSAsmStmt, assembly},
    {CXCursor_CXXTryStmt, exception},
    {CXCursor_UnexposedStmt, attributed},
};

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
    expr = body_expr(body, cursor);
    if (expr == NULL) {
        return NULL;
    }
    stmt = new_stmt(body, STMT_EXPR, cursor, 0);
    stmt->expr = expr;
    return stmt;
}

/* ---- headers of for -----------------------------------------------------------------------------
 */

static const char *skip_quoted(const char *text)
{
    char quote = *text++;

    while (*text != '\0' && *text != quote) {
        text += text[0] == '\\' && text[1] != '\0' ? 2 : 1;
    }
    return *text != '\0' ? text + 1 : text;
}

/* `text` is behind the opening parenthesis. Counts the semicolons of the header, and says by bits
 * which of the three parts between them have text. */
static int header_parts(const char *text, int *semicolons)
{
    int depth = 0;
    int parts = 0;

    *semicolons = 0;
    while (*text != '\0' && !(depth == 0 && *text == ')')) {
        if (*text == '"' || *text == '\'') {
            text = skip_quoted(text);
            continue;
        }
        if (strchr("([{", *text) != NULL) {
            depth++;
        } else if (strchr(")]}", *text) != NULL) {
            depth--;
        }
        if (*text == ';' && depth == 0) {
            (*semicolons)++;
        } else if (!isspace((unsigned char)*text) && *semicolons < 3) {
            parts |= 1 << *semicolons;
        }
        text++;
    }
    return parts;
}

static const char *opening(const char *text, size_t keyword)
{
    text += keyword;
    while (isspace((unsigned char)*text)) {
        text++;
    }
    return *text == '(' ? text + 1 : NULL;
}

void body_for_headers(struct body *body, CXCursor function)
{
    const char *text = front_string(body->front, clang_getCursorPrettyPrinted(function, NULL));
    unsigned char *header = NULL;
    int room = 0;
    int semicolons;

    while (*text != '\0') {
        const char *word = text;
        const char *inside;

        if (*text == '"' || *text == '\'') {
            text = skip_quoted(text);
            continue;
        }
        if (!isalnum((unsigned char)*text) && *text != '_') {
            text++;
            continue;
        }
        while (isalnum((unsigned char)*text) || *text == '_') {
            text++;
        }
        if (text - word == 3 && memcmp(word, "for", 3) == 0 &&
            (inside = opening(word, 3)) != NULL) {
            header = arena_grow(body->front->arena, header, body->headers, &room, 1);
            header[body->headers++] = (unsigned char)header_parts(inside, &semicolons);
        } else if (text - word == 2 && memcmp(word, "if", 2) == 0 &&
                   (inside = opening(word, 2)) != NULL) {
            header_parts(inside, &semicolons);
            if (semicolons > 0) {
                body_refuse(body, function, "an if that declares a variable");
            }
        }
    }
    body->header = header;
}
