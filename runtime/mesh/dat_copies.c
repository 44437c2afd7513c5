/* dat_copies.c: copies of dats on the device: in the order in which the blocks of a plan read them,
 * or several packed into one record for each point.
 *
 * In: the copies that a variant reads (cleave_gen.h), its plan on the device. Out: the copies. Each
 * keeps the version of the values that it was made from; every change of a dat, on the device or on
 * the host, gives the dat a new version (memory.c). A change of layout does not. When the order of
 * the mesh is dropped, its plans and their copies are freed. Loops that share a plan share copies.
 *
 * Remaking copies after dats have changed costs time: choose/copies.c counts it, and a loop for
 * which it happens too often runs without copies. Copies are released when other data need the
 * memory. */
#include "runtime/mesh/mesh.h"

#include <stdatomic.h>

/* The source of a copy: a dat, or one component of a packed record. */
struct part {
    const struct cleave_dat *dat;
    int component;         /* of the dat; items: -1, all of them */
    unsigned long version; /* of the dat's values in it */
};

struct copy {
    const struct cleave_plan_entry *plan; /* packed: NULL */
    int list;                             /* likewise -1 */
    int dim;                              /* as in struct cleave_dat_copy */
    void *memory;
    size_t bytes;
    struct copy *next;
    int parts;
    struct part part[];
};

static struct copy *copies;

static struct {
    long count;
    size_t bytes;
} made;

static int starved; /* copies had to go for what is needed more, and may have to again */

unsigned long cleave_dat_next_version(void)
{
    static atomic_ulong version;
    return atomic_fetch_add_explicit(&version, 1, memory_order_relaxed) + 1;
}

/* ---- the list ------------------------------------------------------------------------------ */

static int parts_of(const struct cleave_dat_copy *wanted)
{
    return wanted->list >= 0 ? 1 : wanted->parts;
}

static struct part part_of(const struct cleave_planned *call, const struct cleave_dat_copy *wanted,
                           int k)
{
    const int packed = wanted->list < 0;
    const int arg = packed ? wanted->part[k].arg : wanted->arg;
    return (struct part){.dat = cleave_dat_of(call->arg[arg].dat),
                         .component = packed ? wanted->part[k].component : -1};
}

static int is_wanted(const struct copy *copy, const struct cleave_planned *call,
                     const struct cleave_dat_copy *wanted, const struct cleave_plan_entry *plan)
{
    int same = copy->list == wanted->list && copy->dim == wanted->dim &&
               copy->parts == parts_of(wanted) && (wanted->list < 0 || copy->plan == plan);
    for (int k = 0; same && k < copy->parts; k++) {
        const struct part part = part_of(call, wanted, k);
        same = copy->part[k].dat == part.dat && copy->part[k].component == part.component;
    }
    return same;
}

static struct copy *find(const struct cleave_planned *call, const struct cleave_dat_copy *wanted,
                         const struct cleave_plan_entry *plan)
{
    struct copy *copy = copies;
    while (copy != NULL && !is_wanted(copy, call, wanted, plan)) {
        copy = copy->next;
    }
    return copy;
}

/* 1: the copy was never made, or a dat has changed since. */
static int is_old(const struct copy *copy)
{
    for (int k = 0; k < copy->parts; k++) {
        if (copy->part[k].version != copy->part[k].dat->version) {
            return 1;
        }
    }
    return 0;
}

static int has_temporary(const struct copy *copy)
{
    for (int k = 0; k < copy->parts; k++) {
        if (copy->part[k].dat->temporary) {
            return 1;
        }
    }
    return 0;
}

static int is_made_of(const struct copy *copy, const struct cleave_dat *dat)
{
    for (int k = 0; k < copy->parts; k++) {
        if (copy->part[k].dat == dat) {
            return 1;
        }
    }
    return 0;
}

static void release(struct copy *copy)
{
    if (cleave_device != NULL) {
        cleave_device->release(copy->memory);
    }
    free(copy);
}

void cleave_copies_forget(const struct cleave_dat *dat)
{
    struct copy **link = &copies;
    while (*link != NULL) {
        struct copy *copy = *link;
        if (is_made_of(copy, dat)) {
            *link = copy->next;
            release(copy);
        } else {
            link = &copy->next;
        }
    }
}

void cleave_copies_free(void)
{
    while (copies != NULL) {
        struct copy *copy = copies;
        copies = copy->next;
        release(copy);
    }
}

int cleave_copies_make_room(void)
{
    const int any = copies != NULL;
    starved |= any;
    cleave_copies_free();
    return any;
}

static size_t bytes_of(const struct cleave_dat_copy *wanted, const struct cleave_dat *dat,
                       const struct cleave_plan_entry *plan)
{
    return wanted->list >= 0
               ? (size_t)plan->plan->lanes * (size_t)plan->plan->list[wanted->list].rows *
                     (size_t)dat->core.size
               : (size_t)dat->core.set->size * (size_t)wanted->dim * dat->component;
}

