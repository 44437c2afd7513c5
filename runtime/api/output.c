/* output.c: data back to the program and to files, and OP2's small helpers. */
#include "runtime/base/timeline.h"
#include "runtime/exec/exec.h"

#include <errno.h>
#include <stdarg.h>
#include <time.h>

/* ---- data -------------------------------------------------------------------------------- */

idx_g_t op_get_size(op_set set)
{
    if (set == NULL) {
        cleave_fatal("op_get_size: the set is a null pointer");
    }
    return set->size;
}

static void fetch(const char *function, op_dat dat, void *user, int low, int high)
{
    CLEAVE_ENTER(function);
    cleave_flush_groups();
    cleave_dat_checked(dat, function);
    if (low < 0 || high >= dat->set->size || low > high + 1) {
        cleave_fatal("%s: elements %d to %d are not all in dat '%s', which has %d", function, low,
                     high, dat->name, dat->set->size);
    }
    size_t bytes = (size_t)(high - low + 1) * (size_t)dat->size;
    if (user == NULL && bytes > 0) {
        cleave_fatal("%s: the array for dat '%s' is a null pointer", function, dat->name);
    }
    const char *data = cleave_dat_current(dat, COPY_USER);
    data += (size_t)low * (size_t)dat->size;
    if (bytes > 0 && user != data) { /* programs fetch into dat->data */
        memmove(user, data, bytes);
    }
}

void op_fetch_data(op_dat dat, void *user)
{
    cleave_dat_checked(dat, "op_fetch_data");
    fetch("op_fetch_data", dat, user, 0, dat->set->size - 1);
}

void op_fetch_data_char(op_dat dat, char *user)
{
    op_fetch_data(dat, user);
}

void op_fetch_data_idx(op_dat dat, void *user, int low, int high)
{
    fetch("op_fetch_data_idx", dat, user, low, high);
}

void op_fetch_data_idx_char(op_dat dat, char *user, int low, int high)
{
    op_fetch_data_idx(dat, user, low, high);
}

void op_get_data(op_dat dat)
{
    CLEAVE_ENTER("op_get_data");
    cleave_flush_groups();
    cleave_dat_checked(dat, "op_get_data");
    cleave_dat_current(dat, COPY_USER);
}

void op_put_data(op_dat dat)
{
    CLEAVE_ENTER("op_put_data");
    cleave_flush_groups();
    cleave_dat_checked(dat, "op_put_data");
    cleave_dat_put(dat);
}

void op_download_dat(op_dat dat)
{
    CLEAVE_ENTER("op_download_dat");
    cleave_flush_groups();
    cleave_dat_checked(dat, "op_download_dat");
    cleave_dat_current(dat, COPY_USER);
}

void op_upload_dat(op_dat dat)
{
    CLEAVE_ENTER("op_upload_dat");
    cleave_flush_groups();
    cleave_dat_checked(dat, "op_upload_dat");
    cleave_dat_put(dat);
}

void op_upload_all(void)
{
    CLEAVE_ENTER("op_upload_all");
    cleave_flush_groups();
    cleave_dats_put();
}

/* ---- files ------------------------------------------------------------------------------- */

static FILE *open_file(const char *function, op_dat dat, const char *file_name, const char *mode)
{
    cleave_dat_checked(dat, function);
    FILE *file = file_name != NULL ? fopen(file_name, mode) : NULL;
    if (file == NULL) {
        cleave_fatal("%s: cannot write '%s' for dat '%s': %s", function,
                     file_name != NULL ? file_name : "(null)", dat->name,
                     file_name != NULL ? strerror(errno) : "no file name");
    }
    return file;
}

static void close_file(const char *function, FILE *file, const char *file_name)
{
    int failed = ferror(file);
    if (fclose(file) != 0 || failed) {
        cleave_fatal("%s: writing '%s' failed", function, file_name);
    }
}

static void print_value(FILE *file, const struct cleave_dat *dat, const char *value)
{
    switch (dat->base) {
    case BASE_DOUBLE:
        fprintf(file, "%+.15e ", *(const double *)value);
        break;
    case BASE_FLOAT:
        fprintf(file, "%+.7e ", (double)*(const float *)value);
        break;
    case BASE_ULLONG:
        fprintf(file, "+%llu ", *(const ull *)value);
        break;
    case BASE_LLONG:
        fprintf(file, "%+lld ", *(const ll *)value);
        break;
    case BASE_LONG:
        fprintf(file, "%+ld ", *(const long *)value);
        break;
    default:
        fprintf(file, "%+.0f ", cleave_type_value(dat->base, value));
    }
}

