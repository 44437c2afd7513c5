/* chain_place.c: finds the place of a value in the host program: a variable and a path from it.
 *
 * In: an expression. Out: its place. Places of one base can be compared: `mesh->q`, `(*mesh).q` and
 * `mesh[0].q` have one path. The keys of place.c are of another kind: they compare arguments within
 * one call, during which nothing changes. */
#include "pass/frontend/chain.h"

#include <string.h>

static struct host_place other_place(CXCursor expression)
{
    return (struct host_place){
        .kind = PLACE_OTHER, .base = expression, .path = "", .derefs = true, .varies = true};
}

/* Whether the expression computes a number, which lies nowhere: nothing else can change it. */
static bool is_computed(CXCursor expression)
{
    enum CXTypeKind type = clang_getCanonicalType(clang_getCursorType(expression)).kind;
    enum CXBinaryOperatorKind binary = clang_getCursorBinaryOperatorKind(expression);
    enum CXUnaryOperatorKind unary = clang_getCursorUnaryOperatorKind(expression);

    if (type < CXType_Bool || type > CXType_LongDouble) {
        return false;
    }
    switch (clang_getCursorKind(expression)) {
    case CXCursor_FloatingLiteral:
    case CXCursor_IntegerLiteral:
        return true;
    case CXCursor_BinaryOperator:
        return binary >= CXBinaryOperator_Mul && binary <= CXBinaryOperator_Sub;
    case CXCursor_UnaryOperator:
        return unary == CXUnaryOperator_Minus || unary == CXUnaryOperator_Plus;
    default:
        return false;
    }
}

/* The place of what no variable names. */
static struct host_place nameless_place(CXCursor expression)
{
    struct host_place place = other_place(expression);

    place.derefs = !is_computed(expression);
    return place;
}

struct host_place host_somewhere(void)
{
    return other_place(clang_getNullCursor());
}

struct host_place host_below(struct front *front, struct host_place place, const char *path)
{
    if (path[0] == '\0') {
        return place;
    }
    place.path = arena_format(front->arena, "%s%s", place.path, path);
    place.derefs = place.derefs || strchr(path, '*') != NULL;
    place.varies = place.varies || strstr(path, "[]") != NULL;
    return place;
}

static struct host_place variable_place(CXCursor variable)
{
    CXCursor base = clang_getCanonicalCursor(variable);

    return (struct host_place){.kind = PLACE_VARIABLE,
                               .base = base,
                               .path = "",
                               .derefs = front_is_reference(clang_getCursorType(base))};
}

static bool is_variable(CXCursor declaration)
{
    enum CXCursorKind kind = clang_getCursorKind(declaration);

    return kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl;
}

static bool is_pointer(CXCursor expression)
{
    return clang_getCanonicalType(clang_getCursorType(expression)).kind == CXType_Pointer;
}

static bool is_array(CXCursor expression)
{
    switch (clang_getCanonicalType(clang_getCursorType(expression)).kind) {
    case CXType_ConstantArray:
    case CXType_VariableArray:
    case CXType_IncompleteArray:
        return true;
    default:
        return false;
    }
}

/* Members of a union share their memory: they are the union. */
static const char *member_path(struct front *front, CXCursor field)
{
    bool overlaps = clang_getCursorKind(clang_getCursorSemanticParent(field)) == CXCursor_UnionDecl;

    return overlaps ? "" : arena_format(front->arena, ".%s", front_spelling(front, field));
}

static struct host_place member_place(struct front *front, CXCursor member)
{
    CXCursor field = clang_getCursorReferenced(member);
    struct children children = front_children(front, member);
    const char *path = member_path(front, field);
    struct host_place place;
    bool has_base =
        children.count > 0 && clang_isExpression(clang_getCursorKind(children.child[0]));

    if (is_variable(field)) {
        return variable_place(field);
    }
    if (clang_getCursorKind(field) != CXCursor_FieldDecl) {
        return other_place(member);
    }
    if (!has_base) { /* of the object, without `this->` */
        place = (struct host_place){.kind = PLACE_THIS, .base = clang_getNullCursor(), .path = ""};
        place = host_below(front, place, "*");
    } else if (is_pointer(children.child[0])) {
        place = host_pointee(front, children.child[0]);
    } else {
        place = host_place_of(front, children.child[0]);
    }
    place = host_below(front, place, path);
    place.derefs = place.derefs || front_is_reference(clang_getCursorType(field));
    return place;
}

