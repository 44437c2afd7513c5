/* speculate.h: what the two files of the program speculate share: its mesh, and the calls of the
 * time steps, which the compiler sees apart from what the host does in between. */
#ifndef CLEAVE_TEST_SPECULATE_H
#define CLEAVE_TEST_SPECULATE_H

#include "op_seq.h"

enum { POINTS = 300, EDGES = 2 * POINTS, TURNS = 60 };
enum { SPEED = 1, FLUX = 2, STEP = 4, ALL = 7 }; /* loops of a half step */

extern op_set points, edges;
extern op_map ends;
extern op_dat p_q, p_old, p_speed, p_res;
extern double gain;
extern double dt;   /* of the steps to come */
extern double from; /* where their largest value begins */
extern double sums[2 * 4 * TURNS];
extern int steps;

void call_save(void);
/* Calls these loops of a half step. */
void half_step(int loops);
void turn(void);

#endif
