/* hdf5_read.c: sets, maps, dats and constants from HDF5 files. */
#include "hdf5_impl.h"

static const char *shown(const char *name)
{
    return name != NULL ? name : "(no name)";
}

/* ---- sets -------------------------------------------------------------------------------- */

static int size_checked(struct hdf5_file *file, ll size)
{
    if (size < 0 || size > INT32_MAX) {
        cleave_hdf5_fail(file, "the size %lld is not one that a set can have", size);
    }
    return (int)size;
}

op_set op_decl_set_hdf5(const char *file_name, const char *name)
{
    struct hdf5_file file = cleave_hdf5_open("op_decl_set_hdf5", shown(name), file_name);
    const struct hdf5_type type = cleave_hdf5_type(&file, "ll");
    struct hdf5_extents extents;
    hid_t dataset = cleave_hdf5_find(&file, name, &extents);
    ll size = 0;
    cleave_hdf5_check_numbers(&file, dataset);
    if (extents.values != 1) {
        cleave_hdf5_fail(&file, "a set is one number, its size, but the dataset has %llu",
                         (ull)extents.values);
    }
    if (H5Dread(dataset, type.native, H5S_ALL, H5S_ALL, H5P_DEFAULT, &size) < 0) {
        cleave_hdf5_fail(&file, "cannot read the size: %s", cleave_hdf5_cause());
    }
    int checked = size_checked(&file, size);
    cleave_hdf5_close(&file);
    return op_decl_set(checked, name);
}

op_set op_decl_set_hdf5_infer_size(const char *file_name, const char *name, const char *path)
{
    struct hdf5_file file = cleave_hdf5_open("op_decl_set_hdf5_infer_size", shown(name), file_name);
    struct hdf5_extents extents;
    cleave_hdf5_find(&file, path, &extents);
    if (extents.rank == 0) {
        cleave_hdf5_fail(&file, "the dataset '%s' is one value and has no extent", path);
    }
    if (extents.extent[0] > INT32_MAX) {
        cleave_hdf5_fail(&file, "the dataset '%s' has %llu rows, more than a set can have", path,
                         (ull)extents.extent[0]);
    }
    cleave_hdf5_close(&file);
    return op_decl_set((int)extents.extent[0], name);
}

/* ---- maps -------------------------------------------------------------------------------- */

static void check_dim(struct hdf5_file *file, int dim)
{
    if (dim <= 0) {
        cleave_hdf5_fail(file, "the dimension is %d, must be at least 1", dim);
    }
}

static void check_entries(struct hdf5_file *file, op_set to, int dim, const int *entry,
                          size_t count)
{
    int base = OP_maps_base_index;
    for (size_t i = 0; i < count; i++) {
        ll value = (ll)entry[i] - base;
        if (value < 0 || value >= to->size) {
            cleave_hdf5_fail(file, "row %zu column %zu = %d, but set '%s' has %d elements%s",
                             i / (size_t)dim, i % (size_t)dim, entry[i], to->name, to->size,
                             base ? ", counted from 1" : "");
        }
    }
}

op_map op_decl_map_hdf5(op_set from, op_set to, int dim, const char *file_name, const char *name)
{
    cleave_require_init(); /* OP_MAPS_BASE_INDEX= is an argument of op_init */
    struct hdf5_file file = cleave_hdf5_open("op_decl_map_hdf5", shown(name), file_name);
    const struct hdf5_type type = cleave_hdf5_type(&file, "int");
    struct hdf5_extents extents;
    if (from == NULL || to == NULL) {
        cleave_hdf5_fail(&file, "the set it goes %s is a null pointer",
                         from == NULL ? "from" : "to");
    }
    check_dim(&file, dim);
    hid_t dataset = cleave_hdf5_find(&file, name, &extents);
    cleave_hdf5_check_table(&file, dataset, &extents, from->size, from->name, dim);
    size_t count = (size_t)from->size * (size_t)dim;
    int *entry = file.scratch = cleave_alloc(count * sizeof *entry, name);
    cleave_hdf5_read(&file, dataset, &type, entry);
    check_entries(&file, to, dim, entry, count);
    file.scratch = NULL;
    cleave_hdf5_close(&file);
    op_map map = op_decl_map(from, to, dim, entry, name);
    cleave_map_pointer_forget(entry);
    free(entry);
    return map;
}

/* ---- dats and constants ------------------------------------------------------------------ */

op_dat op_decl_dat_hdf5(op_set set, int dim, const char *type_name, const char *file_name,
                        const char *name)
{
    struct hdf5_file file = cleave_hdf5_open("op_decl_dat_hdf5", shown(name), file_name);
    const struct hdf5_type type = cleave_hdf5_type(&file, type_name);
    struct hdf5_extents extents;
    if (set == NULL) {
        cleave_hdf5_fail(&file, "the set is a null pointer");
    }
    check_dim(&file, dim);
    hid_t dataset = cleave_hdf5_find(&file, name, &extents);
    cleave_hdf5_check_table(&file, dataset, &extents, set->size, set->name, dim);
    /* Read into the dat itself: a second copy of a large mesh may not find room. */
    op_dat dat = op_decl_dat_char(set, dim, type.name, (int)type.size, NULL, name);
    cleave_hdf5_read(&file, dataset, &type, dat->data);
    op_put_data(dat);
    cleave_hdf5_close(&file);
    return dat;
}

void op_get_const_hdf5(const char *name, int dim, const char *type_name, char *data,
                       const char *file_name)
{
    struct hdf5_file file = cleave_hdf5_open("op_get_const_hdf5", shown(name), file_name);
    const struct hdf5_type type = cleave_hdf5_type(&file, type_name);
    struct hdf5_extents extents;
    if (data == NULL) {
        cleave_hdf5_fail(&file, "the array for the values is a null pointer");
    }
    check_dim(&file, dim);
    hid_t dataset = cleave_hdf5_find(&file, name, &extents);
    cleave_hdf5_check_values(&file, dataset, &extents, dim);
    cleave_hdf5_read(&file, dataset, &type, data);
    cleave_hdf5_close(&file);
}
