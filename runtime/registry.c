/* registry.c: the generated units and the targets that make themselves known before main starts.
 * Registration never fails; what is wrong with a unit is said at op_init. */
#include "cleave_impl.h"

struct cleave_unit_entry *cleave_units;

/* Static storage first: constructors run before anything could report a failed allocation. */
#define STATIC_ENTRIES 64
static struct cleave_unit_entry static_entry[STATIC_ENTRIES];
static int entries;

static const struct target_ops *provided[CLEAVE_TARGET_CUDA + 1];

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
}

void target_provide(const struct target_ops *ops)
{
    provided[ops->target] = ops;
}

const struct target_ops *cleave_target_ops(enum cleave_target target)
{
    return provided[target];
}

void cleave_units_check(void)
{
    for (const struct cleave_unit_entry *e = cleave_units; e != NULL; e = e->next) {
        if (e->unit->abi != CLEAVE_ABI) {
            cleave_fatal("'%s' was compiled by a cleavecc of another version (interface %d, this "
                         "runtime has %d): compile it again",
                         e->unit->source, e->unit->abi, CLEAVE_ABI);
        }
    }
}

int cleave_units_for(enum cleave_target target)
{
    int count = 0;
    for (const struct cleave_unit_entry *e = cleave_units; e != NULL; e = e->next) {
        count += e->unit->target == target;
    }
    return count;
}
