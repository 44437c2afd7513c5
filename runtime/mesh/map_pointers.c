/* map_pointers.c: maps found by the arrays of the program that they were declared from. */
#include "runtime/mesh/mesh.h"

static struct pointer {
    const int *array;
    op_map map;
    struct pointer *next;
} *pointers; /* latest first */

void op_register_map_ptr(int *array, op_map map)
{
    CLEAVE_ENTER_EARLY("op_register_map_ptr");
    struct pointer *p = pointers;
    if (array == NULL || map == NULL) {
        return;
    }
    while (p != NULL && p->array != array) {
        p = p->next;
    }
    if (p == NULL) {
        p = cleave_alloc_zero(sizeof *p, "a map's array");
        p->array = array;
        p->next = pointers;
        pointers = p;
    }
    p->map = map;
}

op_map op_search_map_ptr(int *array)
{
    const struct pointer *p = pointers;
    while (p != NULL && p->array != array) {
        p = p->next;
    }
    return p != NULL ? p->map : NULL;
}

void cleave_map_pointer_forget(const int *array)
{
    struct pointer **link = &pointers;
    while (*link != NULL && (*link)->array != array) {
        link = &(*link)->next;
    }
    struct pointer *p = *link;
    if (p != NULL) {
        *link = p->next;
        free(p);
    }
}

void cleave_map_pointers_free(void)
{
    while (pointers != NULL) {
        struct pointer *p = pointers;
        pointers = p->next;
        free(p);
    }
}
