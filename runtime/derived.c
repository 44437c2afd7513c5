/* derived.c: copies of dats on the device, in the order in which the blocks of a plan read them.
 *
 * In: what a variant asks for (cleave_gen.h), its plan on the device. Out: the copies, of which
 * each knows the version of the values that it was made from: whoever changes a dat, on the device
 * or on the host, gives it a new one (memory.c). A change of layout is no change of values; an
 * order of the mesh goes together with its plans, and with them their copies. Loops that share a
 * plan share the copies.
 *
 * The copies cost what it takes to make them whenever a dat has changed: a loop for which that
 * happens too often goes on without. They take no memory that anything else needs. */
#include "cleave_impl.h"

struct copy {
    const struct cleave_plan_entry *plan;
    int list;
    const struct cleave_dat *dat;
    unsigned long version; /* of the dat's values in it */
    void *memory;
    size_t bytes;
    struct copy *next;
};

static struct copy *copies;

static struct {
    long count;
    size_t bytes;
} made;

static int starved; /* copies had to go for what is needed more, and may have to again */

unsigned long cleave_dat_next_version(void)
{
    static unsigned long version;
    return ++version;
}

/* ---- the list ------------------------------------------------------------------------------ */

static struct copy *find(const struct cleave_plan_entry *plan, int list,
                         const struct cleave_dat *dat)
{
    struct copy *copy = copies;
    while (copy != NULL && (copy->plan != plan || copy->list != list || copy->dat != dat)) {
        copy = copy->next;
    }
    return copy;
}

static void release(struct copy *copy)
{
    cleave_device->release(copy->memory);
    free(copy);
}

void cleave_derived_forget(const struct cleave_dat *dat)
{
    struct copy **link = &copies;
    while (*link != NULL) {
        struct copy *copy = *link;
        if (copy->dat == dat) {
            *link = copy->next;
            release(copy);
        } else {
            link = &copy->next;
        }
    }
}

void cleave_derived_free(void)
{
    while (copies != NULL) {
        struct copy *copy = copies;
        copies = copy->next;
        release(copy);
    }
}

int cleave_derived_make_room(void)
{
    const int any = copies != NULL;
    starved |= any;
    cleave_derived_free();
    return any;
}

static struct copy *new_copy(const struct cleave_plan_entry *plan, int list,
                             const struct cleave_dat *dat)
{
    size_t bytes = 32 * (size_t)plan->plan->list[list].rows * (size_t)dat->core.size;
    void *memory = cleave_device->alloc(bytes > 0 ? bytes : 1);
    if (memory == NULL) {
        return NULL;
    }
    struct copy *copy = cleave_alloc_zero(sizeof *copy, "a copy of a dat");
    copy->plan = plan;
    copy->list = list;
    copy->dat = dat;
    copy->memory = memory;
    copy->bytes = bytes;
    copy->next = copies;
    copies = copy;
    return copy;
}

/* ---- making one ---------------------------------------------------------------------------- */

/* Any unit whose variants ask for copies can make them. */
static void (*find_derive(void))(const struct cleave_derivation *)
{
    const struct cleave_unit_entry *entry = cleave_units;
    while (entry != NULL && entry->unit->derive == NULL) {
        entry = entry->next;
    }
    return entry != NULL ? entry->unit->derive : NULL;
}

static void make(const struct cleave_call *call, struct copy *copy)
{
    const struct cleave_plan_list *list = &copy->plan->on_target->list[copy->list];
    const struct cleave_dat *dat = copy->dat;
    void (*derive)(const struct cleave_derivation *) = find_derive();
    struct cleave_derivation derivation = {.to = copy->memory,
                                           .from = dat->own[COPY_DEVICE],
                                           .dim = dat->core.dim,
                                           .stride = dat->soa ? cleave_dat_stride(dat) : 0,
                                           .component = dat->component,
                                           .rows = list->rows,
                                           .element = list->slice_element,
                                           .stream = cleave_device->stream()};
    copy->version = dat->version;
    if (list->rows == 0) {
        return;
    }
    if (derive == NULL) {
        cleave_fatal("loop '%s' wants a copy of dat '%s', but no compiled unit can make one: "
                     "compile the program again",
                     call->name, dat->core.name);
    }
    cleave_device->range("copy for blocks");
    derive(&derivation);
    cleave_device->range(NULL);
    if (cleave_device->launched() != 0) {
        cleave_fatal("loop '%s': copying dat '%s' into the order of its blocks failed on %s: %s",
                     call->name, dat->core.name, cleave_device->device(),
                     cleave_device->last_error());
    }
    made.count++;
    made.bytes += copy->bytes;
}

/* ---- whether they pay ---------------------------------------------------------------------- */

int cleave_derived_allowed(const struct cleave_call *call, const struct cleave_variant *variant)
{
    return variant->deriveds == 0 || !call->match->derived.off || cleave_variant_is_named(variant);
}

static void go_without(const struct cleave_call *call, const char *why)
{
    call->match->derived.off = 1;
    cleave_generation++;
    if (cleave_settings.diags >= 2) {
        printf("loop '%s': reads its dats without copies from now on: %s\n", call->name, why);
    }
}

/* Counts a call; the first copies of dats that stay do not speak against them. */
static void count(const struct cleave_call *call, const struct cleave_variant *variant, int remade)
{
    struct cleave_derived_use *use = &call->match->derived;
    use->calls++;
    use->remade += remade;
    if (use->remade > CLEAVE_DERIVED_CALLS / 4 && !use->off && !cleave_variant_is_named(variant)) {
        go_without(call, "they had to be made again for more than a quarter of its calls");
    }
    if (use->calls == CLEAVE_DERIVED_CALLS) {
        use->calls = 0;
        use->remade = 0;
    }
}

int cleave_derived_require(struct cleave_call *call, const struct cleave_variant *variant,
                           const struct cleave_plan_entry *plan, const void **derived)
{
    int remade = 0;
    for (int n = 0; n < variant->deriveds; n++) {
        const struct cleave_derived *wanted = &variant->derived[n];
        const struct cleave_dat *dat = cleave_dat_of(call->arg[wanted->arg].dat);
        struct copy *copy = find(plan, wanted->list, dat);
        remade |= copy != NULL ? copy->version != dat->version : dat->temporary || starved;
        if (copy == NULL) {
            copy = new_copy(plan, wanted->list, dat);
        }
        if (copy == NULL && cleave_variant_is_named(variant)) {
            cleave_fatal("out of device memory (%s): a copy of dat '%s' in the order of the blocks "
                         "of loop '%s' needs more than the %zu bytes that are available, and "
                         "CLEAVE_VARIANT names '%s', which reads it: name another variant",
                         cleave_device->device(), dat->core.name, call->name,
                         cleave_device->available(), variant->name);
        }
        if (copy == NULL) {
            go_without(call, "there is not enough memory for them on the device");
            return 0;
        }
        if (copy->version != dat->version) {
            make(call, copy);
        }
        derived[n] = copy->memory;
    }
    if (variant->deriveds > 0) {
        count(call, variant, remade);
    }
    return 1;
}

long cleave_derived_made(size_t *bytes)
{
    *bytes = made.bytes;
    return made.count;
}

void cleave_derived_made_forget(void)
{
    memset(&made, 0, sizeof made);
    starved = 0;
}
