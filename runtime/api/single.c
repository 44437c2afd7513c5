/* single.c: OP2's functions for several processes, as they are with one, and those for loops that
 * the program runs by hand on the host (op_lib_single.h). */
#include "runtime/exec/exec.h"

#include "op_util.h"

/* ---- loops by hand ------------------------------------------------------------------------- */

int op_mpi_halo_exchanges(op_set set, int args, op_arg *arg)
{
    CLEAVE_ENTER("op_mpi_halo_exchanges");
    if (set == NULL) {
        cleave_fatal("op_mpi_halo_exchanges: the set is a null pointer");
    }
    cleave_flush();
    for (int a = 0; a < args; a++) {
        if (cleave_arg_uses_dat(&arg[a])) {
            cleave_dat_checked(arg[a].dat, "op_mpi_halo_exchanges");
            cleave_dat_current(arg[a].dat, COPY_USER);
        }
        if (cleave_arg_uses_dat(&arg[a]) && arg[a].acc != OP_READ) {
            cleave_dat_open(arg[a].dat, COPY_USER);
        }
    }
    return set->size;
}

int op_mpi_halo_exchanges_grouped(op_set set, int args, op_arg *arg, int device)
{
    if (device != 0) {
        cleave_fatal("op_mpi_halo_exchanges_grouped: device is %d, but loops by hand run on the "
                     "host; write the loop as op_par_loop",
                     device);
    }
    return op_mpi_halo_exchanges(set, args, arg);
}

void op_mpi_set_dirtybit(int args, op_arg *arg)
{
    CLEAVE_ENTER("op_mpi_set_dirtybit");
    cleave_flush();
    for (int a = 0; a < args; a++) {
        if (cleave_arg_uses_dat(&arg[a]) && arg[a].acc != OP_READ) {
            cleave_dat_checked(arg[a].dat, "op_mpi_set_dirtybit");
            cleave_dat_written(arg[a].dat, COPY_USER);
        }
    }
}

void op_arg_check(op_set set, int m, op_arg arg, int *indirect, const char *name)
{
    struct cleave_site site = {.text = "", .file = "a loop by hand"};
    struct cleave_call call = {.site = &site, .set = set, .args = m + 1};
    op_arg list[CLEAVE_MAX_ARGS] = {{0}};
    call.name = cleave_name_or_unnamed(name);
    if (set == NULL || m < 0 || m >= CLEAVE_MAX_ARGS) {
        cleave_fatal("op_arg_check, loop '%s': %s", call.name,
                     set == NULL ? "the set is a null pointer"
                                 : "arguments are numbered from 0 to 79");
    }
    list[m] = arg;
    call.arg = list;
    cleave_arg_check(&call, m);
    if (indirect != NULL && arg.map != NULL) {
        ++*indirect;
    }
}

void *op_mpi_perf_time(const char *name, double time)
{
    CLEAVE_ENTER_ANYWHERE("op_mpi_perf_time");
    cleave_record_by_hand(cleave_name_or_unnamed(name), time);
    return (void *)(uintptr_t)name;
}

/* ---- nobody to wait for -------------------------------------------------------------------- */

void op_mpi_wait_all(int args, op_arg *arg)
{
    (void)args;
    (void)arg;
}

void op_mpi_wait_all_grouped(int args, op_arg *arg, int device)
{
    (void)args;
    (void)arg;
    (void)device;
}

void op_mpi_test_all(int args, op_arg *arg)
{
    (void)args;
    (void)arg;
}

void op_mpi_test_all_grouped(int args, op_arg *arg)
{
    (void)args;
    (void)arg;
}

void op_mpi_reset_halos(int args, op_arg *arg)
{
    (void)args;
    (void)arg;
}

void op_mpi_barrier(void)
{
}

void op_partition_destroy(void)
{
}

void op_mpi_reduce_combined(op_arg *arg, int args)
{
    (void)arg;
    (void)args;
}

void op_mpi_reduce_float(op_arg *arg, float *data)
{
    (void)arg;
    (void)data;
}