/* NULL: there is not enough memory. */
static struct copy *new_copy(const struct cleave_planned *call,
                             const struct cleave_dat_copy *wanted,
                             const struct cleave_plan_entry *plan)
{
    const int parts = parts_of(wanted);
    const size_t bytes = bytes_of(wanted, part_of(call, wanted, 0).dat, plan);
    void *memory = cleave_device->alloc(bytes > 0 ? bytes : 1);
    if (memory == NULL) {
        return NULL;
    }
    struct copy *copy =
        cleave_alloc_zero(sizeof *copy + (size_t)parts * sizeof copy->part[0], "a copy of a dat");
    copy->plan = wanted->list >= 0 ? plan : NULL;
    copy->list = wanted->list;
    copy->dim = wanted->dim;
    copy->memory = memory;
    copy->bytes = bytes;
    copy->parts = parts;
    for (int k = 0; k < parts; k++) {
        copy->part[k] = part_of(call, wanted, k);
    }
    copy->next = copies;
    copies = copy;
    return copy;
}

/* ---- making one ---------------------------------------------------------------------------- */

/* Finds a unit that can make copies; any unit whose variants read copies can. */
static void (*find_make_copy(void))(const struct cleave_copy_request *)
{
    const struct cleave_unit_entry *entry = cleave_units;
    while (entry != NULL && entry->unit->make_copy == NULL) {
        entry = entry->next;
    }
    return entry != NULL ? entry->unit->make_copy : NULL;
}

static void start(const struct cleave_planned *call, const struct cleave_dat *dat,
                  struct cleave_copy_request *request)
{
    void (*make_copy)(const struct cleave_copy_request *) = find_make_copy();
    request->from = dat->own[COPY_DEVICE];
    request->dim = dat->core.dim;
    request->stride = dat->soa ? cleave_dat_stride(dat) : 0;
    request->component = dat->component;
    request->stream = cleave_device->stream();
    if (make_copy == NULL) {
        cleave_fatal("loop '%s' wants a copy of dat '%s', but no compiled unit can make one: "
                     "compile the program again",
                     call->loop, dat->core.name);
    }
    cleave_flush();
    cleave_device->range("copy for blocks");
    make_copy(request);
    cleave_device->range(NULL);
    const char *error = cleave_launch_failure(NULL);
    if (error != NULL) {
        cleave_fatal(
            "loop '%s': copying dat '%s' into the order in which its blocks read failed on %s: %s",
            call->loop, dat->core.name, cleave_device->device(), error);
    }
}

static void make_items(const struct cleave_planned *call, const struct copy *copy)
{
    const struct cleave_plan_list *list = &copy->plan->on_target->list[copy->list];
    struct cleave_copy_request request = {
        .to = copy->memory, .rows = list->rows, .element = list->slice_element};
    start(call, copy->part[0].dat, &request);
}

/* Makes a packed copy: one request for each run of components that are adjacent in both the dat and
 * the record. */
static void make_packed(const struct cleave_planned *call, const struct copy *copy)
{
    for (int k = 0, end; k < copy->parts; k = end) {
        const struct part *first = &copy->part[k];
        const struct cleave_dat *dat = first->dat;
        end = k + 1;
        while (end < copy->parts && copy->part[end].dat == dat &&
               copy->part[end].component == first->component + end - k) {
            end++;
        }
        struct cleave_copy_request request = {.to =
                                                  (char *)copy->memory + (size_t)k * dat->component,
                                              .count = dat->core.set->size,
                                              .first = first->component,
                                              .components = end - k,
                                              .padding = end < copy->parts ? 0 : copy->dim - end,
                                              .to_dim = copy->dim};
        start(call, dat, &request);
    }
}

static void make(const struct cleave_planned *call, struct copy *copy)
{
    for (int k = 0; k < copy->parts; k++) {
        copy->part[k].version = copy->part[k].dat->version;
    }
    if (copy->bytes == 0) {
        return;
    }
    if (copy->plan != NULL) {
        make_items(call, copy);
    } else {
        make_packed(call, copy);
    }
    made.count++;
    made.bytes += copy->bytes;
}

const void *cleave_copy_current(const struct cleave_planned *call,
                                const struct cleave_dat_copy *wanted,
                                const struct cleave_plan_entry *plan, int *remade)
{
    struct copy *copy = find(call, wanted, plan);
    const int known = copy != NULL;
    copy = known ? copy : new_copy(call, wanted, plan);
    if (copy == NULL) {
        return NULL;
    }
    if (is_old(copy)) {
        *remade |= known || has_temporary(copy) || starved;
        make(call, copy);
    }
    return copy->memory;
}

long cleave_copies_made(size_t *bytes)
{
    *bytes = made.bytes;
    return made.count;
}

void cleave_copies_made_forget(void)
{
    memset(&made, 0, sizeof made);
    starved = 0;
}
