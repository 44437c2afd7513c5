/* util.c: small questions to libclang, answered in our own terms.
 *
 * Strings are copied to the arena, values come from clang's evaluator (never from tokens, which are
 * wrong inside of macros), locations are those of the macro's use.
 */
#include "pass/frontend/util.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *front_string(struct front *front, CXString string)
{
    const char *text = clang_getCString(string);
    const char *copy = arena_text(front->arena, text != NULL ? text : "");

    clang_disposeString(string);
    return copy;
}

const char *front_spelling(struct front *front, CXCursor cursor)
{
    return front_string(front, clang_getCursorSpelling(cursor));
}

const char *front_type_text(struct front *front, CXType type)
{
    return front_string(front, clang_getTypeSpelling(type));
}

struct loc front_place(struct front *front, CXSourceLocation location)
{
    CXFile file;
    unsigned line;
    unsigned column;
    struct loc loc = {NULL, 0, 0};

    clang_getFileLocation(location, &file, &line, &column, NULL);
    if (file != NULL) {
        loc.file = front_string(front, clang_getFileName(file));
        loc.file += strncmp(loc.file, "./", 2) == 0 ? 2 : 0;
        loc.line = (int)line;
        loc.column = (int)column;
    }
    return loc;
}

struct loc front_loc(struct front *front, CXCursor cursor)
{
    return front_place(front, clang_getCursorLocation(cursor));
}

int front_length(CXCursor cursor)
{
    CXSourceRange range = clang_getCursorExtent(cursor);
    CXFile first_file;
    CXFile last_file;
    unsigned first;
    unsigned last;
    unsigned first_line;
    unsigned last_line;

    clang_getFileLocation(clang_getRangeStart(range), &first_file, &first_line, &first, NULL);
    clang_getFileLocation(clang_getRangeEnd(range), &last_file, &last_line, &last, NULL);
    return first_line == last_line && last > first ? (int)(last - first) : 1;
}

enum { FEW_CHILDREN = 8 };

/* Nearly all cursors have few children: these are gathered outside of the arena. */
struct gather {
    struct front *front;
    CXCursor few[FEW_CHILDREN];
    struct children children;
    int room;
};

static enum CXChildVisitResult gather_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct gather *gather = data;
    struct children *all = &gather->children;
    struct arena *arena = gather->front->arena;

    (void)parent;
    if (all->count < FEW_CHILDREN) {
        gather->few[all->count++] = cursor;
        return CXChildVisit_Continue;
    }
    if (all->count == FEW_CHILDREN) {
        gather->room = 4 * FEW_CHILDREN;
        all->child = arena_alloc(arena, (size_t)gather->room * sizeof(*all->child));
        memcpy(all->child, gather->few, sizeof(gather->few));
    }
    all->child = arena_grow(arena, all->child, all->count, &gather->room, sizeof(*all->child));
    all->child[all->count++] = cursor;
    return CXChildVisit_Continue;
}

struct children front_children(struct front *front, CXCursor cursor)
{
    struct gather gather;
    struct children *all = &gather.children;

    gather.front = front;
    *all = (struct children){0, NULL};
    clang_visitChildren(cursor, gather_child, &gather);
    if (all->count <= FEW_CHILDREN) {
        size_t size = (size_t)all->count * sizeof(*all->child);

        all->child = arena_alloc(front->arena, size);
        memcpy(all->child, gather.few, size);
    }
    return *all;
}

bool front_in_system(CXCursor cursor)
{
    return clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)) != 0;
}

bool front_same(CXCursor a, CXCursor b)
{
    return clang_equalCursors(a, b) != 0;
}

const char *front_source_text(struct front *front, CXCursor cursor)
{
    CXSourceRange range = clang_getCursorExtent(cursor);
    CXFile file;
    CXFile last_file;
    unsigned first;
    unsigned last;
    size_t size = 0;
    const char *contents;

    clang_getFileLocation(clang_getRangeStart(range), &file, NULL, NULL, &first);
    clang_getFileLocation(clang_getRangeEnd(range), &last_file, NULL, NULL, &last);
    contents = file != NULL ? clang_getFileContents(front->unit, file, &size) : NULL;
    if (contents == NULL || !clang_File_isEqual(file, last_file) || last <= first || last > size) {
        return front_spelling(front, cursor);
    }
    return arena_text_part(front->arena, contents + first, last - first);
}

bool front_is_template_value(CXCursor cursor)
{
    return clang_getCursorKind(cursor) == CXCursor_DeclRefExpr &&
           clang_Cursor_isNull(clang_getCursorReferenced(cursor));
}

static bool is_wrapper(struct front *front, CXCursor cursor, bool casts, CXCursor *inner)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    bool is_cast = kind == CXCursor_CStyleCastExpr || kind == CXCursor_CXXStaticCastExpr ||
                   kind == CXCursor_CXXReinterpretCastExpr || kind == CXCursor_CXXConstCastExpr ||
                   kind == CXCursor_CXXFunctionalCastExpr;
    struct children children;

    if (kind != CXCursor_UnexposedExpr && kind != CXCursor_ParenExpr && !(casts && is_cast) &&
        !front_is_template_value(cursor)) {
        return false;
    }
    children = front_children(front, cursor);
    if (children.count == 0 || (!is_cast && children.count != 1)) {
        return false;
    }
    *inner = children.child[children.count - 1]; /* before it: references to the cast's type */
    return true;
}

CXCursor front_strip(struct front *front, CXCursor cursor)
{
    CXCursor inner;

    while (is_wrapper(front, cursor, false, &inner)) {
        cursor = inner;
    }
    return cursor;
}

CXCursor front_strip_casts(struct front *front, CXCursor cursor)
{
    CXCursor inner;

    while (is_wrapper(front, cursor, true, &inner)) {
        cursor = inner;
    }
    return cursor;
}