/* Prints one line for each element. */
static void print_dat(const char *function, op_dat dat, FILE *file)
{
    const struct cleave_dat *own = cleave_dat_of(dat);
    const char *data = cleave_dat_current(dat, COPY_USER);
    if (own->base == BASE_OTHER) {
        cleave_fatal("%s: dat '%s' is of type \"%s\", which has no form as text", function,
                     dat->name, dat->type);
    }
    for (int e = 0; e < dat->set->size; e++) {
        const char *element = data + (size_t)e * (size_t)dat->size;
        for (int c = 0; c < dat->dim; c++) {
            print_value(file, own, element + (size_t)c * own->component);
        }
        fputc('\n', file);
    }
}

void op_print_dat_to_txtfile(op_dat dat, const char *file_name)
{
    CLEAVE_ENTER("op_print_dat_to_txtfile");
    cleave_flush_groups();
    CLEAVE_PLAIN_NUMBERS;
    static const char function[] = "op_print_dat_to_txtfile";
    FILE *file = open_file(function, dat, file_name, "w");
    fprintf(file, "%d %d\n", dat->set->size, dat->dim);
    print_dat(function, dat, file);
    close_file(function, file, file_name);
}

void op_dump_dat(op_dat dat)
{
    CLEAVE_ENTER("op_dump_dat");
    cleave_flush_groups();
    CLEAVE_PLAIN_NUMBERS;
    static const char function[] = "op_dump_dat";
    cleave_dat_checked(dat, function);
    printf("dat '%s' on set '%s': %d elements of %d %s\n", dat->name, dat->set->name,
           dat->set->size, dat->dim, dat->type);
    print_dat(function, dat, stdout);
}

void op_print_dat_to_binfile(op_dat dat, const char *file_name)
{
    CLEAVE_ENTER("op_print_dat_to_binfile");
    cleave_flush_groups();
    static const char function[] = "op_print_dat_to_binfile";
    FILE *file = open_file(function, dat, file_name, "wb");
    int header[2] = {dat->set->size, dat->dim};
    fwrite(header, sizeof header[0], 2, file);
    fwrite(cleave_dat_current(dat, COPY_USER), 1, cleave_dat_bytes(dat), file);
    close_file(function, file, file_name);
}

/* ---- order of the mesh ------------------------------------------------------------------- */

/* CLEAVE_PARTITION decides which library makes the blocks, not the arguments. */
void op_partition(const char *library, const char *routine, op_set set, op_map map, op_dat coords)
{
    CLEAVE_ENTER("op_partition");
    cleave_flush_groups();
    (void)library;
    (void)routine;
    cleave_require_init();
    if (coords != NULL) {
        cleave_dat_checked(coords, "op_partition");
    }
    const double begun = cleave_moment_begin();
    cleave_order_hint(set, map, coords);
    cleave_moment_end("op_partition", NULL, begun);
}

/* Does nothing: order.c chooses by itself where the renumbering starts. */
void op_renumber(op_map map)
{
    (void)map;
}

/* ---- helpers ----------------------------------------------------------------------------- */

void op_printf(const char *format, ...)
{
    va_list list;
    cleave_flush(); /* kernels may print, too */
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}

int op_is_root(void)
{
    return 1;
}

void op_rank(int *rank)
{
    if (rank != NULL) {
        *rank = 0;
    }
}

void op_print(const char *line)
{
    cleave_flush();
    printf("%s\n", line != NULL ? line : "");
}

void op_err_print(const char *text, int m, const char *name)
{
    cleave_fatal("loop '%s', argument %d: %s", cleave_name_or_unnamed(name), m + 1,
                 text != NULL ? text : "(no text)");
}

void op_compute_moment(double t, double *first, double *second)
{
    *first = t;
    *second = t * t;
}

void op_compute_moment_across_times(double *times, int count, bool ignore_zeros, double *first,
                                    double *second)
{
    double sum = 0.0;
    double squares = 0.0;
    int used = 0;
    for (int i = 0; i < count; i++) {
        used += !ignore_zeros || times[i] != 0.0;
        sum += times[i];
        squares += times[i] * times[i];
    }
    *first = used > 0 ? sum / used : 0.0;
    *second = used > 0 ? squares / used : 0.0;
}

void *op_malloc(size_t size)
{
    return malloc(size);
}

void *op_calloc(size_t count, size_t size)
{
    return calloc(count, size);
}

void *op_realloc(void *memory, size_t size)
{
    return realloc(memory, size);
}

void op_free(void *memory)
{
    free(memory);
}

/* Programs time loops with this function, so it waits for all loops that still run. */
void op_timers(double *cpu, double *et)
{
    cleave_flush();
    if (cleave_device != NULL && cleave_device->wait() != 0) {
        cleave_fatal("a loop failed on %s: %s", cleave_device->device(),
                     cleave_device->last_error());
    }
    op_timers_core(cpu, et);
}

void op_timers_core(double *cpu, double *et)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    if (cpu != NULL) {
        *cpu = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    }
    if (et != NULL) {
        *et = cleave_seconds();
    }
}