static struct host_place element_place(struct front *front, CXCursor element)
{
    struct children children = front_children(front, element);
    unsigned long long subscript;
    const char *path = "[]";
    CXCursor base;

    if (children.count != 2 || !is_pointer(children.child[0])) {
        return other_place(element);
    }
    base = front_strip_casts(front, children.child[0]);
    if (front_integer(children.child[1], &subscript)) {
        path = arena_format(front->arena, "[%lld]", (long long)subscript);
    }
    if (is_array(base)) {
        return host_below(front, host_place_of(front, base), path);
    }
    /* An element of what a pointer leads to; the first one is *pointer. */
    return host_below(front, host_pointee(front, children.child[0]),
                      strcmp(path, "[0]") == 0 ? "" : path);
}

struct host_place host_pointee(struct front *front, CXCursor expression)
{
    CXCursor inner = front_strip_casts(front, expression);
    struct children children = front_children(front, inner);

    if (clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_AddrOf && children.count == 1) {
        return host_place_of(front, children.child[0]);
    }
    if (is_array(inner)) {
        return host_below(front, host_place_of(front, inner), "[0]");
    }
    if (clang_getCursorKind(inner) == CXCursor_BinaryOperator && children.count == 2) {
        enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(inner);
        int pointer = is_pointer(children.child[0]) ? 0 : 1;

        if ((kind == CXBinaryOperator_Add || kind == CXBinaryOperator_Sub) &&
            is_pointer(children.child[pointer])) {
            return host_below(front, host_pointee(front, children.child[pointer]), "[]");
        }
    }
    return host_below(front, host_place_of(front, inner), "*");
}

/* ---- elements of containers
 * ----------------------------------------------------------------------- */

static bool is_of_container(struct front *front, CXCursor method)
{
    CXCursor record = clang_getCursorSemanticParent(method);
    const char *name;

    if (clang_getCursorKind(method) != CXCursor_CXXMethod || !front_in_system(method)) {
        return false;
    }
    name = front_spelling(front, record);
    return strcmp(name, "vector") == 0 || strcmp(name, "array") == 0;
}

bool host_element(struct front *front, CXCursor call, CXCursor *object, CXCursor *subscript)
{
    CXCursor method = clang_getCursorReferenced(call);
    struct children parts;
    const char *name;

    *subscript = clang_getNullCursor();
    if (clang_getCursorKind(call) != CXCursor_CallExpr || !is_of_container(front, method)) {
        return false;
    }
    name = front_spelling(front, method);
    if (strcmp(name, "operator[]") == 0 && clang_Cursor_getNumArguments(call) == 2) {
        *object = clang_Cursor_getArgument(call, 0);
        *subscript = clang_Cursor_getArgument(call, 1);
        return true;
    }
    if (strcmp(name, "at") != 0 && strcmp(name, "front") != 0 && strcmp(name, "back") != 0) {
        return false;
    }
    if (clang_Cursor_getNumArguments(call) == 1) {
        *subscript = clang_Cursor_getArgument(call, 0);
    }
    parts = front_children(front, call);
    parts = front_children(front, parts.count > 0 ? front_strip(front, parts.child[0]) : call);
    if (parts.count == 0 || !clang_isExpression(clang_getCursorKind(parts.child[0])) ||
        is_pointer(parts.child[0])) {
        return false;
    }
    *object = parts.child[0];
    return true;
}

/* The place of an element of a container. It counts as behind a pointer, because other code may
 * have a pointer to it. */
static struct host_place container_place(struct front *front, CXCursor object, CXCursor subscript)
{
    struct host_place place = host_place_of(front, object);
    unsigned long long bits;

    place = host_below(front, place,
                       !clang_Cursor_isNull(subscript) && front_integer(subscript, &bits)
                           ? arena_format(front->arena, "[%lld]", (long long)bits)
                           : "[]");
    place.derefs = true;
    return place;
}

/* ---- all
 * ----------------------------------------------------------------------------------------- */

