/* registry.c: the generated units and the targets that make themselves known before main starts, or
 * when a library is opened, and the units that go when it is closed. Registration never fails; what
 * is wrong with a unit is said at op_init, or at the first loop of a library. */
#include "runtime/base/registry.h"

#include <assert.h>

struct cleave_unit_entry *cleave_units;

/* Static storage, since constructors run before a failed allocation could be reported. */
#define STATIC_ENTRIES 64
static struct cleave_unit_entry static_entry[STATIC_ENTRIES];
static int entries;

unsigned long cleave_units_version;

/* 1 while the program ends: the system then ends its parts in any order, so no unit unregisters. */
static int ending;

int cleave_is_ending(void)
{
    return ending;
}

void cleave_note_ending(void)
{
    ending = 1;
}

static const struct target_ops *provided[CLEAVE_TARGETS];
static const struct target_ops *second[CLEAVE_TARGETS]; /* of another module */

void cleave_register(const struct cleave_unit *unit)
{
    struct cleave_unit_entry **end = &cleave_units;
    struct cleave_unit_entry *entry;
    while (*end != NULL) {
        if ((*end)->unit == unit) {
            return;
        }
        end = &(*end)->next;
    }
    entry = entries < STATIC_ENTRIES ? &static_entry[entries]
                                     : cleave_alloc_zero(sizeof *entry, "a unit");
    entries++;
    entry->unit = unit;
    *end = entry;
    cleave_units_version++;
}

static void (*leavers[CLEAVE_LEAVERS])(struct cleave_unit_entry *entry);

void cleave_units_on_leave(void (*leave)(struct cleave_unit_entry *entry))
{
    int l = 0;
    while (l < CLEAVE_LEAVERS && leavers[l] != NULL && leavers[l] != leave) {
        l++;
    }
    assert(l < CLEAVE_LEAVERS);
    leavers[l] = leave;
}

/* Waits for the device, so that no launch needs the unit's code any more. */
static void wait_for_device(const struct cleave_unit *unit)
{
    if (cleave_device != NULL && unit->target == cleave_device->target &&
        cleave_device->wait() != 0) {
        cleave_fatal("a loop of '%s' failed on %s: %s", unit->source, cleave_device->device(),
                     cleave_device->last_error());
    }
}

static int is_static(const struct cleave_unit_entry *entry)
{
    return entry >= static_entry && entry < static_entry + STATIC_ENTRIES;
}

static void remove_unit(const struct cleave_unit *unit)
{
    struct cleave_unit_entry **link = &cleave_units;
    while (*link != NULL && (*link)->unit != unit) {
        link = &(*link)->next;
    }
    struct cleave_unit_entry *entry = *link;
    if (entry == NULL) {
        return;
    }
    for (int l = 0; unit->abi == CLEAVE_ABI && l < CLEAVE_LEAVERS && leavers[l] != NULL; l++) {
        leavers[l](entry);
    }
    wait_for_device(unit);
    *link = entry->next;
    if (!is_static(entry)) {
        free(entry);
    } else {
        memset(entry, 0, sizeof *entry);
    }
}

void cleave_unregister(const struct cleave_unit *unit)
{
    if (ending) {
        return;
    }
    CLEAVE_ENTER("dlclose of a library with loops");
    cleave_flush();
    remove_unit(unit);
}

/* The first one stays: it may have been started, and two copies of a device's code do not see each
 * other's launches. */
void target_provide(const struct target_ops *ops)
{
    if (provided[ops->target] == NULL) {
        provided[ops->target] = ops;
    } else if (provided[ops->target] != ops) {
        second[ops->target] = ops;
    }
}

const struct target_ops *cleave_target_ops(enum cleave_target target)
{
    return provided[target];
}

static void check_unit(const struct cleave_unit *unit)
{
    if (unit->abi != CLEAVE_ABI) {
        cleave_fatal("'%s' was compiled by a cleavecc of another version (interface %d, this "
                     "runtime has %d): compile it again",
                     unit->source, unit->abi, CLEAVE_ABI);
    }
    if (strcmp(unit->id, unit->key->id) != 0) {
        cleave_fatal("the object of '%s' is made of parts of two compilations (%s and %s): compile "
                     "it again",
                     unit->source, unit->key->id, unit->id);
    }
}

