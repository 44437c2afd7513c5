/* scan.c: finds the calls that cleave reads.
 *
 * Walks the bodies of all functions that the user's files define, included files and macros too.
 * Templates are walked as instantiated, by following references to their instances; calls in a
 * template itself depend on its parameters and say nothing yet.
 */
#include "pass/frontend/util.h"

#include <string.h>

static enum CXChildVisitResult visit_body(CXCursor cursor, CXCursor parent, CXClientData data);

/* Returns its index in front->visited. */
static int plan_visit(struct front *front, CXCursor function)
{
    for (int v = 0; v < front->visits; v++) {
        if (front_same(front->visited[v], function)) {
            return v;
        }
    }
    front->visited = arena_grow(front->arena, front->visited, front->visits, &front->visit_room,
                                sizeof(*front->visited));
    front->visited[front->visits] = function;
    return front->visits++;
}

/* The function that is being walked names this one. */
static void add_edge(struct front *front, int to)
{
    int last = front->edges - 1;

    if (front->visiting < 0 ||
        (last >= 0 && front->edge[last].from == front->visiting && front->edge[last].to == to)) {
        return;
    }
    front->edge = arena_grow(front->arena, front->edge, front->edges, &front->edge_room,
                             sizeof(*front->edge));
    front->edge[front->edges++] = (struct front_edge){front->visiting, to};
}

static bool is_function(CXCursor cursor)
{
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_FunctionDecl:
    case CXCursor_CXXMethod:
    case CXCursor_Constructor:
    case CXCursor_Destructor:
    case CXCursor_ConversionFunction:
        return true;
    default:
        return false;
    }
}

/* Follows a reference to a function: instances of templates, and members of instances, are found
 * only by their uses. */
static void follow(struct front *front, CXCursor referenced)
{
    CXCursor definition;

    if (!is_function(referenced) || front_in_system(referenced)) {
        return;
    }
    definition = clang_getCursorDefinition(referenced);
    if (!clang_Cursor_isNull(definition) && !front_in_system(definition)) {
        add_edge(front, plan_visit(front, definition));
    }
}

static void found_call(struct front *front, CXCursor call, const char *name)
{
    if (strcmp(name, "cleave_parse_loop") == 0) {
        front->call = arena_grow(front->arena, front->call, front->calls, &front->call_room,
                                 sizeof(*front->call));
        front->call[front->calls++] = (struct front_call){call, front->visiting, -1};
    } else if (strcmp(name, "cleave_parse_const") == 0 || strcmp(name, "op_decl_dat") == 0 ||
               strcmp(name, "op_decl_dat_temp") == 0) {
        front->declaration = arena_grow(front->arena, front->declaration, front->declarations,
                                        &front->declaration_room, sizeof(*front->declaration));
        front->declaration[front->declarations++] = call;
    }
}

/* Whether a call of this function shows that the program asks for dat->data before it uses it. */
static bool asks_for_data(const char *name)
{
    static const char *const asking[] = {"op_get_data",   "op_put_data",   "op_download_dat",
                                         "op_upload_dat", "op_upload_all", "op_mpi_halo_exchanges"};

    for (size_t n = 0; n < sizeof(asking) / sizeof(asking[0]); n++) {
        if (strcmp(name, asking[n]) == 0) {
            return true;
        }
    }
    return false;
}

/* dat->data; the headers' own inline functions do not use it. */
static bool is_data_of_dat(struct front *front, CXCursor field)
{
    return clang_getCursorKind(field) == CXCursor_FieldDecl &&
           strcmp(front_spelling(front, field), "data") == 0 &&
           strcmp(front_spelling(front, clang_getCursorSemanticParent(field)), "op_dat_core") == 0;
}

static bool is_variable(CXCursor referenced)
{
    enum CXCursorKind kind = clang_getCursorKind(referenced);

    return kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl;
}

static enum CXChildVisitResult visit_body(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct front *front = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    CXCursor referenced;

    (void)parent;
    if (kind != CXCursor_CallExpr && kind != CXCursor_DeclRefExpr &&
        kind != CXCursor_MemberRefExpr && kind != CXCursor_OverloadedDeclRef) {
        return CXChildVisit_Recurse;
    }
    referenced = clang_getCursorReferenced(cursor);
    if (is_variable(referenced)) {
        return CXChildVisit_Recurse;
    }
    if (kind == CXCursor_CallExpr && clang_getCursorKind(referenced) == CXCursor_FunctionDecl) {
        const char *name = front_spelling(front, referenced);

        found_call(front, cursor, name);
        front->asks_for_data = front->asks_for_data || asks_for_data(name);
    } else if (kind == CXCursor_MemberRefExpr && clang_Cursor_isNull(front->data_access) &&
               is_data_of_dat(front, referenced)) {
        front->data_access = cursor;
    } else if (kind == CXCursor_DeclRefExpr) {
        front->mentions += strncmp(front_spelling(front, cursor), "cleave_parse_", 13) == 0;
    }
    follow(front, referenced);
    return CXChildVisit_Recurse;
}

static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct front *front = data;

    (void)parent;
    if (front_in_system(cursor)) {
        return CXChildVisit_Continue;
    }
    if (is_function(cursor)) {
        if (clang_isCursorDefinition(cursor)) {
            plan_visit(front, cursor);
        }
        return CXChildVisit_Continue;
    }
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_VarDecl: /* a lambda in its value may hold loops */
        clang_visitChildren(cursor, visit_body, front);
        return CXChildVisit_Continue;
    case CXCursor_Namespace:
    case CXCursor_LinkageSpec:
    case CXCursor_UnexposedDecl:
    case CXCursor_StructDecl:
    case CXCursor_ClassDecl:
        return CXChildVisit_Recurse;
    default:
        return CXChildVisit_Continue;
    }
}

void front_scan(struct front *front)
{
    front->visiting = -1;
    clang_visitChildren(clang_getTranslationUnitCursor(front->unit), visit_top, front);
    /* The list grows while it is walked. */
    for (int v = 0; v < front->visits; v++) {
        front->visiting = v;
        clang_visitChildren(front->visited[v], visit_body, front);
    }
    front->visiting = -1;
}
