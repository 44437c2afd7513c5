/* hdf5_impl.h: what the files of this folder share; private to them.
 *
 * A function of op_hdf5.h opens a file (hdf5_file.c), finds, reads or writes datasets
 * (hdf5_data.c), and closes it. HDF5 prints nothing meanwhile. Whatever fails ends in
 * cleave_hdf5_fail(), which leaves neither a temporary file nor an open one. */
#ifndef CLEAVE_HDF5_IMPL_H
#define CLEAVE_HDF5_IMPL_H

#include <hdf5.h>

#include "runtime/exec/exec.h"

/* ---- hdf5_file.c ------------------------------------------------------------------------- */

/* A file that is being read, or written under a temporary name. */
struct hdf5_file {
    const char *function; /* of op_hdf5.h, for messages */
    const char *object;   /* set, map, dat or constant, for messages; may change */
    const char *name;     /* the file's, as the user wrote it */
    char *target;         /* the same with links followed; NULL while reading */
    char *temporary;      /* in the target's folder; NULL while reading */
    int descriptor;       /* of the temporary file; -1 without one */
    hid_t id;             /* negative: not open */
    void *scratch;        /* memory to be freed at the end, also when that is a failure; or NULL */
    H5E_auto2_t report;   /* the program's way to hear of HDF5's errors, restored at the end */
    void *report_data;
};

/* Opens a file for reading. All texts are borrowed until the file is closed. */
struct hdf5_file cleave_hdf5_open(const char *function, const char *object, const char *name);
/* Begins a file that replaces `name` at cleave_hdf5_close(). With `add` it begins as a copy of
 * `name`, where there is one. bytes: an upper bound of what is going to be added; if the disk has
 * no room for them, the function fails at once. */
struct hdf5_file cleave_hdf5_begin(const char *function, const char *object, const char *name,
                                   int add, size_t bytes);
void cleave_hdf5_close(struct hdf5_file *file);
/* "FUNCTION 'OBJECT' in 'FILE': ..." and the end of the program. */
_Noreturn void cleave_hdf5_fail(struct hdf5_file *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Why the latest call of HDF5 failed. Valid until the next call of this function. */
const char *cleave_hdf5_cause(void);

/* ---- hdf5_type.c ------------------------------------------------------------------------- */

/* A component's type, as the program and the file name it. */
struct hdf5_type {
    enum cleave_base base;
    size_t size;      /* bytes */
    const char *name; /* cleave's: "ll" */
    const char *word; /* the attribute `type`: "long long"; at most 9 characters */
    hid_t native;     /* HDF5's type of it in memory; not to be closed */
};

/* The type that the program calls `type`; fails when there is none. */
struct hdf5_type cleave_hdf5_type(struct hdf5_file *file, const char *type);
/* Fails unless the dataset holds integers or floating-point numbers. */
void cleave_hdf5_check_numbers(struct hdf5_file *file, hid_t dataset);
/* Reads a dataset as values of `type`; `to` has room for all of it. */
void cleave_hdf5_read(struct hdf5_file *file, hid_t dataset, const struct hdf5_type *type,
                      void *to);
/* The reverse. */
void cleave_hdf5_write(struct hdf5_file *file, hid_t dataset, const struct hdf5_type *type,
                       const void *from);

/* ---- hdf5_data.c ------------------------------------------------------------------------- */

struct hdf5_extents {
    int rank; /* 0: one value */
    hsize_t extent[H5S_MAX_RANK];
    hsize_t values; /* of the whole dataset */
};

/* Opens the dataset at `path`; fails when there is none, and says what there is. */
hid_t cleave_hdf5_find(struct hdf5_file *file, const char *path, struct hdf5_extents *extents);
/* Fails unless the dataset has `rows` rows of `dim` values. rows_of: what has as many, for
 * messages. */
void cleave_hdf5_check_table(struct hdf5_file *file, hid_t dataset,
                             const struct hdf5_extents *extents, int rows, const char *rows_of,
                             int dim);
/* Fails unless the dataset has `dim` values. */
void cleave_hdf5_check_values(struct hdf5_file *file, hid_t dataset,
                              const struct hdf5_extents *extents, int dim);
/* A dataset to be written: a table has two extents, a constant one, and a set's size no attributes.
 */
struct hdf5_shape {
    int rank; /* 1 or 2 */
    hsize_t extent[2];
    int bare; /* 1: without attributes */
    int size; /* the attribute `size`, which tables have */
};

/* Opens the dataset at `path`, whose extents must be these, or creates it with its attributes and
 * the groups above it. */
hid_t cleave_hdf5_make(struct hdf5_file *file, const char *path, const struct hdf5_type *type,
                       const struct hdf5_shape *shape);

#endif