void op_mpi_reduce_double(op_arg *arg, double *data)
{
    (void)arg;
    (void)data;
}

void op_mpi_reduce_int(op_arg *arg, int *data)
{
    (void)arg;
    (void)data;
}

void op_mpi_reduce_bool(op_arg *arg, bool *data)
{
    (void)arg;
    (void)data;
}

void op_disable_mpi_reductions(bool disable)
{
    (void)disable;
}

/* ---- start --------------------------------------------------------------------------------- */

void op_mpi_init(int argc, char **argv, int diags, int global, int local)
{
    (void)global;
    (void)local;
    op_init(argc, argv, diags);
}

void op_mpi_init_soa(int argc, char **argv, int diags, int global, int local, int soa)
{
    (void)global;
    (void)local;
    op_init_soa(argc, argv, diags, soa);
}

/* ---- queries ------------------------------------------------------------------------------- */

/* Returns the C name of a Fortran type of OP2; returns any other name unchanged. */
static const char *c_word(const char *type)
{
    static const char *const words[][2] = {
        {"real(8)", "double"},
        {"r8", "double"},
        {"double precision", "double"},
        {"real(4)", "float"},
        {"r4", "float"},
        {"real", "float"},
        {"integer(4)", "int"},
        {"i4", "int"},
        {"integer", "int"},
        {"integer(8)", "ll"},
        {"i8", "ll"},
        {"logical", "bool"},
        {"long long", "ll"},
        {"unsigned int", "uint"},
        {"unsigned long long", "ull"},
    };
    const size_t length = strlen(type);
    const size_t plain = length > 4 && strcmp(type + length - 4, ":soa") == 0 ? length - 4 : length;
    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
        if (strlen(words[w][0]) == plain && strncmp(type, words[w][0], plain) == 0) {
            return words[w][1];
        }
    }
    return type;
}

bool op_type_equivalence(const char *a, const char *b)
{
    return a != NULL && b != NULL && cleave_type_same(c_word(a), c_word(b));
}

op_dat op_search_dat(op_set set, int dim, const char *type, int size, const char *name)
{
    for (struct cleave_dat *d = cleave_mesh.dats; d != NULL; d = d->next) {
        if (d->core.set == set && d->core.dim == dim && d->component == (size_t)size &&
            op_type_equivalence(d->core.type, type) && name != NULL &&
            strcmp(d->core.name, name) == 0) {
            return &d->core;
        }
    }
    return NULL;
}

int op_size_of_set(const char *name)
{
    for (const struct cleave_set *s = cleave_mesh.sets; s != NULL; s = s->next) {
        if (name != NULL && strcmp(s->core.name, name) == 0) {
            return s->core.size;
        }
    }
    cleave_fatal("op_size_of_set: there is no set '%s'", name != NULL ? name : "(null)");
}

idx_g_t op_get_global_set_offset(op_set set)
{
    if (set == NULL) {
        cleave_fatal("op_get_global_set_offset: the set is a null pointer");
    }
    return 0;
}

/* ---- op_util.h ----------------------------------------------------------------------------- */

struct row {
    int key;
    int place; /* before */
};

static int compare_rows(const void *a, const void *b)
{
    const struct row *x = a;
    const struct row *y = b;
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return x->place < y->place ? -1 : x->place > y->place;
}

void op_sort_rows(int *keys, void *rows, size_t row_bytes, int size)
{
    if (size <= 1) {
        return;
    }
    struct row *order = cleave_alloc((size_t)size * sizeof *order, "sorting");
    char *sorted = cleave_alloc((size_t)size * row_bytes, "sorting");
    for (int i = 0; i < size; i++) {
        order[i] = (struct row){keys[i], i};
    }
    qsort(order, (size_t)size, sizeof *order, compare_rows);
    for (int i = 0; i < size; i++) {
        keys[i] = order[i].key;
        memcpy(sorted + (size_t)i * row_bytes, (char *)rows + (size_t)order[i].place * row_bytes,
               row_bytes);
    }
    memcpy(rows, sorted, (size_t)size * row_bytes);
    free(sorted);
    free(order);
}
