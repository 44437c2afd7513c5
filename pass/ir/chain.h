/* chain.h: the loops of each function in the order in which it calls them, with the control around
 * them and what the host code between them does to the variables that loops name.
 *
 * The front end fills Program.chain and Program.host_var. Groups of loops that run as one kernel
 * (pass/ir/group.h) are formed from chains, in splitter/group/. The steps say which loops follow
 * one another, on every way through the function, and what comes between. Nothing is left out in
 * silence: code that the front end cannot see into is an EFFECT_UNKNOWN. Chains promise nothing
 * about two names of one object: whether two dats are the same is seen at run time, by the objects
 * that the calls pass.
 *
 *     chain "iterate"                       for (k = 0; k < 2; k++) {
 *       loop save_soln_1                        adt_calc; res_calc; bres_calc;
 *       repeat for 2 times, at least once       *rms = 0;
 *         loop adt_calc_1                       update with *rms
 *         ...                               }
 *         code: changes "*rms"
 *         loop update_1
 */
#ifndef CLEAVE_CHAIN_H
#define CLEAVE_CHAIN_H

#include "pass/ir/loop_ir.h"

enum host_kind {
    HOST_SET,
    HOST_MAP,
    HOST_DAT,
    HOST_VALUE /* a variable that op_arg_gbl or op_arg_info points to, or that is a kernel's
                  constant */
};

enum { PARAM_NONE = -1, PARAM_THIS = -2 };

/* A variable of the host program that loops name. Sets, maps and dats are handles: the variable
 * p_q is one thing, the values of the dat that it names are another. */
struct host_var {
    enum host_kind kind;
    const char *text; /* "p_q", "mesh->q", "*rms", "this->q"; "dats[]" where the subscript varies */
    struct loc loc;   /* of the declaration of the variable that the text begins with */
    int chain;        /* chain of the function that declares that variable; -1: it is static */
    int param;        /* position of the variable among that function's parameters, or PARAM_ */
    /* No pointer leads to the variable except those that op_arg_gbl passes to loops: only code of
     * its own chain reads or changes it, and by its name. */
    bool is_private;
    /* The text may name another object at each evaluation: it has a subscript that is not constant,
     * or calls a function. */
    bool varies;
    /* HOST_VALUE: kernels read it as this constant (one of program->global); NULL: it is none. */
    const struct var *constant;
};

/* Values in place of an index of a host_var. */
enum {
    HOST_NONE = -1,    /* STEP_LOOP: the argument has none */
    HOST_POINTED = -2, /* EFFECT_LOOK, _CHANGE: any value that a pointer may lead to, the `data` of
                          dats too; EFFECT_REBIND: any handle that a pointer may lead to */
    HOST_ALL =
        -3 /* EFFECT_LOOK, _CHANGE: any value and any dat; all effects that are about no variable */
};

enum effect_kind {
    EFFECT_LOOK,    /* reads the value, or the values of the dat */
    EFFECT_CHANGE,  /* writes the value, or values of the dat */
    EFFECT_REBIND,  /* the name means another object from now on: the handle, or a pointer in the
                       text, is written */
    EFFECT_DECLARE, /* op_decl_const gives the constant the variable's value; comes with a CHANGE */
    EFFECT_ORDER,   /* renumbers the mesh, or changes how loops run; no value changes */
    EFFECT_CLOCK,   /* measures time, or prints what was measured */
    EFFECT_UNKNOWN  /* may do all of these, call loops, and never return */
};

/* Something that host code may do. */
struct effect {
    enum effect_kind kind;
    int var;        /* index in program->host_var, HOST_POINTED or HOST_ALL */
    const char *by; /* the called function, "asm" or similar; NULL: an expression */
    struct loc loc;
    /* LOOK, CHANGE of HOST_POINTED: all that it stands for is done by expressions that are the text
     * of a HOST_VALUE: the step has the same effect on these variables. Not in dumps. */
    bool is_named;
};

enum step_kind {
    STEP_LOOP,   /* a call of op_par_loop */
    STEP_CODE,   /* a statement, or a part of one, with effects; code without any is no step */
    STEP_CALL,   /* a call of a function that has a chain; it may not return where that chain has a
                    STEP_LEAVE other than return */
    STEP_REPEAT, /* what is inside runs in order, from the first step to the last, and then again;
                    the steps of a condition stand where it is evaluated */
    STEP_CHOICE, /* inside are STEP_BRANCHes: one of them runs, or none unless `always` */
    STEP_SWITCH, /* inside are STEP_BRANCHes: runs one and those behind it up to a STEP_BREAK, or
                    none   unless `always` */
    STEP_BRANCH, /* of a STEP_CHOICE or STEP_SWITCH, and only there */
    STEP_BREAK,  /* leaves the innermost STEP_REPEAT or STEP_SWITCH */
    STEP_CONTINUE, /* ends this turn of the innermost STEP_REPEAT; the steps behind the last
                      STEP_NEXT inside of it, its condition or step expression, run */
    STEP_NEXT,     /* where STEP_CONTINUE of the STEP_REPEAT around it goes on */
    STEP_GOTO,     /* continues at the STEP_LABEL of the same word, or at any label ("*") */
    STEP_LABEL,    /* control may come here from elsewhere: a label, a case that is no branch, a
                      handler    of exceptions, setjmp */
    STEP_LEAVE     /* the function ends: return, throw, exit, longjmp */
};

