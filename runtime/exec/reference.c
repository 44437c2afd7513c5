/* reference.c: the sequential loop that defines the meaning: tells op_par_loop in the user's
 * function where the arguments of each element are. It runs on the host copies, in the user's
 * order. */
#include "runtime/exec/exec.h"

/* A vector argument: a table of pointers, one per column, moved for every element. */
struct cleave_vector {
    void **pointer;
    int columns;
    char *data;
    const int *row; /* of element 0 */
    int dim;
    size_t bytes; /* of an element of the dat */
    struct cleave_vector *next;
};

static const int zero;

static struct cleave_cursor fixed_cursor(const void *memory)
{
    return (struct cleave_cursor){(uintptr_t)memory, &zero, 0, 0};
}

static struct cleave_cursor vector_cursor(struct cleave_call *call, const op_arg *arg)
{
    struct cleave_vector *vector = cleave_alloc(sizeof *vector, "a vector argument");
    vector->columns = -arg->idx;
    vector->pointer = cleave_alloc((size_t)vector->columns * sizeof(void *), "a vector argument");
    vector->data = arg->dat->data;
    vector->row = arg->map->map;
    vector->dim = arg->map->dim;
    vector->bytes = (size_t)arg->dat->size;
    vector->next = call->vectors;
    call->vectors = vector;
    return fixed_cursor(vector->pointer);
}

static struct cleave_cursor dat_cursor(struct cleave_run *run, struct cleave_call *call,
                                       const op_arg *arg)
{
    uintptr_t base = (uintptr_t)cleave_dat_current(arg->dat, COPY_USER);
    uintptr_t bytes = (uintptr_t)arg->dat->size;
    if (arg->acc != OP_READ) {
        cleave_dat_open(arg->dat, COPY_USER);
    }
    if (arg->map == NULL) {
        return (struct cleave_cursor){base, &run->element, bytes, 0};
    }
    if (arg->idx < 0) {
        return vector_cursor(call, arg);
    }
    return (struct cleave_cursor){base, arg->map->map + arg->idx, bytes, arg->map->dim};
}

/* Gives the kernel a pointer to the number: the map's entry, or the loop's own counter. */
static struct cleave_cursor index_cursor(struct cleave_run *run, const op_arg *arg)
{
    if (arg->map == NULL) {
        return fixed_cursor(&run->element);
    }
    return (struct cleave_cursor){(uintptr_t)(arg->map->map + arg->idx), &run->element,
                                  (uintptr_t)arg->map->dim * sizeof(int), 0};
}

static struct cleave_cursor cursor_of(struct cleave_run *run, struct cleave_call *call, int a)
{
    const op_arg *arg = &call->arg[a];
    if (!cleave_arg_on(arg)) {
        return fixed_cursor(NULL);
    }
    if (arg->argtype == CLEAVE_ARG_DAT) {
        return dat_cursor(run, call, arg);
    }
    if (arg->argtype == CLEAVE_ARG_IDX) {
        return index_cursor(run, arg);
    }
    return fixed_cursor(arg->data);
}

void cleave_reference_begin(struct cleave_run *run, struct cleave_call *call)
{
    run->size = call->set->size;
    for (int a = 0; a < call->args; a++) {
        run->cursor[a] = cursor_of(run, call, a);
    }
    run->vectors = call->vectors != NULL;
}

void cleave_loop_vectors(struct cleave_run *run)
{
    const struct cleave_call *call = run->call;
    for (const struct cleave_vector *v = call->vectors; v != NULL; v = v->next) {
        const int *row = v->row + (size_t)run->element * (size_t)v->dim;
        for (int c = 0; c < v->columns; c++) {
            v->pointer[c] = v->data + (size_t)row[c] * v->bytes;
        }
    }
    if (call->check != NULL) {
        cleave_verify_element(run);
    }
}

void cleave_reference_end(struct cleave_call *call)
{
    for (int a = 0; a < call->args; a++) {
        if (cleave_arg_uses_dat(&call->arg[a]) && call->arg[a].acc != OP_READ) {
            cleave_dat_written(call->arg[a].dat, COPY_USER);
        }
    }
    while (call->vectors != NULL) {
        struct cleave_vector *vector = call->vectors;
        call->vectors = vector->next;
        free(vector->pointer);
        free(vector);
    }
}
