/* out.h: where generated text goes. Owns indentation and line breaks; nothing else in codegen/
 * writes to a FILE.
 *
 * Text is indented when its line begins; lines that begin with '#' stay at the margin.
 */
#ifndef CLEAVE_CODEGEN_OUT_H
#define CLEAVE_CODEGEN_OUT_H

#include "pass/ir/loop_ir.h"

struct out {
    FILE *file;
    int indent;  /* columns */
    int column;  /* of the next character; 0 at the start of a line */
    int lines;   /* that have ended */
    int list;    /* column of the first item of the current list */
    bool failed; /* memory ran out or writing failed */
};

void out_text(struct out *out, const char *text);
void out_format(struct out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* out_format and a newline. */
void out_line(struct out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A line comment. Line ends in the text become blanks, so that user text cannot end it. */
void out_comment(struct out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "left = right;", broken after the sign where the line would pass column 100; sign: "=" or "+=".
 */
void out_assign(struct out *out, const char *left, const char *sign, const char *right);
/* A statement and a newline; broken after operators and commas where it would pass column 100. */
void out_code(struct out *out, const char *text);
/* A C string literal; NULL prints NULL. */
void out_string(struct out *out, const char *text);
/* One item of a comma separated list, *items counting; a line that would pass column 100 is broken,
 * and goes on under the first item. */
void out_item(struct out *out, int *items, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void out_type(struct out *out, const struct type *type, const char *declarator);
void out_expr(struct out *out, const struct expr *expr, const struct c_names *names);
/* The expression's text, in the arena. */
const char *out_expr_text(struct out *out, struct arena *arena, const struct expr *expr,
                          const struct c_names *names);
void out_stmt(struct out *out, const struct stmt *stmt, const struct c_names *names);

#endif
