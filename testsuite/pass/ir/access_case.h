/* access_case.h: the kernel, its loop and the run of the access check that the tests of access.c
 * and access_pointers.c share. A case is begin(), perhaps changes of `loop`, then a body.
 */
#ifndef CLEAVE_TEST_ACCESS_CASE_H
#define CLEAVE_TEST_ACCESS_CASE_H

#include "build.h"

/* void k(const double *r, double *w, double *rw, double *inc, double **vec, double *dinc, double
 * *gbl); an argument's dim is 4, of gbl 1; vec has 3 columns; inc and vec go through a map. */
enum { R, W, RW, INC, VEC, DINC, GBL, PARAMS };

/* The arena of the current case; finish() frees it. */
extern struct program *program;
extern struct function *kernel;
extern struct loop *loop;
/* The loop after the last finish(): each argument's access, and whether it is sequential. */
extern enum access accessed[PARAMS];
extern bool is_sequential;

/* param[subscript], and vec[column][subscript]. */
struct expr *at(int param, int subscript);
struct expr *row(int param, int column, int subscript);

/* A new program with the kernel, which has no body yet, at k.c:50, its arguments at 60 and on, and
 * nodes made next at 10:5. */
void begin(void);
/* Checks the program and frees it; what was said, until the next call. as_warnings and accept_alias
 * are the flags --cleave-access=warn and --cleave-alias=accept. */
const char *finish(bool as_warnings, bool accept_alias);
/* Checks this body without flags. */
const char *with_body(struct stmt *body);
/* Whether the text has the part; prints both when not. */
bool says(const char *text, const char *part);
/* Frees what was said last. */
void case_end(void);

#endif
