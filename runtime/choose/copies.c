/* copies.c: whether a loop reads copies of its dats on the device (mesh/dat_copies.c): they must
 * have their memory, and pay. A loop for which they have to be made again too often goes on
 * without. */
#include "runtime/base/machine.h"
#include "runtime/choose/choose.h"

int cleave_copies_allowed(const struct cleave_call *call, const struct cleave_variant *variant)
{
    return variant->copies == 0 || !call->match->copies.off || cleave_variant_is_named(variant);
}

static void go_without(const struct cleave_call *call, const char *why)
{
    call->match->copies.off = 1;
    cleave_generation++;
    if (cleave_settings.diags >= 2) {
        cleave_print("loop '%s': reads its dats without copies from now on: %s\n", call->name, why);
    }
}

/* Counts a call. The first copies of dats that last do not count as remade. */
static void count(const struct cleave_call *call, const struct cleave_variant *variant, int remade)
{
    struct cleave_copies_use *use = &call->match->copies;
    use->calls++;
    use->remade += remade;
    if (use->remade > cleave_machine.copies_remade && !use->off &&
        !cleave_variant_is_named(variant)) {
        go_without(call, "they had to be made again for more than a quarter of its calls");
    }
    if (use->calls == cleave_machine.copies_calls) {
        use->calls = 0;
        use->remade = 0;
    }
}

/* Ends the program: the user named this variant, so that no other may run instead. */
static void refuse(const struct cleave_call *call, const struct cleave_variant *variant,
                   const struct cleave_dat_copy *wanted)
{
    cleave_fatal("out of device memory (%s): a copy of dat '%s' in the order in which loop '%s' "
                 "reads it needs more than the %zu bytes that are available, and CLEAVE_VARIANT "
                 "names '%s', which needs the copy: name another variant",
                 cleave_device->device(), call->arg[wanted->arg].dat->name, call->name,
                 cleave_device->available(), variant->name);
}

int cleave_copies_require(struct cleave_call *call, const struct cleave_variant *variant,
                          const struct cleave_plan_entry *plan, const void **copies)
{
    const struct cleave_planned planned = cleave_planned_of(call);
    int remade = 0;
    for (int n = 0; n < variant->copies; n++) {
        const struct cleave_dat_copy *wanted = &variant->copy[n];
        copies[n] = cleave_copy_current(&planned, wanted, plan, &remade);
        if (copies[n] == NULL && cleave_variant_is_named(variant)) {
            refuse(call, variant, wanted);
        }
        if (copies[n] == NULL) {
            go_without(call, "there is not enough memory for them on the device");
            return 0;
        }
    }
    if (variant->copies > 0) {
        count(call, variant, remade);
    }
    return 1;
}
