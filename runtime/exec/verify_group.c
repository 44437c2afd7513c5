/* verify_group.c: CLEAVE_VERIFY=1 for groups: calls run one by one then, each beside the reference
 * (verify.c). Where they complete a group, its joined loop runs once more from the data that its
 * members began with, and must come to what they have come to. The first difference ends the
 * program.
 *
 * Each member has been compared with the reference already, so that a difference here is one of
 * joining. Values may differ by as much as all members' may together. The program goes on with the
 * results of the members. */
#include "runtime/exec/group.h"
#include "runtime/exec/verify.h"

/* A dat that a member changes, or a global that the last one reduces. */
struct kept {
    op_arg arg;
    size_t bytes;
    void *before;       /* the first member that changes it */
    void *after;        /* the last one */
    double terms;       /* as in struct cleave_check_item, of all members */
    double *magnitudes; /* NULL: none of them increments it */
};

static struct {
    struct cleave_group_node *at; /* NULL: no group begins with the latest call */
    int members;
    struct cleave_queued member[CLEAVE_MAX_MEMBERS]; /* calls, and values that they read */
    struct kept *kept;
    int count;
    int capacity;
    double magnitude;
    int has_nan;
    int put_back;            /* 1: a joined loop has run after the latest member */
    unsigned long versions;  /* of the members' dats after the latest member, see versions() */
    unsigned long constants; /* cleave_constants_version() */
} path;

static long verified;

/* ---- members ----------------------------------------------------------------------------- */

void cleave_verify_group_forget(void)
{
    for (int k = 0; k < path.count; k++) {
        free(path.kept[k].before);
        free(path.kept[k].after);
        free(path.kept[k].magnitudes);
    }
    for (int m = 0; m < path.members; m++) {
        free(path.member[m].memory);
    }
    free(path.kept);
    memset(&path, 0, sizeof path);
}

/* Changes with every dat that a member reads or writes: versions only grow. */
static unsigned long versions(void)
{
    unsigned long sum = 0;
    for (int m = 0; m < path.members; m++) {
        const struct cleave_call *call = path.member[m].call;
        for (int a = 0; a < call->args; a++) {
            if (cleave_arg_uses_dat(&call->arg[a])) {
                sum += cleave_dat_of(call->arg[a].dat)->version;
            }
        }
    }
    return sum;
}

/* 1: the dats hold what was put back after a joined loop. They are on the host then, where the
 * program may change them without giving them a version. */
static int is_as_put_back(void)
{
    int same = 1;
    for (int k = 0; k < path.count && path.put_back; k++) {
        const struct kept *kept = &path.kept[k];
        same = same && (kept->arg.argtype != CLEAVE_ARG_DAT || kept->after == NULL ||
                        memcmp(cleave_verify_memory(&kept->arg), kept->after, kept->bytes) == 0);
    }
    return same;
}

/* 1: a dat of a member has been freed. */
static int has_stale(void)
{
    int stale = 0;
    for (int m = 0; m < path.members; m++) {
        stale |= path.member[m].call->stale;
    }
    return stale;
}

/* 1: the program has changed nothing since the latest member that the members depend on: the joined
 * loop would read values that only later members have seen. */
static int is_unchanged(void)
{
    return !has_stale() && path.constants == cleave_constants_version() &&
           path.versions == versions() && is_as_put_back();
}

static struct kept *kept_of(const op_arg *arg)
{
    for (int k = 0; k < path.count; k++) {
        const op_arg *other = &path.kept[k].arg;
        if (other->argtype == arg->argtype && other->dat == arg->dat && other->data == arg->data) {
            return &path.kept[k];
        }
    }
    return NULL;
}

static void keep(const op_arg *arg, const struct cleave_check_item *item)
{
    if (kept_of(arg) != NULL) {
        return;
    }
    if (path.count == path.capacity) {
        const int capacity = 2 * path.capacity + 8;
        struct kept *more = cleave_alloc((size_t)capacity * sizeof *more, "CLEAVE_VERIFY");
        if (path.count > 0) {
            memcpy(more, path.kept, (size_t)path.count * sizeof *more);
        }
        free(path.kept);
        path.kept = more;
        path.capacity = capacity;
    }
    path.kept[path.count++] = (struct kept){
        .arg = *arg,
        .bytes = item->bytes,
        .before = memcpy(cleave_alloc(item->bytes, "CLEAVE_VERIFY"), item->before, item->bytes)};
}

