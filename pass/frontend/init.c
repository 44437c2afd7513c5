/* init.c: initialisers to trees.
 *
 * clang lists what the user wrote, so braces may be missing around inner arrays: the values are
 * dealt out again by the type. Designators become plain positions, with zeros for what they leave
 * out; strings become their characters.
 */
#include "pass/frontend/util.h"

#include <string.h>

/* The values of one written list, taken in order. */
struct supply {
    struct children values;
    int next;
};

static struct expr *take(struct body *body, struct supply *supply, CXCursor where,
                         const struct type *type);

struct expr *body_zero(struct body *body, CXCursor where, const struct type *type)
{
    if (type->kind == TYPE_ARRAY || type->kind == TYPE_RECORD) {
        return body_new_expr(body, EXPR_INIT, where, type, 0);
    }
    return body_convert(
        body, body_new_expr(body, EXPR_INT, where, front_basic(body->front, TYPE_INT, false), 0),
        type);
}

static int elements(const struct type *type)
{
    if (type->kind == TYPE_ARRAY) {
        return (int)type->count;
    }
    return type->record->is_union ? 1 : type->record->fields;
}

static const struct type *element_type(const struct type *type, int k)
{
    return type->kind == TYPE_ARRAY ? type->elem : type->record->field[k].type;
}

/* Extends the list to `kids` kids; the new ones are zero. */
static void widen(struct body *body, CXCursor where, struct expr *list, int kids)
{
    struct expr **kid;

    if (kids <= list->kids) {
        return;
    }
    kid = arena_alloc(body->front->arena, (size_t)kids * sizeof(*kid));
    for (int k = 0; k < kids; k++) {
        kid[k] =
            k < list->kids ? list->kid[k] : body_zero(body, where, element_type(list->type, k));
    }
    list->kid = kid;
    list->kids = kids;
}

/* The element that one designator names, [2] or .x; -1: not known. Only the first member of a union
 * can be in a list. */
static int designated_element(struct body *body, CXCursor designator, const struct type *type)
{
    unsigned long long index;
    const char *name;

    if (type->kind == TYPE_ARRAY) {
        return front_integer(designator, &index) && index < (unsigned long long)type->count
                   ? (int)index
                   : -1;
    }
    if (type->kind != TYPE_RECORD || clang_getCursorKind(designator) != CXCursor_MemberRef) {
        return -1;
    }
    name = front_spelling(body->front, designator);
    for (int f = 0; f < elements(type); f++) {
        if (strcmp(type->record->field[f].name, name) == 0) {
            return f;
        }
    }
    return -1;
}

static bool is_designated(CXCursor cursor)
{
    return clang_getCursorKind(cursor) == CXCursor_UnexposedExpr &&
           clang_getCursorType(cursor).kind == CXType_Void;
}

/* Whether the designator may be a range: [0 ... 2] shows two numbers in the tree, as [0][2] does,
 * so only the text tells. */
static bool may_be_range(struct body *body, CXCursor cursor, const struct children *parts)
{
    const char *text = front_source_text(body->front, cursor);
    const char *equals = strchr(text, '=');
    int brackets = 0;

    for (int p = 0; p < parts->count - 1; p++) {
        brackets += clang_getCursorKind(parts->child[p]) != CXCursor_MemberRef;
    }
    for (const char *c = text; equals != NULL && c < equals; c++) {
        brackets -= *c == '[';
    }
    return parts->count > 2 && (brackets > 0 || strstr(text, "...") != NULL);
}

/* Takes element k of the list from the supply; false after a refusal. */
static bool take_element(struct body *body, struct supply *supply, CXCursor where,
                         struct expr *list, int k)
{
    widen(body, where, list, k + 1);
    list->kid[k] = take(body, supply, where, element_type(list->type, k));
    return list->kid[k] != NULL;
}

/* Takes elements from k on until the list is full, the values run out or a designator follows. */
static bool take_following(struct body *body, struct supply *supply, CXCursor where,
                           struct expr *list, int k)
{
    while (supply->next < supply->values.count && k < elements(list->type) &&
           !is_designated(supply->values.child[supply->next])) {
        if (!take_element(body, supply, where, list, k++)) {
            return false;
        }
    }
    return true;
}

