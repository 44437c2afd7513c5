/* template.h: skeletons of generated text, with named holes.
 *
 * A template is a file codegen/templates/NAME.tpl that CMake embeds as template_NAME; the list of
 * them is in codegen/CMakeLists.txt. {{hole}} in it is replaced by what the hole's function prints.
 * A hole alone on its line prints whole lines, indented like the hole; when it prints nothing, the
 * line is gone. Templates have no conditions and no loops: a variant of another structure is
 * another template.
 */
#ifndef CLEAVE_CODEGEN_TEMPLATE_H
#define CLEAVE_CODEGEN_TEMPLATE_H

#include "codegen/out.h"
#include "templates.h" /* made from the list: template_NAME of each */

struct emit;

struct hole {
    const char *name;
    void (*print)(struct emit *emit);
};

/* Prints `text`; `hole` ends with a NULL name. A hole that the list does not have makes
 * out->failed. */
void template_print(struct emit *emit, const char *text, const struct hole *hole);
/* template_print() for a function whose parameters or locals depend on its text: see
 * emit_mentions(). */
void template_function(struct emit *emit, const char *text, const struct hole *hole);

#endif
