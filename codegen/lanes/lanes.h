/* lanes.h: bodies on vectors: the work of W consecutive elements at once, for targets whose text
 * runs on a CPU.
 *
 * In: loop->whole, the body as one stage. Out: text that uses the vectors of runtime/lanes/, or why
 * there can be none. Lanes, and lanes_one() for the elements that fill no vector, print the body of
 * the same stage with the same operations, so that both, and every width, give the same bits; the
 * kernel called whole may add two increments of one place in another order.
 */
#ifndef CLEAVE_CODEGEN_LANES_H
#define CLEAVE_CODEGEN_LANES_H

#include "codegen/emit.h"

/* Why the loop has no text on vectors, in the user's words; NULL: it has. */
const char *lanes_refusal(struct emit *emit, const struct loop *loop);

/* Bytes of the lanes of a loop that is not refused: 8 if a value of 8 bytes takes part in the body,
 * else 4. */
int lanes_class(struct emit *emit, const struct loop *loop);

/* Prints, in braces of its own, the work of the elements cleave_e .. cleave_e + CLEAVE_LANES - 1 of
 * the current loop. Its text needs cleave_e (int), the data that codegen/openmp declares, and for
 * each reduction cleave_gbl_NAME[dim][CLEAVE_SLOTS] and cleave_slot (int), a multiple of
 * CLEAVE_LANES: element cleave_e + l reduces into slot cleave_slot + l.
 *
 * requires: lanes_refusal() is NULL. */
void lanes_work(struct emit *emit);

/* Prints the work of the element cleave_e alone, by scalars; it reduces into slot cleave_slot. */
void lanes_one(struct emit *emit);

#endif