/* Takes a designated value. The tree shows it as a nameless expression of type void, whose children
 * are the index or member of each level and then the value. The value, and those that follow it at
 * the inner levels, come from the supply. Returns the outermost element, or -1 after a refusal. */
static int take_designated(struct body *body, struct supply *supply, CXCursor where,
                           struct expr *list, const struct children *parts, int level)
{
    int k = designated_element(body, parts->child[level], list->type);

    if (k < 0) {
        body_refuse(body, where, "a designated initialiser of a range or a union");
        return -1;
    }
    if (level == parts->count - 2) {
        return take_element(body, supply, where, list, k) ? k : -1;
    }
    widen(body, where, list, k + 1);
    if (list->kid[k]->kind != EXPR_INIT) {
        body_refuse(body, where, "a designated initialiser of a part of what is set already");
        return -1;
    }
    level = take_designated(body, supply, where, list->kid[k], parts, level + 1);
    return level >= 0 && take_following(body, supply, where, list->kid[k], level + 1) ? k : -1;
}

/* Fills an array or a record from its own list in braces. */
static struct expr *take_list(struct body *body, struct supply *supply, CXCursor where,
                              const struct type *type)
{
    struct expr *list = body_new_expr(body, EXPR_INIT, where, type, 0);
    int k = 0;

    while (supply->next < supply->values.count) {
        CXCursor *value = &supply->values.child[supply->next];

        if (is_designated(*value)) {
            struct children parts = front_children(body->front, *value);

            if (parts.count < 2 || may_be_range(body, *value, &parts)) {
                return body_refuse(body, where, "a designated initialiser of a range or a union");
            }
            *value = parts.child[parts.count - 1];
            k = take_designated(body, supply, where, list, &parts, 0) + 1;
            if (k == 0) {
                return NULL;
            }
        } else if (k >= elements(type)) {
            return body_refuse(body, where, "an initialiser with too many values");
        } else if (!take_element(body, supply, where, list, k++)) {
            return NULL;
        }
    }
    return list;
}

/* ---- strings --------------------------------------------------------------------------------- */

/* One character of a literal as clang spells it: escapes are \n and its like, or three octal
 * digits. */
static int next_character(const char **text)
{
    static const char letter[] = "abfnrtv", value[] = "\a\b\f\n\r\t\v";
    int c = (unsigned char)*(*text)++;
    const char *known;

    if (c != '\\') {
        return c;
    }
    c = (unsigned char)*(*text)++;
    if (c >= '0' && c <= '7') {
        c = (c - '0') * 64 + ((*text)[0] - '0') * 8 + ((*text)[1] - '0');
        *text += 2;
        return c;
    }
    known = strchr(letter, c);
    return known != NULL ? value[known - letter] : c;
}

/* The characters of `char name[] = "..."`, or in braces; NULL (nothing refused) when it is none. */
static struct expr *string_array(struct body *body, CXCursor cursor, const struct type *type)
{
    CXCursor inner = front_strip(body->front, cursor);
    const char *text;
    const char *end;
    struct expr *list;

    if (type->kind != TYPE_ARRAY || type->elem->size != 1 || !type_is_integer(type->elem) ||
        clang_getCursorKind(inner) != CXCursor_StringLiteral) {
        return NULL;
    }
    text = front_spelling(body->front, inner);
    end = text + strlen(text) - 1;
    if (*text++ != '"') {
        return NULL; /* u8"..." */
    }
    list = body_new_expr(body, EXPR_INIT, cursor, type, 0);
    for (int k = 0; text < end && k < (int)type->count; k++) {
        struct expr *character = body_new_expr(
            body, EXPR_INT, cursor, front_basic(body->front, type->elem->kind, false), 0);

        widen(body, cursor, list, k + 1);
        character->bits = type_cut_bits(type->elem, (unsigned long long)next_character(&text));
        list->kid[k] = character;
    }
    return list;
}