void cleave_units_check(void)
{
    for (int t = 0; t < CLEAVE_TARGETS; t++) {
        if (second[t] != NULL) {
            cleave_fatal(
                "%s and %s each contain a copy of cleave's device code, and neither sees what the "
                "other launches: open libraries with RTLD_GLOBAL, or link the program with them",
                cleave_module_of(provided[t]), cleave_module_of(second[t]));
        }
    }
    for (const struct cleave_unit_entry *e = cleave_units; e != NULL; e = e->next) {
        check_unit(e->unit);
    }
}

static const char *error_of_unit(const struct cleave_unit *unit)
{
    return unit->launch_error != NULL ? unit->launch_error() : NULL;
}

const char *cleave_launch_failure(const struct cleave_unit *unit)
{
    const char *error = unit != NULL ? error_of_unit(unit) : NULL;
    for (const struct cleave_unit_entry *e = cleave_units; unit == NULL && e != NULL; e = e->next) {
        error = error == NULL ? error_of_unit(e->unit) : error;
    }
    if (error == NULL && cleave_device->launched() != 0) {
        error = cleave_device->last_error();
    }
    return error;
}

/* Calls `visit` for each variant of each loop until it returns 1; returns 1 if it did. */
static int find_variant(int (*visit)(const struct cleave_unit *unit, const struct cleave_loop *loop,
                                     const struct cleave_variant *variant))
{
    for (const struct cleave_unit_entry *e = cleave_units; e != NULL; e = e->next) {
        for (int l = 0; l < e->unit->loops; l++) {
            const struct cleave_loop *loop = &e->unit->loop[l];
            for (int v = 0; v < loop->variants; v++) {
                if (visit(e->unit, loop, &loop->variant[v])) {
                    return 1;
                }
            }
        }
    }
    return 0;
}

static int print_variant(const struct cleave_unit *unit, const struct cleave_loop *loop,
                         const struct cleave_variant *variant)
{
    printf("%s %s %s\n", cleave_target_row[unit->target].word, loop->kernel, variant->name);
    return 0;
}

/* Lists the variants that may be compiled while the program runs. */
static void print_further(void)
{
    for (const struct cleave_unit_entry *e = cleave_units; e != NULL; e = e->next) {
        for (int l = 0; l < e->unit->loops; l++) {
            const struct cleave_loop *loop = &e->unit->loop[l];
            for (int v = 0; v < loop->further; v++) {
                printf("%s %s %s (compiled when asked for)\n",
                       cleave_target_row[e->unit->target].word, loop->kernel,
                       loop->further_variant[v].name);
            }
        }
    }
}

void cleave_units_list(void)
{
    find_variant(print_variant);
    if (cleave_settings.jit && !cleave_settings.deterministic) {
        print_further();
    }
}

static int is_named(const struct cleave_unit *unit, const struct cleave_loop *loop,
                    const struct cleave_variant *variant)
{
    (void)unit;
    (void)loop;
    return cleave_variant_is_named(variant);
}

/* 1: CLEAVE_VARIANT names a variant that may be compiled while the program runs. */
static int have_further_named(void)
{
    for (const struct cleave_unit_entry *e = cleave_units; e != NULL; e = e->next) {
        for (int l = 0; l < e->unit->loops; l++) {
            const struct cleave_loop *loop = &e->unit->loop[l];
            for (int v = 0; v < loop->further; v++) {
                if (cleave_variant_is_named(&loop->further_variant[v])) {
                    return 1;
                }
            }
        }
    }
    return 0;
}

int cleave_units_have_named(void)
{
    return find_variant(is_named) ||
           (cleave_settings.jit && !cleave_settings.deterministic && have_further_named());
}

int cleave_units_for(enum cleave_target target)
{
    int count = 0;
    for (const struct cleave_unit_entry *e = cleave_units; e != NULL; e = e->next) {
        count += e->unit->target == target;
    }
    return count;
}
