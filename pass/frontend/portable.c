/* portable.c: what C allows in a body that is taken as text and C++ does not.
 *
 * In: each cursor of a C function that opaque.c takes whole, and the words of its text. Out:
 * why the text cannot stand in a file that nvcc reads as C++, or NULL. Trees need no such check:
 * their printer writes every conversion.
 */
#include "pass/frontend/util.h"

#include <string.h>

bool portable_word(const char *word, size_t length)
{
    static const char *const shared[] = {"constexpr", "nullptr"}; /* C23 means the same by them */

    for (size_t s = 0; s < sizeof(shared) / sizeof(shared[0]); s++) {
        if (strlen(shared[s]) == length && memcmp(shared[s], word, length) == 0) {
            return true;
        }
    }
    return !is_cxx_keyword(word, length);
}

bool portable_is_cuda(const char *name)
{
    static const char *const scalar[] = {"char", "uchar", "short", "ushort",   "int",
                                         "uint", "long",  "ulong", "longlong", "ulonglong",
                                         "half", "float", "double"};

    if (strcmp(name, "dim3") == 0 || strncmp(name, "cuda", 4) == 0) {
        return true;
    }
    for (size_t s = 0; s < sizeof(scalar) / sizeof(scalar[0]); s++) {
        size_t length = strlen(scalar[s]);

        if (strncmp(name, scalar[s], length) == 0 && name[length] >= '1' && name[length] <= '4' &&
            name[length + 1] == '\0') {
            return true;
        }
    }
    return false;
}

static CXType canonical(CXCursor cursor)
{
    return clang_getCanonicalType(clang_getCursorType(cursor));
}

/* Whether C converts the pointer implicitly and C++ does not: to another type than void, or to one
 * without const. */
static bool converts_pointer(struct front *front, CXCursor cursor)
{
    struct children children = front_children(front, cursor);
    CXType to = canonical(cursor);
    CXType from;

    if (children.count != 1 || to.kind != CXType_Pointer ||
        canonical(children.child[0]).kind != CXType_Pointer || front_is_null(front, cursor)) {
        return false;
    }
    to = clang_getPointeeType(to);
    from = clang_getPointeeType(canonical(children.child[0]));
    if (clang_isConstQualifiedType(from) && !clang_isConstQualifiedType(to)) {
        return true;
    }
    return to.kind != CXType_Void &&
           !clang_equalTypes(clang_getUnqualifiedType(to), clang_getUnqualifiedType(from));
}

/* Whether a compound literal is an array or has its address taken: in C++ such literals are
 * temporaries. */
static bool is_lasting_literal(struct front *front, CXCursor cursor)
{
    struct children children = front_children(front, cursor);

    if (clang_getCursorKind(cursor) == CXCursor_CompoundLiteralExpr) {
        return canonical(cursor).kind != CXType_Record;
    }
    return clang_getCursorKind(cursor) == CXCursor_UnaryOperator &&
           clang_getCursorUnaryOperatorKind(cursor) == CXUnaryOperator_AddrOf &&
           clang_getCursorKind(front_strip(front, children.child[0])) ==
               CXCursor_CompoundLiteralExpr;
}

/* Whether the variable has an enumeration type of the function's own: C++ converts no integers to
 * it. An enumeration from outside of the function is an integer in the text. */
static bool is_of_own_enumeration(CXCursor variable)
{
    CXCursor declaration = clang_getTypeDeclaration(canonical(variable));

    return clang_getCursorKind(declaration) == CXCursor_EnumDecl &&
           clang_getCursorKind(clang_getCursorSemanticParent(declaration)) == CXCursor_FunctionDecl;
}

static bool has_initialiser(struct front *front, CXCursor declaration)
{
    struct children children = front_children(front, declaration);

    for (int c = 0; c < children.count; c++) {
        if (!clang_Cursor_isNull(clang_Cursor_getVarDeclInitializer(children.child[c]))) {
            return true;
        }
    }
    return false;
}

/* Whether a label follows the declaration in its block, so that a case or an earlier goto jumps
 * past the initialiser. */
static bool is_jumped_over(struct front *front, CXCursor declaration, CXCursor block,
                           bool after_goto)
{
    struct children children = front_children(front, block);
    bool is_behind = false;

    if (!has_initialiser(front, declaration)) {
        return false;
    }
    for (int c = 0; c < children.count; c++) {
        enum CXCursorKind kind = clang_getCursorKind(children.child[c]);

        is_behind |= clang_equalLocations(clang_getCursorLocation(children.child[c]),
                                          clang_getCursorLocation(declaration));
        if (is_behind && (kind == CXCursor_CaseStmt || kind == CXCursor_DefaultStmt ||
                          (kind == CXCursor_LabelStmt && after_goto))) {
            return true;
        }
    }
    return false;
}

/* Whether the list has designators that C++ lacks: it knows only members, in the order of
 * declaration, and then for all values. */
static bool designates_freely(struct front *front, CXCursor list)
{
    struct children children = front_children(front, list);
    long long last = -1;
    int members = 0;

    for (int c = 0; c < children.count; c++) {
        struct children parts = front_children(front, children.child[c]);
        long long offset;

        if (clang_getCursorKind(children.child[c]) != CXCursor_UnexposedExpr ||
            clang_getCursorType(children.child[c]).kind != CXType_Void) {
            continue;
        }
        if (parts.count != 2 || clang_getCursorKind(parts.child[0]) != CXCursor_MemberRef) {
            return true;
        }
        offset = clang_Cursor_getOffsetOfField(clang_getCursorReferenced(parts.child[0]));
        if (offset <= last) {
            return true;
        }
        last = offset;
        members++;
    }
    return members > 0 && members < children.count;
}

const char *portable_reason(struct front *front, CXCursor cursor, CXCursor parent, bool after_goto)
{
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_GenericSelectionExpr:
        return "a generic selection";
    case CXCursor_CompoundLiteralExpr:
    case CXCursor_UnaryOperator:
        return is_lasting_literal(front, cursor) ? "a compound literal that stays in memory" : NULL;
    case CXCursor_InitListExpr:
        return designates_freely(front, cursor) ? "designated initialisers that C++ lacks" : NULL;
    case CXCursor_UnexposedExpr:
        return converts_pointer(front, cursor) ? "a pointer of another type without a cast" : NULL;
    case CXCursor_VarDecl:
        return is_of_own_enumeration(cursor) ? "a variable of its own enumeration" : NULL;
    case CXCursor_DeclStmt:
        return is_jumped_over(front, cursor, parent, after_goto) ? "a jump past a declaration"
                                                                 : NULL;
    default:
        return NULL;
    }
}