CXCursor front_literal_braces(struct front *front, CXCursor cursor)
{
    CXCursor inner = front_strip(front, cursor);
    enum CXCursorKind kind = clang_getCursorKind(inner);
    struct children children = front_children(front, inner);

    if ((kind != CXCursor_CompoundLiteralExpr && kind != CXCursor_CXXFunctionalCastExpr) ||
        children.count == 0 ||
        clang_getCursorKind(children.child[children.count - 1]) != CXCursor_InitListExpr) {
        return clang_getNullCursor();
    }
    return children.child[children.count - 1];
}

static bool is_record_value(struct body *body, CXCursor value, const struct type *type)
{
    struct refusal refusal = {0};
    const struct type *own = front_type(body->front, clang_getCursorType(value), &refusal);

    return own != NULL && own->kind == TYPE_RECORD && type_same(own, type);
}

/* NULL: its value is not certain before the program runs. */
static struct expr *folded(struct body *body, CXCursor cursor, const struct type *type)
{
    bool is_floating = type->kind == TYPE_DOUBLE || type->kind == TYPE_FLOAT;
    enum type_kind kind = is_floating ? TYPE_DOUBLE : TYPE_LLONG;
    struct expr *expr = body_new_expr(body, is_floating ? EXPR_FLOAT : EXPR_INT, cursor,
                                      front_basic(body->front, kind, false), 0);
    double value;

    if (type->kind >= TYPE_POINTER || !front_fold(body->front, cursor, &value)) {
        return NULL;
    }
    if (is_floating) {
        expr->value = value;
    } else {
        expr->bits = (unsigned long long)(long long)value;
    }
    return expr;
}

static struct expr *take(struct body *body, struct supply *supply, CXCursor where,
                         const struct type *type)
{
    CXCursor value = supply->values.child[supply->next];
    CXCursor braces = front_literal_braces(body->front, value);
    bool is_list = type->kind == TYPE_ARRAY || type->kind == TYPE_RECORD;
    struct expr *list = string_array(body, value, type);

    if (list != NULL) {
        supply->next++;
        return list;
    }
    if (is_list && !clang_Cursor_isNull(braces) && is_record_value(body, value, type)) {
        value = braces;
    }
    if (clang_getCursorKind(value) == CXCursor_InitListExpr) {
        supply->next++;
        return body_initialiser(body, value, type);
    }
    if (is_list && !is_record_value(body, value, type)) {
        list = body_new_expr(body, EXPR_INIT, where, type, 0);
        return take_following(body, supply, where, list, 0) ? list : NULL;
    }
    supply->next++;
    if (type->kind != TYPE_RECORD && body->entry == NULL) {
        struct expr *constant = body_constant(body, value);

        constant = constant != NULL ? constant : folded(body, value, type);
        if (constant != NULL) {
            return body_convert(body, constant, type);
        }
    }
    return body_convert(body, body_expr(body, value), type);
}

struct expr *body_initialiser(struct body *body, CXCursor cursor, const struct type *type)
{
    bool is_braced = clang_getCursorKind(cursor) == CXCursor_InitListExpr;
    bool is_list = type->kind == TYPE_ARRAY || type->kind == TYPE_RECORD;
    struct supply supply = {{1, &cursor}, 0};
    struct expr *list = NULL;

    if (is_braced) {
        supply.values = front_children(body->front, cursor);
    }
    if (supply.values.count == 1) {
        list = string_array(body, supply.values.child[0], type);
    }
    if (list != NULL) {
        return list;
    }
    if (is_braced && is_list) {
        return take_list(body, &supply, cursor, type);
    }
    if (is_braced && supply.values.count == 0) {
        return body_zero(body, cursor, type);
    }
    if (is_braced && supply.values.count > 1) {
        return body_refuse(body, cursor, "an initialiser with too many values");
    }
    if (type->kind == TYPE_ARRAY) {
        return body_refuse(body, cursor, "an array initialised by a wide string");
    }
    return take(body, &supply, cursor, type);
}
