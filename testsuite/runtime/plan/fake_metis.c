/* fake_metis.c: a library with METIS's two functions, for the tests of how it is loaded and called.
 *
 * Built with 32-bit and with 64-bit indices (FAKE_INDEX). It checks the graph it is given and then
 * behaves as FAKE_METIS says: "stride" (part e % parts), "one" (all in part 0, the others empty),
 * "outside" (a part that does not exist), "fail", "memory". Like METIS it uses rand and prints.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef FAKE_INDEX index_type;

int METIS_SetDefaultOptions(index_type *options);
int METIS_PartGraphKway(index_type *elements, index_type *constraints, index_type *start,
                        index_type *link, void *weight, void *size, void *link_weight,
                        index_type *parts, void *target, void *balance, void *options,
                        index_type *cut, index_type *part);

int METIS_SetDefaultOptions(index_type *options)
{
    for (int i = 0; i < 40; i++) {
        options[i] = -1;
    }
    return 1;
}

static int has_link(const index_type *start, const index_type *link, index_type from, index_type to)
{
    int found = 0;
    for (index_type i = start[from]; i < start[from + 1]; i++) {
        found += link[i] == to;
    }
    return found == 1;
}

/* No loops, each link once, symmetric, not more than a mesh can have. */
static int graph_is_sound(index_type elements, const index_type *start, const index_type *link)
{
    if (start[0] != 0 || start[elements] > 200 * elements) {
        return 0;
    }
    for (index_type e = 0; e < elements; e++) {
        for (index_type i = start[e]; i < start[e + 1]; i++) {
            if (link[i] < 0 || link[i] >= elements || link[i] == e ||
                !has_link(start, link, e, link[i]) || !has_link(start, link, link[i], e)) {
                return 0;
            }
        }
    }
    return 1;
}

int METIS_PartGraphKway(index_type *elements, index_type *constraints, index_type *start,
                        index_type *link, void *weight, void *size, void *link_weight,
                        index_type *parts, void *target, void *balance, void *options,
                        index_type *cut, index_type *part)
{
    const char *mode = getenv("FAKE_METIS");
    srand(4321);
    printf("fake METIS: %d elements, remark %d\n", (int)*elements, rand());
    if (*constraints != 1 || weight != NULL || size != NULL || link_weight != NULL ||
        target != NULL || balance != NULL || options != NULL ||
        !graph_is_sound(*elements, start, link)) {
        return -2;
    }
    *cut = 0;
    if (mode == NULL || strcmp(mode, "fail") == 0) {
        return -4;
    }
    if (strcmp(mode, "memory") == 0) {
        return -3;
    }
    for (index_type e = 0; e < *elements; e++) {
        part[e] = strcmp(mode, "stride") == 0 ? e % *parts : 0;
    }
    if (strcmp(mode, "outside") == 0) {
        part[7] = *parts;
    }
    return 1;
}
