/* fake_metis.c: a library with METIS's functions, for the tests of how it is loaded and called.
 *
 * Built with 32-bit and with 64-bit indices (FAKE_INDEX). It checks the graph it is given and then
 * behaves as FAKE_METIS says: "stride" (part e % parts; weighted, part (e + 1) % parts; recursive,
 * runs), "one" (all in part 0, the others empty), "outside" (a part that does not exist), "fail",
 * "memory". Like METIS it uses rand and prints.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef FAKE_INDEX index_type;

int METIS_SetDefaultOptions(index_type *options);
int METIS_PartGraphKway(index_type *elements, index_type *constraints, index_type *start,
                        index_type *link, void *weight, void *size, index_type *link_weight,
                        index_type *parts, void *target, void *balance, void *options,
                        index_type *cut, index_type *part);
int METIS_PartGraphRecursive(index_type *elements, index_type *constraints, index_type *start,
                             index_type *link, void *weight, void *size, index_type *link_weight,
                             index_type *parts, void *target, void *balance, void *options,
                             index_type *cut, index_type *part);

int METIS_SetDefaultOptions(index_type *options)
{
    for (int i = 0; i < 40; i++) {
        options[i] = -1;
    }
    return 1;
}

/* The weight of the link, 1 without weights; 0 when there is none, negative when there are several.
 */
static index_type weight_of(const index_type *start, const index_type *link,
                            const index_type *weight, index_type from, index_type to)
{
    index_type found = 0;
    for (index_type i = start[from]; i < start[from + 1]; i++) {
        if (link[i] == to) {
            found = found == 0 ? (weight != NULL ? weight[i] : 1) : -1;
        }
    }
    return found;
}

/* No loops, each link once, symmetric, positive weights, not more than a mesh can have. */
static int graph_is_sound(index_type elements, const index_type *start, const index_type *link,
                          const index_type *weight)
{
    if (start[0] != 0 || start[elements] > 200 * elements) {
        return 0;
    }
    for (index_type e = 0; e < elements; e++) {
        for (index_type i = start[e]; i < start[e + 1]; i++) {
            if (link[i] < 0 || link[i] >= elements || link[i] == e ||
                weight_of(start, link, weight, e, link[i]) <= 0 ||
                weight_of(start, link, weight, e, link[i]) !=
                    weight_of(start, link, weight, link[i], e)) {
                return 0;
            }
        }
    }
    return 1;
}

int METIS_PartGraphKway(index_type *elements, index_type *constraints, index_type *start,
                        index_type *link, void *weight, void *size, index_type *link_weight,
                        index_type *parts, void *target, void *balance, void *options,
                        index_type *cut, index_type *part)
{
    const char *mode = getenv("FAKE_METIS");
    srand(4321);
    printf("fake METIS: %d elements, remark %d\n", (int)*elements, rand());
    if (*constraints != 1 || weight != NULL || size != NULL || target != NULL || balance != NULL ||
        options != NULL || !graph_is_sound(*elements, start, link, link_weight)) {
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
        part[e] = strcmp(mode, "stride") == 0 ? (e + (link_weight != NULL)) % *parts : 0;
    }
    if (strcmp(mode, "outside") == 0) {
        part[7] = *parts;
    }
    return 1;
}

int METIS_PartGraphRecursive(index_type *elements, index_type *constraints, index_type *start,
                             index_type *link, void *weight, void *size, index_type *link_weight,
                             index_type *parts, void *target, void *balance, void *options,
                             index_type *cut, index_type *part)
{
    int code = METIS_PartGraphKway(elements, constraints, start, link, weight, size, link_weight,
                                   parts, target, balance, options, cut, part);
    for (index_type e = 0; e < *elements && code == 1; e++) {
        part[e] = e * *parts / *elements;
    }
    return code;
}
