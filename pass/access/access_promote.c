/* access_promote.c: replaces the declared access of an argument when the kernel uses it in another
 * way. An OP_RW that is never written becomes an OP_READ, an indirect OP_RW that is only added to
 * becomes an OP_INC, and an OP_WRITE that may be read before it is written becomes an OP_RW.
 *
 * In: the uses that access_walk.c finds, on all paths. Out: arg->access, and messages. An OP_RW
 * changes only if every use was seen. It stays if a pointer goes to a function without a tree, into
 * an integer, or into memory that is not tracked. */
#include "pass/access/access_impl.h"
#include "pass/access/access_state.h"

enum { KNOWN_COMPONENTS = 64 }; /* bits of access_seen.read and .written */

/* ---- what the walk sees ---------------------------------------------------------------------- */

/* The components that a target may mean, as bits; 0: they are unknown or do not fit the bits. */
static unsigned long long components_of(const struct arg *arg, const struct target *target)
{
    unsigned long long bits = 0;
    long row = target->column.lo * (long)arg->dim;

    if (!target->offset_known || !target->column_known || arg->dim < 1 ||
        target->column.lo != target->column.hi || target->offset.lo < 0 || row < 0 ||
        row + target->offset.hi >= KNOWN_COMPONENTS) {
        return 0;
    }
    for (long c = target->offset.lo; c <= target->offset.hi; c++) {
        bits |= 1ULL << (row + c);
    }
    return bits;
}

/* A read in a loop over components may follow a write of an earlier round. A component is surely
 * read too early only if none of them was written before. */
static void see_read(const struct walk *walk, struct access_seen *seen, const struct target *target,
                     unsigned long long components)
{
    bool is_one = target->offset.lo == target->offset.hi;

    if (target->in_doubt) {
        return;
    }
    if (sure_lacks(walk, target->arg, components)) {
        seen->uses |= SEEN_MAYBE_OLD;
    }
    if ((seen->uses & SEEN_WRITE) == 0 || (components != 0 && (components & seen->written) == 0)) {
        seen->uses |= access_is_conditional(walk) ? 0 : SEEN_OLD;
    }
    seen->read |= is_one ? components : 0;
}

void access_see_use(struct walk *walk, const struct expr *expr, const struct target *target,
                    enum use use, bool is_sole)
{
    static const unsigned bits[] = {[USE_READ] = SEEN_READ,
                                    [USE_WRITE] = SEEN_WRITE,
                                    [USE_UPDATE] = SEEN_READ | SEEN_CHANGE,
                                    [USE_INCREMENT] = SEEN_INCREMENT,
                                    [USE_TRUNCATE] = SEEN_READ | SEEN_CHANGE};
    struct access_seen *seen = &walk->seen[target->arg];
    const struct arg *arg = &walk->loop->arg[target->arg];
    unsigned long long components = components_of(arg, target);

    if (use != USE_WRITE) {
        see_read(walk, seen, target, components);
    } else {
        components = components != 0 ? components : ~0ULL;
        seen->written |= components;
        sure_write(walk, target->arg, components, is_sole && !target->in_doubt);
    }
    seen->uses |= bits[use];
    if (use == USE_INCREMENT && !type_same(expr->type, arg->type)) {
        seen->uses |= SEEN_CHANGE; /* memory of another type */
    }
}

void access_see_unknown(struct walk *walk, const struct targets *value)
{
    bool all = value->is_full;

    for (int n = 0; n < value->count; n++) {
        all = all || value->target[n].arg < 0; /* a variable whose pointers are not looked up */
    }
    for (int n = 0; n < value->count; n++) {
        if (value->target[n].arg >= 0) {
            walk->seen[value->target[n].arg].uses |= SEEN_UNKNOWN;
        }
    }
    for (int n = 0; n < walk->loop->args && all; n++) {
        walk->seen[n].uses |= SEEN_UNKNOWN;
    }
}

/* ---- what follows ---------------------------------------------------------------------------- */

static bool is_dat(const struct arg *arg)
{
    return arg->kind == ARG_DAT && arg->dat >= 0 && arg->dim > 0;
}

/* Returns the access that the uses of an OP_RW argument prove. A sum of bool is not the sum of its
 * terms. */
static enum access proven(const struct arg *arg, unsigned uses)
{
    if ((uses & SEEN_UNKNOWN) != 0) {
        return ACCESS_RW;
    }
    if ((uses & (SEEN_WRITE | SEEN_CHANGE | SEEN_INCREMENT)) == 0) {
        return ACCESS_READ;
    }
    return (uses & ~(SEEN_OLD | SEEN_MAYBE_OLD)) == SEEN_INCREMENT && arg->is_indirect &&
                   arg->type->kind != TYPE_BOOL
               ? ACCESS_INC
               : ACCESS_RW;
}

/* Colours order the elements that modify one dat as OP_RW. If only some of the dat's arguments got
 * another access, that order would be lost, so all of them change, or none. */
static bool all_agree(const struct loop *loop, const struct access_seen *seen, int number)
{
    const struct arg *arg = &loop->arg[number];
    enum access access = proven(arg, seen[number].uses);

    for (int n = 0; n < loop->args; n++) {
        const struct arg *other = &loop->arg[n];
        enum access holds =
            other->declared == ACCESS_RW ? proven(other, seen[n].uses) : other->access;

        if (is_dat(other) && other->dat == arg->dat && holds != access) {
            return false;
        }
    }
    return true;
}

static void promote(struct diag *diag, struct loop *loop, const struct access_seen *seen,
                    int number)
{
    struct arg *arg = &loop->arg[number];
    enum access access = proven(arg, seen[number].uses);
    struct loc nowhere = {0};

    if (!is_dat(arg) || arg->declared != ACCESS_RW || access == ACCESS_RW ||
        !all_agree(loop, seen, number)) {
        return;
    }
    arg->access = access;
    if (arg->is_indirect && arg->dat == number) { /* said once for all arguments of a dat */
        diag_report(diag, access == ACCESS_INC ? DIAG_rw_inc : DIAG_rw_read, arg->loc, 1, nowhere,
                    loop->kernel->user_name, loop->kernel->param[number]->name);
    }
}

/* Makes an OP_WRITE argument an OP_RW if it is, or may be, read before it is written: such a read
 * needs the value from before the loop. */
static void demote(struct diag *diag, struct loop *loop, const struct access_seen *seen, int number)
{
    struct arg *arg = &loop->arg[number];
    unsigned uses = seen[number].uses;
    bool reads_old = (uses & SEEN_OLD) != 0 || (seen[number].read & ~seen[number].written) != 0;
    bool may_read_old = reads_old || (uses & SEEN_MAYBE_OLD) != 0;

    if (!is_dat(arg) || arg->declared != ACCESS_WRITE || (uses & SEEN_UNKNOWN) != 0 ||
        !may_read_old) {
        return;
    }
    arg->access = ACCESS_RW;
    diag_report(diag, reads_old ? DIAG_write_read : DIAG_write_may_read, arg->loc, 1, arg->loc,
                loop->kernel->user_name, loop->kernel->param[number]->name);
}

void access_promote(struct diag *diag, struct loop *loop, const struct access_seen *seen)
{
    for (int n = 0; n < loop->args; n++) {
        demote(diag, loop, seen, n);
    }
    for (int n = 0; n < loop->args; n++) {
        promote(diag, loop, seen, n);
    }
}