/* Copies the values of the globals that the call reads: the program's variables may be gone when
 * the group is complete. */
static void keep_values(struct cleave_queued *member, struct cleave_call *call)
{
    size_t bytes = (size_t)call->args * sizeof(void *);
    for (int a = 0; a < call->args; a++) {
        bytes += call->arg[a].argtype == CLEAVE_ARG_GBL ? (size_t)call->arg[a].size + 16 : 0;
    }
    member->call = call;
    member->memory = cleave_alloc_zero(bytes, "CLEAVE_VERIFY");
    void **data = (void **)(void *)member->memory;
    size_t at = (size_t)call->args * sizeof(void *);
    for (int a = 0; a < call->args; a++) {
        const op_arg *arg = &call->arg[a];
        if (arg->argtype == CLEAVE_ARG_GBL && cleave_arg_on(arg)) {
            at = (at + 15) / 16 * 16;
            data[a] = memcpy(member->memory + at, arg->data, (size_t)arg->size);
            at += (size_t)arg->size;
        }
    }
    member->launch.data = data;
}

void cleave_verify_group_begin(struct cleave_call *call)
{
    if (!cleave_settings.fuse || cleave_device == NULL) {
        return;
    }
    struct cleave_group_node *next =
        path.at != NULL && is_unchanged() ? cleave_group_after(path.at, call) : NULL;
    if (next == NULL) {
        cleave_verify_group_forget();
        next = cleave_group_first(call);
        path.constants = cleave_constants_version();
    }
    path.at = next;
    if (next == NULL) {
        return;
    }
    for (int i = 0; i < call->check->items; i++) {
        const struct cleave_check_item *item = &call->check->item[i];
        keep(&call->arg[item->arg], item);
    }
    keep_values(&path.member[path.members++], call);
}

/* ---- the joined loop --------------------------------------------------------------------- */

static size_t component_of(const op_arg *arg)
{
    return arg->argtype == CLEAVE_ARG_DAT ? cleave_dat_of(arg->dat)->component
                                          : (size_t)(arg->size / arg->dim);
}

static void add_rounding(const struct cleave_call *call)
{
    path.magnitude = MAX(path.magnitude, call->check->magnitude);
    path.has_nan |= call->check->has_nan;
    for (int i = 0; i < call->check->items; i++) {
        const struct cleave_check_item *item = &call->check->item[i];
        struct kept *kept = kept_of(&call->arg[item->arg]);
        const size_t count = kept->bytes / component_of(&kept->arg);
        kept->terms += item->terms;
        if (item->magnitudes != NULL && kept->magnitudes == NULL) {
            kept->magnitudes = cleave_alloc_zero(count * sizeof(double), "CLEAVE_VERIFY");
        }
        for (size_t c = 0; item->magnitudes != NULL && c < count; c++) {
            kept->magnitudes[c] += item->magnitudes[c];
        }
    }
}

static void report(const struct cleave_call *joined, const struct kept *kept, size_t at,
                   double actual, double expected)
{
    const op_arg *arg = &kept->arg;
    char members[1024];
    const struct cleave_site *site[CLEAVE_MAX_MEMBERS];
    for (int m = 0; m < path.members; m++) {
        site[m] = path.member[m].call->site;
    }
    cleave_group_text(site, path.members, members, sizeof members);
    const int is_dat = arg->argtype == CLEAVE_ARG_DAT;
    cleave_fatal("CLEAVE_VERIFY: loop '%s'%s, variant '%s' on %s: %s%s' element %zu component %zu "
                 "is %.17g, one by one the loops give %.17g",
                 joined->name, members, joined->record->variant, joined->record->target,
                 is_dat ? "dat '" : "a global of '",
                 is_dat ? arg->dat->name : path.member[path.members - 1].call->name,
                 is_dat ? at / (size_t)arg->dim : 0, at % (size_t)arg->dim, actual, expected);
}

