/* group.h: loops that run as one kernel.
 *
 * A group is a sequence of the user's loops that program->chain[] shows to follow one another. Its
 * joined loop computes for each element what the members compute one after the other. It stands in
 * program->loop[] behind the user's loops and is split, printed and tuned like these. The
 * splitter (splitter/group/) finds groups; the runtime launches a joined loop where the calls of a
 * group's members follow one another in its queue, and runs them one by one where they do not.
 *
 * A group that the finder did not foresee, or foresaw wrongly, costs time and never a right result:
 * the runtime compares sets, dats and maps of the members' calls with the pattern of the joined
 * loop's arguments.
 *
 *     save_soln(q, qold)                    group "save_soln+adt_calc" set
 *     adt_calc(x[pcell], q, adt)              arg 0: q      read by both members
 *                                             arg 1: qold   written by member 0
 *                                             arg 2: x      read by member 1 through pcell
 *                                             arg 3: adt    written by member 1
 *                                             member 0: args 0 1, member 1: args 2 0 3
 */
#ifndef CLEAVE_GROUP_H
#define CLEAVE_GROUP_H

#include "pass/ir/loop_ir.h"

enum group_form {
    GROUP_SET,   /* all members are loops over one set; each element needs of the others only sums
                    that the joined loop adds at the end, as a loop does with OP_INC */
    GROUP_GATHER /* the first member increments points of another set, and so do phases, joined
                    members behind it that run over other sets again. The others are loops over the
                    points and run, point by point, behind the sums of their point. Through maps
                    they only read dats that no member modifies. */
};

enum {
    GROUP_MOST = 16,           /* groups of a unit */
    GROUP_MOST_MEMBERS = 8,    /* members of a group */
    GROUP_MOST_PHASES = 3,     /* of one group */
    GROUP_MOST_PASSENGERS = 3, /* members that are not joined, in groups that the finder makes */
    GROUP_MOST_ARGS = 80       /* arguments of a joined loop: as many as op_par_loop takes */
};

/* Places where the call of a member runs. GROUP_IS_JOINED and GROUP_AHEAD are parts of the joined
 * loop. */
enum group_place {
    GROUP_IS_JOINED,
    GROUP_BEFORE, /* the member is launched by itself, before the joined loop */
    /* The joined loop computes the member, which is the last one of a GROUP_GATHER, into second
     * buffers, before the program calls it. The runtime takes them over when the call comes, if
     * nothing has changed since. */
    GROUP_AHEAD
};

struct group_member {
    int loop; /* index in program->loop, below program->user_loops */
    enum group_place place;
    /* [arguments of the loop] position of each among the joined loop's arguments; NULL if the
     * member is no part of it */
    const int *arg;
};

/* One argument of the joined loop: an access path, which one argument or several of the members
 * have in common. Its type, dim, map column and texts are those of the first one. */
struct group_arg {
    int member;         /* the first argument that it stands for: a joined member, */
    int arg;            /* and the argument's position there */
    enum access access; /* what the members do to it together */
    int dat; /* class: equal for arguments of the same dat variable, numbered in order; -1: no dat
              */
    int map; /* class: equal for arguments of the same map variable; -1: direct, or no dat */
    int set; /* GROUP_GATHER: as arg.set of loop_ir.h; else 0 */
};

struct group {
    const char *name; /* names of the members: "save_soln+adt_calc"; "res+update|adt_calc" if the
                         last one is run ahead of its call */
    enum group_form form;
    int members; /* 2 to GROUP_MOST_MEMBERS, in the order of their calls; two at least are joined */
    struct group_member *member;
    int args; /* of the joined loop, in order of their first use */
    struct group_arg *arg;
    int loop; /* the joined loop: index in program->loop, from program->user_loops on; -1: none is
                 made (yet) */
    /* Bytes per element of the set (GROUP_GATHER: per point) that the joined loop moves less than
     * its members: records that are read once in place of several times. */
    int saved_bytes;
    /* The joined loop certainly gives the bits that its members give; the splitter sets it when it
     * makes the loop. */
    bool exact;
    /* Whatever the data are, the joined loop ends, and reads nothing beyond the end of anything.
     * The splitter sets it with `exact`. */
    bool tame;
    struct loc loc; /* of the first member's call */
};

/* Two loops that follow one another and stand in no group together. */
struct group_refusal {
    int first; /* indices in program->loop */
    int second;
    const char *reason; /* for users: "'flux' reads 'p_q' through 'edge', and 'update' writes it" */
    struct loc loc;     /* of the second loop's call */
};

/* ---- group.c ------------------------------------------------------------------------------------
 */

/* The first member that is a part of the joined loop; of a GROUP_GATHER, the one that increments.
 */
int group_first_joined(const struct group *group);

/* Whether a member of a GROUP_GATHER is a phase: joined, and it increments through a map, but is
 * not the first. */
bool group_is_phase(const struct program *program, const struct group *group, int member);

/* The joined loop's argument number `arg`, as a loop has it. Its classes are those of the joined
 * loop; the access that is declared and the one that holds are the same; an ARG_INFO names the
 * joined loop's argument that it goes with. Returns a copy; texts and lists are the members'. */
struct arg group_joined_arg(const struct program *program, const struct group *group, int arg);

/* ---- text (group_text.c) ------------------------------------------------------------------------
 */

/* The text of --cleave-dump=groups (format: pass/ir/FORMAT.md). */
void group_print(FILE *out, const struct program *program);

/* Replaces the program's groups and refusals by those of a text that group_print() wrote; loops are
 * found by their names. Returns NULL, or a message in the arena that names the line and what is
 * wrong; then the program is as before. The caller runs group_check(). */
const char *group_read(struct program *program, const char *text);

/* group_check.c: the invariants written above; a part of loop_ir_check(). NULL, or a message in the
 * arena that names the group and the broken rule. */
const char *group_check(const struct program *program);

#endif
