/* layout.c: dats on the device as structures of arrays.
 *
 * On the host a dat is always an array of structures, which is what users see. On the device it has
 * the layout that the next loop reads: memory.c asks for a conversion when that changes, and before
 * data returns to the host. A kernel of a generated unit converts, so that this file needs no
 * compiler for the device. */
#include "runtime/mesh/mesh.h"

static struct {
    long count;
    size_t bytes;
} relayouts;

int cleave_dat_stride(const struct cleave_dat *dat)
{
    const int lanes = cleave_target_row[cleave_device->target].lanes;
    long long stride = ((long long)dat->core.set->size + lanes - 1) / lanes * lanes;
    if (stride > INT32_MAX) {
        cleave_fatal("dat '%s': a set of %d elements is too large for a structure of arrays; leave "
                     "':soa' out of its types",
                     dat->core.name, dat->core.set->size);
    }
    return (int)stride;
}

size_t cleave_dat_device_bytes(const struct cleave_dat *dat, int soa)
{
    return soa ? (size_t)cleave_dat_stride(dat) * (size_t)dat->core.size
               : cleave_dat_bytes(&dat->core);
}

/* Finds the conversion function; the unit whose variants read structures of arrays has one. */
static void (*find_relayout(void))(const struct cleave_relayout *)
{
    const struct cleave_unit_entry *entry = cleave_units;
    while (entry != NULL && entry->unit->relayout == NULL) {
        entry = entry->next;
    }
    return entry != NULL ? entry->unit->relayout : NULL;
}

void cleave_dat_relayout(const struct cleave_dat *dat, void *to, const void *from, int to_soa)
{
    void (*relayout)(const struct cleave_relayout *) = find_relayout();
    struct cleave_relayout copy = {.to = to,
                                   .from = from,
                                   .to_soa = to_soa,
                                   .count = dat->core.set->size,
                                   .dim = dat->core.dim,
                                   .stride = cleave_dat_stride(dat),
                                   .component = dat->component,
                                   .stream = cleave_device->stream()};
    if (copy.count == 0) {
        return;
    }
    if (relayout == NULL) {
        cleave_fatal("dat '%s' is needed as a structure of arrays, but no compiled unit can "
                     "convert it: compile the program again",
                     dat->core.name);
    }
    cleave_flush();
    cleave_device->range("layout");
    relayout(&copy);
    cleave_device->range(NULL);
    const char *error = cleave_launch_failure(NULL);
    if (error != NULL) {
        cleave_fatal("dat '%s': changing its layout failed on %s: %s", dat->core.name,
                     cleave_device->device(), error);
    }
    relayouts.count++;
    relayouts.bytes += cleave_dat_bytes(&dat->core);
}

long cleave_relayouts(size_t *bytes)
{
    *bytes = relayouts.bytes;
    return relayouts.count;
}

void cleave_relayouts_forget(void)
{
    memset(&relayouts, 0, sizeof relayouts);
}