/* Only arithmetic values may be asked of clang's evaluator: it crashes on some other types. */
static bool is_arithmetic(CXCursor cursor)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor));

    return (type.kind >= CXType_Bool && type.kind <= CXType_LongLong) ||
           type.kind == CXType_Float || type.kind == CXType_Double || type.kind == CXType_Enum;
}

static CXEvalResult evaluate(CXCursor cursor, CXEvalResultKind kind)
{
    CXEvalResult result = is_arithmetic(cursor) ? clang_Cursor_Evaluate(cursor) : NULL;

    if (result != NULL && clang_EvalResult_getKind(result) != kind) {
        clang_EvalResult_dispose(result);
        return NULL;
    }
    return result;
}

bool front_integer(CXCursor cursor, unsigned long long *bits)
{
    CXEvalResult result = evaluate(cursor, CXEval_Int);

    if (result == NULL) {
        return false;
    }
    *bits = clang_EvalResult_isUnsignedInt(result)
                ? clang_EvalResult_getAsUnsigned(result)
                : (unsigned long long)clang_EvalResult_getAsLongLong(result);
    clang_EvalResult_dispose(result);
    return true;
}

bool front_number(CXCursor cursor, double *value)
{
    CXEvalResult result = evaluate(cursor, CXEval_Float);

    if (result == NULL) {
        return false;
    }
    *value = clang_EvalResult_getAsDouble(result);
    clang_EvalResult_dispose(result);
    return true;
}

/* For a literal, the evaluator returns its text only at the conversion around it. */
const char *front_literal(struct front *front, CXCursor cursor)
{
    struct children children;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    CXEvalResult result;
    const char *text = NULL;

    if (is_arithmetic(cursor)) {
        return NULL;
    }
    children = front_children(front, cursor);
    if ((kind != CXCursor_UnexposedExpr && kind != CXCursor_ParenExpr &&
         kind != CXCursor_CStyleCastExpr) ||
        children.count == 0) {
        return NULL;
    }
    if (clang_getCursorKind(front_strip(front, children.child[children.count - 1])) !=
        CXCursor_StringLiteral) {
        return front_literal(front, children.child[children.count - 1]);
    }
    if (clang_getCursorKind(children.child[0]) != CXCursor_StringLiteral) {
        return front_literal(front, children.child[children.count - 1]);
    }
    result = clang_Cursor_Evaluate(cursor);
    if (result != NULL && clang_EvalResult_getKind(result) == CXEval_StrLiteral) {
        text = arena_text(front->arena, clang_EvalResult_getAsStr(result));
    }
    if (result != NULL) {
        clang_EvalResult_dispose(result);
    }
    return text;
}

bool front_counts_bool(CXCursor cursor)
{
    enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(cursor);

    return clang_getCursorKind(cursor) == CXCursor_UnaryOperator &&
           kind >= CXUnaryOperator_PostInc && kind <= CXUnaryOperator_PreDec &&
           clang_getCanonicalType(clang_getCursorType(cursor)).kind == CXType_Bool;
}

bool front_is_null(struct front *front, CXCursor cursor)
{
    CXCursor inner = front_strip_casts(front, cursor);
    enum CXCursorKind kind = clang_getCursorKind(inner);
    unsigned long long bits;

    if (kind == CXCursor_CXXNullPtrLiteralExpr || kind == CXCursor_GNUNullExpr) {
        return true;
    }
    return front_integer(inner, &bits) && bits == 0;
}

bool front_is_default(CXCursor argument)
{
    return clang_isExpression(clang_getCursorKind(argument)) &&
           clang_equalLocations(clang_getCursorLocation(argument), clang_getNullLocation());
}

/* The last number that was appended to this name. Names are never freed, so smaller numbers stay in
 * use. */
static int *last_number(struct front *front, const char *base,
                        bool (*taken)(struct front *front, const char *name))
{
    for (int n = 0; n < front->numbered_names; n++) {
        if (front->numbered[n].taken == taken && strcmp(front->numbered[n].base, base) == 0) {
            return &front->numbered[n].last;
        }
    }
    front->numbered = arena_grow(front->arena, front->numbered, front->numbered_names,
                                 &front->numbered_room, sizeof(*front->numbered));
    front->numbered[front->numbered_names] = (struct numbered){base, taken, 1};
    return &front->numbered[front->numbered_names++].last;
}

const char *front_identifier(struct front *front, const char *text,
                             bool (*taken)(struct front *front, const char *name))
{
    char *base = arena_text(front->arena, text);
    const char *name = base;
    int *number;

    for (char *c = base; *c != '\0'; c++) {
        if (!isalnum((unsigned char)*c) && *c != '_') {
            *c = '_';
        }
    }
    if (base[0] == '\0' || isdigit((unsigned char)base[0])) {
        base = arena_format(front->arena, "_%s", base);
        name = base;
    }
    if (!taken(front, name)) {
        return name;
    }
    number = last_number(front, base, taken);
    do {
        name = arena_format(front->arena, "%s_%d", base, ++*number);
    } while (taken(front, name));
    return name;
}

static void *refuse(struct body *body, CXCursor where, const char *reason, bool everywhere)
{
    if (body->refusal.reason == NULL || (everywhere && !body->refusal.everywhere)) {
        body->refusal.reason = reason;
        body->refusal.loc = front_loc(body->front, where);
        body->refusal.everywhere = everywhere;
    }
    return NULL;
}

void *body_refuse(struct body *body, CXCursor where, const char *reason)
{
    return refuse(body, where, reason, false);
}

void *body_refuse_everywhere(struct body *body, CXCursor where, const char *reason)
{
    return refuse(body, where, reason, true);
}
