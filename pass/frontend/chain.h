/* chain.h: what the parts of the front end that fill program->chain share (pass/ir/chain.h).
 *
 * chain.c runs over the functions that lead to loops, callees first: chain_stmt.c, chain_expr.c and
 * chain_call.c walk a body once and draft its steps, whose touches are on places of the source
 * (chain_place.c); chain_known.c knows what library functions do. When all bodies are walked,
 * chain_resolve.c lists the variables that loops name, and chain_effects.c turns touches into
 * effects on them.
 */
#ifndef CLEAVE_FRONTEND_CHAIN_H
#define CLEAVE_FRONTEND_CHAIN_H

#include "pass/frontend/util.h"
#include "pass/ir/chain.h"

/* ---- places (chain_place.c)
 * ---------------------------------------------------------------------- */

enum place_kind {
    PLACE_OTHER,    /* what an expression gives: `base` is the expression, or null */
    PLACE_VARIABLE, /* `base` is a variable's canonical declaration */
    PLACE_THIS      /* below the object of a member function */
};

/* Location of a value: a path from a base. In the path "*" follows a pointer, ".name" takes a
 * member, "[2]" an element, "[]" an element at a subscript that is not constant. */
struct host_place {
    enum place_kind kind;
    CXCursor base;
    const char *path;
    bool derefs; /* it lies behind a pointer or a reference */
    bool varies; /* it may name another object at the next evaluation */
};

struct host_place host_place_of(struct front *front, CXCursor expression);
/* Whether a call gives an element of a std::vector or std::array: of which, and at which subscript
 * (null: none is written). */
bool host_element(struct front *front, CXCursor call, CXCursor *object, CXCursor *subscript);
/* Whether an object of the type is one by which threads talk to each other, volatile or atomic:
 * another thread may look at dats once it is written, and may have changed them when it is read. */
bool host_is_for_others(CXType type);
/* Behind some pointer. */
struct host_place host_somewhere(void);
/* The object that a pointer expression points to. */
struct host_place host_pointee(struct front *front, CXCursor expression);
/* The place that `path` leads to from `place`. */
struct host_place host_below(struct front *front, struct host_place place, const char *path);
/* The place in the user's notation: "mesh->q", "*rms". */
const char *host_place_text(struct front *front, const struct host_place *place);

enum place_relation {
    PLACES_APART,
    PLACES_SAME,  /* or they may be */
    PLACE_INSIDE, /* the first is a part of the second, or behind a pointer in it */
    PLACE_AROUND  /* the second is a part of the first, or behind a pointer in it */
};

/* How two places are related by their names; *rest: the end of the longer path. */
enum place_relation host_relation(const struct host_place *a, const struct host_place *b,
                                  const char **rest);

/* ---- drafts
 * -------------------------------------------------------------------------------------- */

/* Effects of code on a place. */
enum {
    DOES_READ = 1,
    DOES_WRITE = 2,
    DOES_ADDRESS = 4, /* takes the address: a pointer may lead there from now on */
    DOES_LOOK = 8,    /* reads the values of the dat whose handle this is */
    DOES_CHANGE = 16, /* writes them */
    DOES_ORDER = 32,  /* without a place, from here on */
    DOES_CLOCK = 64,
    DOES_UNKNOWN = 128,
    DOES_LOOK_ALL = 256,
    DOES_DECLARE = 512, /* op_decl_const takes over the value; with DOES_WRITE */
    DOES_NOWHERE = DOES_ORDER | DOES_CLOCK | DOES_UNKNOWN | DOES_LOOK_ALL
};

struct touch {
    struct host_place place;
    unsigned does;
    enum CXTypeKind type; /* type of the object that is read or written; CXType_Invalid: any type */
    bool may_be_handle; /* of a write behind a pointer: what is written may be a handle or a pointer
                         */
    const char *by;
    struct loc loc;
};

struct touches {
    struct touch *touch;
    int count;
    int room;
};

/* The arguments of a call: their values, and the objects that they would point to. */
struct passed {
    int count;
    struct host_place *value;
    struct host_place *pointee;
    bool has_object;
    struct host_place object; /* what `this` points to */
};

struct draft_arg {
    struct host_place data;
    struct host_place map;
    bool has_data;
    bool has_map;
};

struct draft_step {
    struct step step;
    struct touches touches;
    struct host_place set;
    struct draft_arg *arg;
    struct draft *callee;
    struct passed passed;
};

enum draft_state { DRAFT_NEW, DRAFT_WALKING, DRAFT_DONE };

/* A function whose body is visible. */
struct draft {
    CXCursor function; /* its definition, or a lambda */
    CXCursor body;     /* null: not found */
    enum draft_state state;
    bool leads_to_loops; /* it has some, or calls or names a function that leads to loops */
    bool has_loops;      /* it, or one that it calls, has a step for a loop: it has a chain */
    int params;
    CXCursor *param;         /* canonical */
    struct draft_step *step; /* where it leads to loops */
    int steps;
    int step_room;
    struct touches summary; /* what its code does to what others see too: static variables, what its
                               parameters and pointers lead to */
    int chain;              /* index in program->chain */
    struct draft *next;     /* in the order of their ends: callees first */
};

/* The counter of a `for` that counts up or down; is_written: something else writes it too. */
struct counter {
    CXCursor variable;
    bool is_written;
    struct counter *outer;
};

