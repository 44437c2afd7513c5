/* chain.h: what the files that generate chains share: chains.c has the calls and what stands around
 * them, chain_loops.c the arguments of random loops, chain_gather.c those of sequences that become
 * groups which gather, chain_pass.c of some that pass values on, chain_bodies.c the kernels. */
#ifndef CLEAVE_FUZZ_CHAIN_H
#define CLEAVE_FUZZ_CHAIN_H

#include "testsuite/fuzz/fuzz.h"

enum { SETS = 3, DATS = 4, MAPS = 4, MOST_PARTS = 16 };

/* Set 0 has maps to both others, set 2 to set 1; in chains that gather, set 1 has one to set 2. */
struct chain_map {
    int from;
    int to;
    int columns;
};

struct chain_dat {
    enum scalar type;
    int dim;
    int is; /* the dat of the set that it is another name of; its own number: none */
};

struct chain {
    struct chain_map map[MAPS];
    int maps;
    struct chain_dat dat[SETS][DATS];
    bool has_floats; /* besides doubles, in an inexact chain */
    int loops;
    int last_set;
    int target; /* the set that the latest loop adds to through a map; -1: none */
    int sums;   /* the dat there that the next loop uses, point by point; -1: any loop comes next */
    struct piece *kernels;
};

/* An argument of a loop, and what its kernel does with it. */
struct part {
    enum argument_kind kind;
    enum access access;
    int set; /* of the dat */
    int dat;
    int map;     /* INDIRECT */
    int columns; /* INDIRECT: 1, or VECTOR */
    int dim;
    enum scalar type;
};

enum body {
    BODY_ANY,
    BODY_PLAIN, /* without calls of functions of the program, and without loops: may run ahead of
                   its call */
    BODY_COPY,  /* argument 0 = argument 1 */
    BODY_ZERO   /* argument 0 = 0 */
};

struct chain_loop {
    int set;
    struct part part[MOST_PARTS];
    int parts;
    enum body body;
    bool clears; /* BODY_ANY: argument 0 is 0 in the end */
};

/* ---- chains.c -------------------------------------------------------------------------------- */

/* Adds the loop's kernel to the chain, and returns its call. */
struct piece *chain_call(struct generator *g, struct chain *chain, const struct chain_loop *loop);
/* Something that the host does between two loops. */
struct piece *chain_host(struct generator *g, const struct chain *chain);

/* ---- chain_loops.c --------------------------------------------------------------------------- */

/* Returns the use that the loop makes of a dat already, by any name; NULL: none. */
const struct part *chain_use(const struct chain *chain, const struct chain_loop *loop, int set,
                             int dat);
struct part chain_part(const struct chain *chain, enum argument_kind kind, enum access access,
                       int set, int dat);
/* Does nothing if the loop has MOST_PARTS. */
void chain_add(struct chain_loop *loop, struct part part);
/* Adds some columns of the map, column 0 among them; or all of them, at 100 percent. */
void chain_add_columns(struct generator *g, const struct chain *chain, struct chain_loop *loop,
                       struct part part, int percent);
/* Adds a random dat of the loop's set that it does not use yet, or nothing. */
void chain_add_direct(struct generator *g, const struct chain *chain, struct chain_loop *loop);
void chain_add_global(struct chain_loop *loop, enum access access, int number);
/* Chooses set and arguments of the chain's next loop. */
void chain_make_parts(struct generator *g, struct chain *chain, struct chain_loop *loop);

/* ---- chain_gather.c -------------------------------------------------------------------------- */

/* Returns calls of loops that can run as one kernel which gathers, with something in between. */
struct piece *chain_gathering(struct generator *g, struct chain *chain);

/* ---- chain_pass.c ---------------------------------------------------------------------------- */

/* Returns calls of loops that pass values on, and what may look at these. */
struct piece *chain_passing(struct generator *g, struct chain *chain);

/* ---- chain_bodies.c -------------------------------------------------------------------------- */

/* Adds kernel number chain->loops. */
void chain_add_kernel(struct generator *g, struct chain *chain, const struct chain_loop *loop);

#endif
