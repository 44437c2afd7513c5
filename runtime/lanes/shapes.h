/* shapes.h: moving records of 4- and 8-byte words between memory and vectors. Included once.
 *
 * A shape is a file shape_BxN.h for vectors of N lanes of B bytes, included once for each pass that
 * has such vectors. It has these functions, with _w8 for B = 8 and _w4 for B = 4:
 *
 *   loadK(out, p, step, at)  K components of N records, record l at p + step * at[l], are read
 * whole and transposed: out[c] has component c of all lanes turnK(t, v)              the way back:
 * from v[c], component c of all lanes, to whole records in some order in t; t may be v partK(t,
 * lane)           the record of a lane, out of what turnK made
 *
 * K is 2, and 4 if the shape has four lanes or more. Lanes are constants in all calls, so that a
 * part is one instruction, or none.
 */
#ifndef CLEAVE_LANES_SHAPES_H
#define CLEAVE_LANES_SHAPES_H

#define CLEAVE_RECORD(type, lane) (*(const type##_memory *)(p + step * (size_t)at[lane]))
#define CLEAVE_PAIR(lane) (*(const cleave_pair_memory *)(p + step * (size_t)at[lane]))

#endif