/* One body that is being walked. */
struct chain_walk {
    struct front *front;
    struct chain_front *all;
    struct draft *draft;
    int around;     /* the innermost open step; -1: none */
    int code;       /* the STEP_CODE that takes touches; -1: the next touch begins one */
    struct loc loc; /* of the statement at hand */
    const char *by; /* the library function whose arguments are evaluated; NULL: none */
    struct counter *counter;
    bool continues; /* the innermost repetition has a `continue` */
};

/* All bodies of the translation unit. */
struct chain_front {
    struct front *front;
    struct draft *draft; /* [front->visits], as front->visited */
    int *slot;           /* hash table of drafts by cursor: index + 1 */
    unsigned slots;
    struct draft *first; /* done, callees first */
    struct draft *last;
    int depth;    /* bodies that are being walked */
    bool *placed; /* [front->calls]: a step was made for it */
};

/* chain.c: the draft of a function that a reference names, walked; NULL: its body is not visible,
 * or it is being walked already. */
struct draft *chain_callee(struct chain_walk *walk, CXCursor referenced);
/* Walks a lambda's body as a function of its own. */
struct draft *chain_lambda(struct chain_walk *walk, CXCursor lambda);
/* Whether an expression or statement calls loops, itself or through functions that lead to them. */
bool chain_leads(struct chain_walk *walk, CXCursor code);
/* Index of the program's loop for a call of cleave_parse_loop; -1: there is none. */
int chain_loop_of(struct chain_walk *walk, CXCursor call);

/* chain_steps.c: appends a step that has no steps inside. */
struct draft_step *chain_add(struct chain_walk *walk, enum step_kind kind, CXCursor where,
                             const char *word);
/* Begins a step with steps inside; returns its index for chain_end(). */
int chain_begin(struct chain_walk *walk, enum step_kind kind, CXCursor where, const char *word);
/* Ends it. Without loops, calls and jumps out of it, it becomes a STEP_CODE with all touches. */
void chain_end(struct chain_walk *walk, int step);
/* Records a touch on the step at hand and in the function's summary. */
void chain_touch(struct chain_walk *walk, struct touch touch);
/* Records a touch without a place. */
void chain_do(struct chain_walk *walk, unsigned does, const char *by, CXCursor where);
void touches_add(struct front *front, struct touches *touches, const struct touch *touch);

/* chain_stmt.c: walks a statement. */
void chain_stmt(struct chain_walk *walk, CXCursor statement);
/* chain_repeat.c: for, while and do. */
void chain_repeat(struct chain_walk *walk, CXCursor repeat);
/* chain_expr.c: walks an expression; does: DOES_ bits of what happens to the value or place. */
void chain_expr(struct chain_walk *walk, CXCursor expression, unsigned does);
/* Walks only the parts that are evaluated on the way to a place: subscripts, pointers. */
void chain_expr_inner(struct chain_walk *walk, CXCursor expression);
/* Records DOES_ bits on a place; `type` is the type of the object there. */
void chain_touch_place(struct chain_walk *walk, struct host_place place, unsigned does, CXType type,
                       const char *by, CXCursor where);
/* chain_call.c: walks a call with its arguments. */
void chain_call(struct chain_walk *walk, CXCursor call, unsigned does);
/* The parts of a call of cleave_parse_loop (loop.c's FIRST_ARG). */
void chain_call_loop(struct chain_walk *walk, CXCursor call, int loop);

/* chain_known.c: what a function without a visible body does, by its name. */
struct known_function {
    const char *name;
    /* One letter for each argument, the last for all others: . value, r read through the pointer,
     * w written through it, b both; for handles of dats l look, c change, e both; k: the constant
     * that the pointer leads to gets its value; a: the address is kept. */
    const char *args;
    unsigned does;      /* DOES_NOWHERE bits */
    const char *leaves; /* the word of a STEP_LEAVE behind it; NULL: it returns */
    bool is_label;      /* control may come back here: setjmp */
};

/* NULL: it may do anything. */
const struct known_function *chain_known(struct front *front, CXCursor referenced,
                                         const char *name);

/* Translates a place of the callee to the caller's; false: only the callee sees it. */
bool chain_translate(struct front *front, const struct draft *callee, const struct passed *passed,
                     const struct host_place *inner, struct host_place *outer);

/* Whether the draft is that of a lambda, and the variable is declared outside of it. */
bool chain_is_captured(const struct draft *draft, CXCursor variable);

/* ---- variables
 * ------------------------------------------------------------------------------------ */

/* A host_var and where it stands. */
struct named {
    struct host_var var;
    struct host_place place;
    bool is_typed;
    enum type_kind type; /* HOST_VALUE, is_typed: of a component; TYPE_VOID: not known */
};

struct resolve {
    struct front *front;
    struct named *named;
    int count;
    int room;
    int chain;           /* at hand */
    CXCursor *addressed; /* local variables whose address its function takes */
    int addresses;
    int address_room;
};

/* chain_effects.c */
bool chain_is_static(const struct host_place *place);
/* Reads which addresses the function takes; before chain_effects() for its steps. */
void chain_note_addresses(struct resolve *resolve, const struct draft *draft);
/* Fills step->step.effect from step->touches. */
void chain_effects(struct resolve *resolve, struct draft_step *step);

/* chain_resolve.c: fills program->host_var and program->chain from the drafts. */
void chain_resolve(struct chain_front *all);

#endif