/* Variables that an argument of a STEP_LOOP names: indices of program->host_var, or HOST_NONE. */
struct step_arg {
    int data; /* the dat, or the value */
    int map;
};

/* Binds a variable of the called function's chain to one of the caller's. */
struct step_bind {
    int inner; /* of the callee: declared by one of its parameters, or below `this` */
    int outer; /* of the caller, or static */
};

struct step {
    enum step_kind kind;
    struct loc loc;
    int parent; /* the step around it; -1: none */
    int end;    /* steps [own index + 1, end) are inside */
    int loop;   /* STEP_LOOP: index in program->loop; another step may name the same loop */
    int set;    /* STEP_LOOP: a HOST_SET */
    int args;   /* STEP_LOOP: number of arguments of the loop */
    struct step_arg *arg;
    int callee; /* STEP_CALL: index in program->chain, less than the caller's */
    int binds;  /* STEP_CALL: one for each variable of the callee with a `param` */
    struct step_bind *bind;
    /* STEP_CODE: its effects. STEP_CALL: effects of the callee's host code on variables of the
     * caller. */
    int effects;
    struct effect *effect;
    long trips;  /* STEP_REPEAT: how often the body runs, unless a step inside leaves it; -1: not
                    known */
    bool always; /* STEP_REPEAT: the body runs at least once, STEP_CHOICE, STEP_SWITCH: a branch
                    runs */
    /* "for", "while", "do", "if", "switch"...; STEP_CALL: the function; labels: their names;
     * STEP_LEAVE: "return", "throw", "exit"... NULL for others. */
    const char *word;
};

/* A function that calls loops, itself or through functions with chains. */
struct chain {
    const char
        *name; /* with its namespaces, classes and template arguments: "solver<double>::step" */
    struct loc loc;
    bool is_internal; /* functions of other files cannot call it by name: internal linkage */
    bool is_loose;    /* the front end could not place the loop in its function: it stands alone,
                         between unknown code */
    int steps;        /* a step comes before those inside of it: source order */
    struct step *step;
};

/* ---- questions (chain.c) --------------------------------------------------------------------- */

/* Bits of step_touches(). */
enum {
    TOUCH_LOOK = 1,
    TOUCH_CHANGE = 2,
    TOUCH_REBIND = 4,
    /* The values of a dat may be read or written through a pointer (dat->data), which the runtime
     * notices when it happens: see CLEAVE_WATCH. */
    TOUCH_WATCHED = 8
};

/* Possible effects on a variable of a step and the steps inside of it: bits of TOUCH_; 0: none. The
 * variable is static or of the step's own chain. Loops count by the access of their arguments and
 * by the constants of their kernels, a STEP_CALL with all that the callee's loops and code do. */
unsigned step_touches(const struct program *program, const struct chain *chain, int step, int var);

/* Whether a step, or one inside of it, has an effect of this kind. A STEP_CALL has those of the
 * callee's code that are on all. */
bool step_has_effect(const struct chain *chain, int step, enum effect_kind kind);

/* Whether the loop's kernel, or a function that it calls, reads the constant. */
bool loop_reads_constant(const struct program *program, const struct loop *loop,
                         const struct var *constant);

/* The chain of a loop that stands in no known function, between unknown code. */
void chain_make_loose(const struct program *program, int loop, struct chain *chain);
/* Adds a chain for loops that stand in none, each between unknown code; for programs that no front
 * end has made. */
void chain_add_loose(struct program *program);

/* ---- text (chain_print.c, chain_read.c, chain_explain.c) --------------------------------------
 */

/* The text of --cleave-dump=chains (format: pass/ir/FORMAT.md). */
void chain_print(FILE *out, const struct program *program);

/* Replaces the program's chains and host variables by those of a text that chain_print() wrote; the
 * loops and constants are found by their names. Returns NULL, or a message in the arena that names
 * the line and what is wrong; then the program is as before. The caller runs chain_check(). */
const char *chain_read(struct program *program, const char *text);

/* A part of --cleave-explain: each chain in sentences. */
void chain_explain(FILE *out, const struct program *program);

/* chain_check.c: the invariants written above; a part of loop_ir_check(). */
const char *chain_check(const struct program *program);

#endif
