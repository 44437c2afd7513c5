/* sides.h: whether an element does the same for both of its sides; for splitter/schedule/ and
 * codegen/cuda/.
 *
 * A flux leaves one cell and enters the other: f(b, a) = -f(a, b), though no line of the body says
 * so. Where that holds, a point that computes its own contributions need not know on which side of
 * the element it is: it takes the place of the first side, and the ends of the edge change places.
 */
#ifndef CLEAVE_SPLITTER_SIDES_H
#define CLEAVE_SPLITTER_SIDES_H

#include "pass/ir/loop_ir.h"

/* The column that changes places with `column` of argument a's map: arguments reach data through
 * these two columns of the map alone. Else `column` itself. */
int sides_partner(const struct loop *loop, int a, int column);

/* Whether a GATHER stage through two columns adds to the second point what it would add to the
 * first if all columns and their partners changed places. The values are equal as real numbers,
 * with the same terms and factors; sums may round differently, because their terms change places,
 * but whatever decides something (a comparison, a conversion to an integer), or divides, has the
 * same bits. */
bool sides_are_alike(const struct loop *loop, const struct stage *stage);

#endif
