/* jit.h: compiles variants that the program's objects do not hold, while the program runs.
 *
 * In: a loop whose unit carries the text of further variants (struct cleave_source_text). Out: a
 * unit of the same target with these variants, which is registered between two calls of loops, as
 * that of a library is; each call then chooses anew. Whoever prefers such a variant calls
 * cleave_jit_want(); loops go on meanwhile with what they have.
 *
 * One thread of low priority does it, a loop at a time: it asks the store for the shared object, or
 * unpacks the text into a temporary folder, runs the compiler that the object names, and keeps what
 * that makes. The key in the store is a hash of text, headers, command, compiler and versions.
 * Nothing here ends the program or delays a loop: without a compiler, zlib or memory there are no
 * further variants, and with OP_DIAGS a note says why.
 *
 * Neighbours: call/match.c adds the units to the matches of calls; choose/ asks for variants that
 * CLEAVE_VARIANT names.
 */
#ifndef CLEAVE_JIT_H
#define CLEAVE_JIT_H

#include "runtime/call/call.h"

enum cleave_jit_state {
    CLEAVE_JIT_NEVER,  /* there will be none: switched off, no text, or it failed */
    CLEAVE_JIT_COMING, /* they are being made */
    CLEAVE_JIT_THERE   /* the loop's matches have them, in a unit of their own */
};

/* Asks for all further variants (cleave_loop.further) of a loop of a unit that cleavecc compiled.
 * Call it with the runtime locked (cleave_enter), as often as you like: only the first call starts
 * anything. With CLEAVE_JIT=off or CLEAVE_DETERMINISTIC=1 the answer is CLEAVE_JIT_NEVER. */
enum cleave_jit_state cleave_jit_want(const struct cleave_unit_entry *entry,
                                      const struct cleave_loop *loop);

/* Calls cleave_jit_want() if the user names a further variant of the match's loops, and no variant
 * that was compiled. */
void cleave_jit_want_named(const struct cleave_match *match);

/* Between two calls of loops: takes over what is ready, after a flush; cleave_generation grows. The
 * caller has locked the runtime and does not hold the state of dats. */
void cleave_jit_adopt(void);
extern int cleave_jit_is_ready; /* 1: there is something to adopt; read it atomically */

/* At op_exit and before fork() loses the thread: ends a compiler that runs, waits for the thread,
 * and removes temporary files. Units that were taken over stay. */
void cleave_jit_stop(void);
/* In a child of fork(): the parent's compiler is not the child's. */
void cleave_jit_forked(void);
/* Ends what is made for a unit that is being unloaded, and unregisters its further variants. */
void cleave_jit_unload(struct cleave_unit_entry *entry);

/* Counts of the work so far, for reports. */
struct cleave_jit_summary {
    int wanted;   /* loops */
    int compiled; /* of them */
    int found;    /* in the store */
    int failed;
    double seconds;      /* that compilers took; no loop has waited for them */
    const char *failure; /* why the last one failed; NULL: none did. Valid until the next call */
};
struct cleave_jit_summary cleave_jit_summary(void);

#endif
