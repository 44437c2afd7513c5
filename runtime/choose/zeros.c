/* zeros.c: what a variant gains where the dats that a call increments are zero: points that gather
 * need not read them (CLEAVE_ZEROS_KNOWN). For other variants they are filled with zeros first, or
 * stored by the loop before. What the compiler has seen decides (CLEAVE_RECORD_EXPECTS), not what
 * the dats hold now: the first call often finds something else. A choice that expects too much is
 * slower, and never wrong. */
#include "runtime/base/machine.h"
#include "runtime/choose/variants.h"

/* The CLEAVE_RECORD_ bits of argument a. */
static unsigned records_of(const struct cleave_choice *choice, int a)
{
    const struct cleave_unit *unit = choice->unit->unit;
    const struct cleave_records *records =
        unit->records != NULL ? &unit->records[choice->loop - unit->loop] : NULL;
    return records != NULL && records->record != NULL ? records->record[a] : 0;
}

int cleave_variant_starts(const struct cleave_choice *choice, int a)
{
    const unsigned long long starts = choice->variant->starts;
    const int some = starts != 0 && a < (int)(8 * sizeof starts) && (starts >> a & 1) != 0;
    return some || (records_of(choice, a) & CLEAVE_RECORD_STARTS) != 0;
}

static int is_first(const struct cleave_call *call, int a)
{
    int first = 1;
    for (int b = 0; b < a; b++) {
        first =
            first && (!cleave_arg_uses_dat(&call->arg[b]) || call->arg[b].dat != call->arg[a].dat);
    }
    return first;
}

double cleave_zero_bytes(const struct cleave_call *call, const struct cleave_choice *choice,
                         int starts)
{
    double bytes = 0.0;
    for (int a = 0;
         cleave_settings.fuse && choice->device != NULL && !call->joins && a < call->args; a++) {
        if ((records_of(choice, a) & CLEAVE_RECORD_EXPECTS) != 0 &&
            cleave_arg_uses_dat(&call->arg[a]) && is_first(call, a) &&
            cleave_variant_starts(choice, a) == starts) {
            bytes += (double)cleave_dat_bytes(call->arg[a].dat);
        }
    }
    return bytes;
}

/* The loop's first variant whose points gather and begin with zeros; NULL: it has none, or the call
 * expects none. */
static const struct cleave_variant *first_owner(const struct cleave_call *call,
                                                const struct cleave_choice *choice)
{
    struct cleave_choice candidate = *choice;
    for (int v = 0; v < choice->loop->variants; v++) {
        candidate.variant = &choice->loop->variant[v];
        if (candidate.variant->schedule == CLEAVE_OWNER_GATHER) {
            return cleave_zero_bytes(call, &candidate, 1) > 0.0 ? candidate.variant : NULL;
        }
    }
    return NULL;
}

const struct cleave_variant *cleave_preferred_for_zeros(const struct cleave_call *call,
                                                        const struct cleave_choice *choice)
{
    const struct cleave_variant *first = choice->loop->variant;
    const struct cleave_variant *owner = first_owner(call, choice);
    if (owner == NULL || owner == first || cleave_settings.race >= 0 ||
        cleave_useful_bytes(call) < cleave_machine.zeros_bytes) {
        return first;
    }
    const double owners = cleave_expected_of(call, choice, owner);
    double others = 0.0;
    for (int v = 0; v < choice->loop->variants; v++) {
        const struct cleave_variant *variant = &choice->loop->variant[v];
        if (variant->schedule == first->schedule && variant->cuts == first->cuts) {
            const double seconds = cleave_expected_of(call, choice, variant);
            others = others == 0.0 || (seconds > 0.0 && seconds < others) ? seconds : others;
        }
    }
    return owners > 0.0 && owners < cleave_machine.zeros_tie * others ? owner : first;
}
