/* gather.c: runs of a loop that increments points and of loops over these points.
 *
 * A first loop adds to (lowers, raises) dats through one map. Loops over the set that the map leads
 * to follow, and each of their elements needs of the members only its own point's records. Through
 * maps, they read what no member modifies. The dats that they write and the first loop reads
 * through the map go to second buffers. Between them, phases may add to the points from other sets
 * (gather_phases.c).
 */
#include "pass/ir/arena.h"
#include "splitter/group/group_impl.h"

static bool is_reduction(const struct arg *arg)
{
    return arg->kind == ARG_INFO || (arg->kind == ARG_GLOBAL && arg->access != ACCESS_READ);
}

/* Whether the argument adds to, lowers or raises a dat through a map. */
static bool is_update(const struct arg *arg)
{
    return arg->kind == ARG_DAT && arg->is_indirect &&
           (arg->access == ACCESS_INC || arg->access == ACCESS_MIN || arg->access == ACCESS_MAX);
}

/* Whether the last member of a run uses, at its own element, a dat that the first one updates: then
 * it runs over the points of the first one's map. */
static bool uses_sums(const struct run *run)
{
    int last = run->members - 1;
    const struct loop *first = run_loop(run, 0);
    const struct loop *second = run_loop(run, last);

    for (int a = 0; a < first->args; a++) {
        for (int b = 0; b < second->args; b++) {
            if (is_update(&first->arg[a]) && second->arg[b].kind == ARG_DAT &&
                !second->arg[b].is_indirect && run_same_data(run, 0, a, last, b)) {
                return true;
            }
        }
    }
    return false;
}

/* ---- the first loop ---------------------------------------------------------------------------
 */

const char *loop_why_not_first(struct arena *arena, const struct loop *loop)
{
    int map = -1;

    for (int a = 0; a < loop->args; a++) {
        const struct arg *arg = &loop->arg[a];

        if (is_reduction(arg) || (arg->access != ACCESS_READ && !is_update(arg))) {
            return arena_format(arena, "'%s' modifies '%s' besides what it adds through a map",
                                loop->name, arg->dat_text);
        }
        if (is_update(arg) && map >= 0 && map != arg->map) {
            return arena_format(arena, "'%s' increments through several maps", loop->name);
        }
        map = is_update(arg) ? arg->map : map;
    }
    return map >= 0 ? NULL : arena_format(arena, "'%s' increments nothing", loop->name);
}

/* ---- loops over the points --------------------------------------------------------------------
 */

/* Members before use the dats of the last one as records of the same shape. */
static const char *why_other_shape(const struct run *run)
{
    int last = run->members - 1;
    const struct loop *loop = run_loop(run, last);

    for (int m = 0; m < last; m++) {
        const struct loop *other = run_loop(run, m);

        for (int a = 0; a < other->args; a++) {
            for (int b = 0; b < loop->args; b++) {
                const struct arg *x = &other->arg[a];
                const struct arg *y = &loop->arg[b];

                if (x->kind == ARG_DAT && y->kind == ARG_DAT && run_same_data(run, m, a, last, b) &&
                    (x->dim != y->dim || !type_same(x->type, y->type))) {
                    return arena_format(run->flow->program->arena,
                                        "'%s' and '%s' use '%s' with another type or dim",
                                        other->name, loop->name, y->dat_text);
                }
            }
        }
    }
    return NULL;
}

/* Whether a member is joined and modifies the dat of the last one's argument. */
static bool modifies(const struct run *run, int member, int arg)
{
    const struct loop *loop = run_loop(run, member);

    for (int a = 0; a < loop->args && !run->before[member]; a++) {
        if (loop->arg[a].kind == ARG_DAT && loop->arg[a].access != ACCESS_READ &&
            run_same_data(run, member, a, run->members - 1, arg)) {
            return true;
        }
    }
    return false;
}

/* Why a point cannot use, through a map, what argument `arg` of the last member leads to. */
static const char *why_not_through(const struct run *run, int arg)
{
    struct arena *arena = run->flow->program->arena;
    const struct loop *loop = run_loop(run, run->members - 1);
    const struct arg *own = &loop->arg[arg];

    if (own->access != ACCESS_READ) {
        return arena_format(arena,
                            "'%s' modifies '%s' through '%s': behind the sums of a point, only the "
                            "point's own data may change",
                            loop->name, own->dat_text, own->map_text);
    }
    for (int m = 0; m < run->members; m++) {
        if (modifies(run, m, arg)) {
            return arena_format(arena,
                                "'%s' reads '%s' through '%s', and '%s' modifies it: behind the "
                                "sums of a point, those of others may be missing",
                                loop->name, own->dat_text, own->map_text, run_loop(run, m)->name);
        }
    }
    return NULL;
}

/* Whether two members reach one dat, the earlier one through a map from its points, the last one by
 * its argument, which modifies the dat. */
static bool modifies_read(const struct run *run, int member, int a, int arg)
{
    const struct arg *own = &run_loop(run, run->members - 1)->arg[arg];
    const struct arg *other = &run_loop(run, member)->arg[a];

    return member > 0 && !run->before[member] && !run->adds[member] && other->kind == ARG_DAT &&
           other->is_indirect && own->kind == ARG_DAT && own->access != ACCESS_READ &&
           run_same_data(run, member, a, run->members - 1, arg);
}

