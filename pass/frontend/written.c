/* written.c: what the user wrote for the parts of a call of op_par_loop: for messages, comments and
 * the names of generated variables.
 *
 * In: the call's text as the preprocessor's # gives it, before macros are expanded, and its tree.
 * Out: the texts of the arguments, and of the parameters of each. A macro may stand for several of
 * either; then the text says nothing about where the others are, and the tree is written instead.
 */
#include "pass/frontend/util.h"

#include <string.h>

/* Called with each part of a text; returns false when it has seen enough. */
typedef bool on_part(const char *start, const char *end, void *user);

static bool is_opening(char c)
{
    return c == '(' || c == '[' || c == '{';
}

static bool is_closing(char c)
{
    return c == ')' || c == ']' || c == '}';
}

/* Divides text at commas outside of brackets and quotes, up to its end or a bracket that closes. */
static void each_part(const char *text, on_part *on_part, void *user)
{
    const char *start = text;
    int depth = 0;
    char quote = '\0';

    for (;; text++) {
        bool is_end = *text == '\0' || (depth == 0 && quote == '\0' && is_closing(*text));

        if (is_end || (*text == ',' && depth == 0 && quote == '\0')) {
            if (!on_part(start, text, user) || is_end) {
                return;
            }
            start = text + 1;
        } else if (quote != '\0') {
            if (*text == '\\' && text[1] != '\0') {
                text++;
            } else if (*text == quote) {
                quote = '\0';
            }
        } else if (*text == '"' || *text == '\'') {
            quote = *text;
        } else {
            depth += is_opening(*text);
            depth -= is_closing(*text);
        }
    }
}

struct division {
    struct front *front;
    struct parts *parts;
};

static bool add_part(const char *start, const char *end, void *user)
{
    struct division *division = user;
    struct arena *arena = division->front->arena;
    struct parts *parts = division->parts;

    while (start < end && (*start == ' ' || *start == '\t')) {
        start++;
    }
    while (end > start && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    parts->part = arena_grow(arena, parts->part, parts->count, &parts->room, sizeof(*parts->part));
    parts->part[parts->count++] = arena_text_part(arena, start, (size_t)(end - start));
    return true;
}

/* Part k of a text that has `count` of them; NULL when it has more or fewer. */
static const char *part(struct front *front, struct parts *parts, const char *text, int k,
                        int count)
{
    struct division division = {front, parts};

    if (parts->text != text) {
        parts->text = text;
        parts->count = 0;
        each_part(text, add_part, &division);
    }
    return parts->count == count && k >= 0 && k < count ? parts->part[k] : NULL;
}

const char *front_written_argument(struct front *front, const char *text, CXCursor call, int k)
{
    /* The call's first argument is the text itself. */
    const char *found =
        part(front, &front->arguments, text, k - 1, clang_Cursor_getNumArguments(call) - 1);

    return found != NULL ? found
                         : front_tree_text(front, clang_Cursor_getArgument(call, (unsigned)k));
}

const char *front_written_parameter(struct front *front, const char *text, const char *name,
                                    CXCursor call, int k)
{
    size_t length = strlen(name);
    const char *found = NULL;

    if (strncmp(text, name, length) == 0) {
        const char *open = text + length + strspn(text + length, " ");

        if (*open == '(') {
            found =
                part(front, &front->parameters, open + 1, k, clang_Cursor_getNumArguments(call));
        }
    }
    return found != NULL ? found
                         : front_tree_text(front, clang_Cursor_getArgument(call, (unsigned)k));
}

/* ---- the tree as text ------------------------------------------------------------------------ */

static const char *member_text(struct front *front, CXCursor member,
                               const struct children *children)
{
    const char *name = front_spelling(front, member);
    CXCursor base;
    bool is_arrow;

    if (children->count == 0 || !clang_isExpression(clang_getCursorKind(children->child[0]))) {
        return name;
    }
    base = children->child[0];
    is_arrow = clang_getCanonicalType(clang_getCursorType(base)).kind == CXType_Pointer;
    if (clang_getCursorKind(front_strip(front, base)) == CXCursor_CXXThisExpr) {
        return name;
    }
    return arena_format(front->arena, "%s%s%s", front_tree_text(front, base), is_arrow ? "->" : ".",
                        name);
}

/* The text of an operand, in parentheses where it is an operation of its own; "..." where it has
 * none. */
static const char *operand_text(struct front *front, CXCursor operand)
{
    const char *text = front_tree_text(front, operand);
    bool is_operation =
        clang_getCursorKind(front_strip_casts(front, operand)) == CXCursor_BinaryOperator;

    if (is_operation) {
        return arena_format(front->arena, "(%s)", text);
    }
    return *text != '\0' ? text : "...";
}

static const char *binary_text(struct front *front, CXCursor operation,
                               const struct children *children)
{
    const char *sign = front_string(
        front, clang_getBinaryOperatorKindSpelling(clang_getCursorBinaryOperatorKind(operation)));
    const char *left = operand_text(front, children->child[0]);

    return arena_format(front->arena, "%s %s %s", left, sign,
                        operand_text(front, children->child[1]));
}

const char *front_tree_text(struct front *front, CXCursor cursor)
{
    CXCursor inner = front_strip_casts(front, cursor);
    struct children children = front_children(front, inner);
    unsigned long long number;
    const char *operand;

    switch (clang_getCursorKind(inner)) {
    case CXCursor_MemberRefExpr:
        return member_text(front, inner, &children);
    case CXCursor_ArraySubscriptExpr:
        if (children.count != 2) {
            break;
        }
        operand = front_tree_text(front, children.child[0]);
        return arena_format(front->arena, "%s[%s]", operand,
                            front_tree_text(front, children.child[1]));
    case CXCursor_BinaryOperator:
        if (children.count != 2) {
            break;
        }
        return binary_text(front, inner, &children);
    case CXCursor_UnaryOperator:
        if (children.count != 1) {
            break;
        }
        operand = front_string(
            front, clang_getUnaryOperatorKindSpelling(clang_getCursorUnaryOperatorKind(inner)));
        return arena_format(front->arena, "%s%s", operand,
                            front_tree_text(front, children.child[0]));
    case CXCursor_IntegerLiteral:
        if (front_integer(inner, &number)) {
            return arena_format(front->arena, "%llu", number);
        }
        break;
    case CXCursor_StringLiteral:
        return front_spelling(front, inner);
    case CXCursor_CallExpr:
        return arena_format(front->arena, "%s(...)", front_spelling(front, inner));
    default:
        break;
    }
    return front_spelling(front, inner);
}