struct host_place host_place_of(struct front *front, CXCursor expression)
{
    CXCursor inner = front_strip_casts(front, expression);
    CXCursor referenced = clang_getCursorReferenced(inner);
    struct children children;
    CXCursor object;
    CXCursor subscript;

    switch (clang_getCursorKind(inner)) {
    case CXCursor_CallExpr:
        return host_element(front, inner, &object, &subscript)
                   ? container_place(front, object, subscript)
                   : nameless_place(inner);
    case CXCursor_DeclRefExpr:
        return is_variable(referenced) ? variable_place(referenced) : nameless_place(inner);
    case CXCursor_MemberRefExpr:
        return member_place(front, inner);
    case CXCursor_CXXThisExpr:
        return (struct host_place){.kind = PLACE_THIS, .base = clang_getNullCursor(), .path = ""};
    case CXCursor_ArraySubscriptExpr:
        return element_place(front, inner);
    case CXCursor_UnaryOperator:
        children = front_children(front, inner);
        if (clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_Deref &&
            children.count == 1) {
            return host_pointee(front, children.child[0]);
        }
        return nameless_place(inner);
    default:
        return nameless_place(inner);
    }
}

/* ---- text
 * ---------------------------------------------------------------------------------------- */

const char *host_place_text(struct front *front, const struct host_place *place)
{
    const char *path = place->path;
    const char *text;

    if (place->kind == PLACE_OTHER) {
        text = clang_Cursor_isNull(place->base) ? "" : front_tree_text(front, place->base);
        return *text != '\0' ? text : "an expression";
    }
    text = place->kind == PLACE_THIS ? "this" : front_spelling(front, place->base);
    while (*path != '\0') {
        if (*path == '*' && path[1] == '.') {
            size_t length = strcspn(path + 2, "*.[");
            text = arena_format(front->arena, "%s->%.*s", text, (int)length, path + 2);
            path += 2 + length;
        } else if (*path == '*') {
            text = arena_format(front->arena, path[1] == '\0' ? "*%s" : "(*%s)", text);
            path++;
        } else {
            size_t length = 1 + strcspn(path + 1, "*.[");
            text = arena_format(front->arena, "%s%.*s", text, (int)length, path);
            path += length;
        }
    }
    return text;
}

/* ---- relation
 * ------------------------------------------------------------------------------------ */

static size_t token(const char *path)
{
    return *path == '*' ? 1 : 1 + strcspn(path + 1, "*.[");
}

/* Whether two tokens at one position of the paths surely lead to different parts. */
static bool tokens_apart(const char *a, size_t length_a, const char *b, size_t length_b)
{
    bool is_equal = length_a == length_b && memcmp(a, b, length_a) == 0;
    bool any = strncmp(a, "[]", 2) == 0 || strncmp(b, "[]", 2) == 0;

    return *a == *b && !is_equal && !any;
}

enum place_relation host_relation(const struct host_place *a, const struct host_place *b,
                                  const char **rest)
{
    const char *x = a->path;
    const char *y = b->path;

    *rest = "";
    if (a->kind != b->kind || a->kind == PLACE_OTHER ||
        (a->kind == PLACE_VARIABLE && !front_same(a->base, b->base))) {
        return PLACES_APART;
    }
    while (*x != '\0' && *y != '\0') {
        size_t length_x = token(x);
        size_t length_y = token(y);

        if (tokens_apart(x, length_x, y, length_y)) {
            return PLACES_APART;
        }
        if (*x != *y) { /* an element of an array that begins where the other is */
            x += *x == '[' ? length_x : 0;
            y += *y == '[' ? length_y : 0;
            if (*x != '\0' && *y != '\0' && *x != *y) {
                return PLACES_SAME; /* not to be compared */
            }
            continue;
        }
        x += length_x;
        y += length_y;
    }
    *rest = *x != '\0' ? x : y;
    return *x != '\0' ? PLACE_INSIDE : *y != '\0' ? PLACE_AROUND : PLACES_SAME;
}

bool host_is_for_others(CXType type)
{
    CXType object = clang_getCanonicalType(clang_getNonReferenceType(type));

    return object.kind == CXType_Atomic || clang_isVolatileQualifiedType(object) != 0;
}