/* 1: members add up values of single precision, in another order than the joined loop may: whatever
 * other members make of the sums is no more precise. */
static int has_float_sums(void)
{
    int found = 0;
    for (int k = 0; k < path.count; k++) {
        found |=
            path.kept[k].magnitudes != NULL && cleave_verify_base(&path.kept[k].arg) == BASE_FLOAT;
    }
    return found;
}

static void compare(const struct cleave_call *joined, const struct kept *kept)
{
    const op_arg *arg = &kept->arg;
    const enum cleave_base base = cleave_verify_base(arg);
    const enum cleave_base precision = base == BASE_DOUBLE && has_float_sums() ? BASE_FLOAT : base;
    const size_t component = component_of(arg);
    const char *actual = cleave_verify_memory(arg);
    const char *expected = kept->after;
    const int is_float = base == BASE_DOUBLE || base == BASE_FLOAT;
    for (size_t i = 0; i < kept->bytes / component; i++) {
        const char *a = actual + i * component;
        const char *b = expected + i * component;
        if (!is_float && memcmp(a, b, component) == 0) {
            continue;
        }
        const double x = cleave_type_value(base, a);
        const double y = cleave_type_value(base, b);
        if (is_float &&
            ((path.has_nan && (isnan(x) || isnan(y))) ||
             !cleave_verify_differ(precision, x, y, kept->terms * path.members,
                                   path.magnitude * path.members,
                                   kept->magnitudes != NULL ? kept->magnitudes[i] : 0.0))) {
            continue;
        }
        report(joined, kept, i, x, y);
    }
}

/* Tells the runtime again which dats were zero, as it would know in a run that verifies nothing:
 * the joined loop then does not read them. */
static void know_zeros(const struct kept *kept)
{
    const char *value = kept->before;
    const int is_dat = kept->arg.argtype == CLEAVE_ARG_DAT;
    if (is_dat && kept->bytes > 0 && value[0] == 0 &&
        memcmp(value, value + 1, kept->bytes - 1) == 0 && cleave_dat_may_stay_zero(kept->arg.dat)) {
        cleave_dat_zeroed(kept->arg.dat, 0);
    }
}

/* Runs the joined loop on what the members began with. */
static void run(void)
{
    for (int k = 0; k < path.count; k++) {
        struct kept *kept = &path.kept[k];
        free(kept->after);
        kept->after = memcpy(cleave_alloc(kept->bytes, "CLEAVE_VERIFY"),
                             cleave_verify_memory(&kept->arg), kept->bytes);
    }
    for (int k = 0; k < path.count; k++) {
        cleave_verify_put_back(&path.kept[k].arg, path.kept[k].before, path.kept[k].bytes);
        know_zeros(&path.kept[k]);
    }
    for (int m = 0; m < path.members; m++) {
        path.member[m].launcher = path.member[m].call->launcher;
    }
    const struct cleave_call *joined = cleave_group_run_again(path.at, path.member, path.members);
    for (int k = 0; joined != NULL && k < path.count; k++) {
        compare(joined, &path.kept[k]);
    }
    verified += joined != NULL;
    for (int k = 0; k < path.count; k++) {
        cleave_verify_put_back(&path.kept[k].arg, path.kept[k].after, path.kept[k].bytes);
    }
}

void cleave_verify_group_end(struct cleave_call *call, int launched)
{
    if (path.at == NULL) {
        return;
    }
    if (!launched) {
        cleave_verify_group_forget();
        return;
    }
    add_rounding(call);
    path.put_back = path.at->group != NULL;
    if (path.put_back) {
        run();
    }
    path.versions = versions();
    if (path.at->after == NULL) {
        cleave_verify_group_forget();
    }
}

long cleave_verify_groups(void)
{
    const long count = verified;
    cleave_verify_group_forget();
    verified = 0;
    return count;
}