/* Why the last member cannot modify its argument's dat: other points may read the old values. */
static const char *why_read_before(const struct run *run, int arg)
{
    const struct loop *loop = run_loop(run, run->members - 1);

    for (int m = 1; m < run->members - 1; m++) {
        for (int a = 0; a < run_loop(run, m)->args; a++) {
            if (modifies_read(run, m, a, arg)) {
                return arena_format(run->flow->program->arena,
                                    "'%s' modifies '%s', which '%s' reads through '%s': other "
                                    "points may still have to read it",
                                    loop->name, loop->arg[arg].dat_text, run_loop(run, m)->name,
                                    run_loop(run, m)->arg[a].map_text);
            }
        }
    }
    return NULL;
}

const char *run_why_not_behind(const struct run *run)
{
    const struct loop *loop = run_loop(run, run->members - 1);
    const char *why = NULL;

    for (int a = 0; a < loop->args && why == NULL; a++) {
        if (loop->arg[a].kind == ARG_INDEX || loop->arg[a].kind == ARG_INFO) {
            return arena_format(run->flow->program->arena, "'%s' has the numbers of elements",
                                loop->name);
        }
        why = loop->arg[a].is_indirect ? why_not_through(run, a) : why_read_before(run, a);
    }
    return why != NULL ? why : why_other_shape(run);
}

/* Whether the last member changes what an earlier one reads at its own element: both sets are then
 * one under two names, and the elements around a point would find it changed. */
static bool changes_elements(const struct run *run, int member)
{
    int last = run->members - 1;
    const struct loop *first = run_loop(run, member);
    const struct loop *second = run_loop(run, last);

    for (int a = 0; a < first->args; a++) {
        for (int b = 0; b < second->args; b++) {
            if (first->arg[a].kind == ARG_DAT && !first->arg[a].is_indirect &&
                second->arg[b].kind == ARG_DAT && second->arg[b].access != ACCESS_READ &&
                run_same_data(run, member, a, last, b)) {
                return true;
            }
        }
    }
    return false;
}

/* ---- a loop behind a run ------------------------------------------------------------------------
 */

/* A run of one loop, phases and passengers, or one that gathers already. */
static bool may_gather(const struct run *run)
{
    for (int m = 1; m < run->members - 1 && !run->gathers; m++) {
        if (!run->before[m] && !run->adds[m]) {
            return false;
        }
    }
    return true;
}

/* Whether the last member runs over the elements of the first one or of a phase. */
static bool runs_over_elements(const struct run *run)
{
    int last = run->members - 1;

    for (int m = 0; m < last; m++) {
        if ((m == 0 || run->adds[m]) && (run_same_set(run, m, last) || changes_elements(run, m))) {
            return true;
        }
    }
    return false;
}

bool run_may_gather(const struct run *run, const char **why)
{
    struct arena *arena = run->flow->program->arena;

    *why = NULL;
    if (!may_gather(run) || run->ahead || runs_over_elements(run) ||
        loop_why_not_first(arena, run_loop(run, 0)) != NULL || (!run->gathers && !uses_sums(run))) {
        return false;
    }
    *why = run->gathers ? run_why_apart_points(run) : NULL;
    *why = *why != NULL ? *why : run_why_not_behind(run);
    return *why == NULL;
}

/* ---- bytes ------------------------------------------------------------------------------------
 */

/* How often an argument of a later member need not move a record that the member before used as
 * `other`: a sum is not read and written again, and what both change stays in registers in between.
 * A first record that is only read is no help to a loop that writes it. */
static int moves_saved(const struct arg *other, const struct arg *own)
{
    bool changes = other->access != ACCESS_READ;

    if (is_update(other)) {
        return 2;
    }
    return own->access == ACCESS_READ ? 1 : changes + (own->access == ACCESS_RW);
}

/* Moves of the record of member `later`'s argument that the last use before it saves. */
static int moves_before(const struct run *run, int later, int arg)
{
    const struct arg *own = &run_loop(run, later)->arg[arg];
    int moves = 0;

    for (int m = 0; m < later; m++) {
        const struct loop *loop = run_loop(run, m);

        for (int a = 0; !run->before[m] && a < loop->args; a++) {
            const struct arg *other = &loop->arg[a];

            if (other->kind == ARG_DAT && (m == 0 || !other->is_indirect) &&
                run_same_data(run, m, a, later, arg)) {
                moves = moves_saved(other, own);
            }
        }
    }
    return moves;
}

/* Members over points find what members before have in registers, or have just read. */
double run_bytes_gathered(const struct run *run)
{
    double bytes = 0;

    for (int m = 1; m < run->members; m++) {
        const struct loop *loop = run_loop(run, m);

        for (int a = 0; !run->before[m] && a < loop->args; a++) {
            const struct arg *arg = &loop->arg[a];

            if (arg->kind == ARG_DAT && !arg->is_indirect) {
                bytes += moves_before(run, m, a) * (double)arg->dim * (double)arg->type->size;
            }
        }
    }
    return bytes;
}
