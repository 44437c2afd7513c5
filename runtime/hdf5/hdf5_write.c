/* hdf5_write.c: sets, maps, dats and constants to HDF5 files. */
#include "hdf5_impl.h"

/* Bytes that HDF5 writes besides the values: tables at the beginning, headers and attributes of
 * each dataset. A generous bound for files of this kind. */
enum { FILE_BYTES = 65536, OBJECT_BYTES = 8192 };

static const char *shown(const char *name)
{
    return name != NULL ? name : "(no name)";
}

/* ---- one object -------------------------------------------------------------------------- */

static void write_set(struct hdf5_file *file, op_set set)
{
    const struct hdf5_type type = cleave_hdf5_type(file, "int");
    const struct hdf5_shape shape = {.rank = 1, .extent = {1}, .bare = 1};
    hid_t dataset = cleave_hdf5_make(file, set->name, &type, &shape);
    cleave_hdf5_write(file, dataset, &type, &set->size);
    H5Dclose(dataset);
}

/* size: the attribute of that name. */
static void write_table(struct hdf5_file *file, const char *path, const struct hdf5_type *type,
                        op_set rows, int dim, int size, const void *values)
{
    const struct hdf5_shape shape = {
        .rank = 2, .extent = {(hsize_t)rows->size, (hsize_t)dim}, .size = size};
    hid_t dataset = cleave_hdf5_make(file, path, type, &shape);
    cleave_hdf5_write(file, dataset, type, values);
    H5Dclose(dataset);
}

static size_t map_bytes(const struct op_map_core *map)
{
    return (size_t)map->from->size * (size_t)map->dim * sizeof(int);
}

/* Writes the entries counted from OP_maps_base_index, as in the program. */
static void write_map(struct hdf5_file *file, op_map map)
{
    const struct hdf5_type type = cleave_hdf5_type(file, "int");
    int base = OP_maps_base_index;
    size_t count = map_bytes(map) / sizeof(int);
    int *entry = map->map;
    if (base != 0) {
        entry = file->scratch = cleave_alloc(map_bytes(map), map->name);
        for (size_t i = 0; i < count; i++) {
            entry[i] = map->map[i] + base;
        }
    }
    write_table(file, map->name, &type, map->from, map->dim, map->from->size, entry);
    if (base != 0) {
        free(entry);
        file->scratch = NULL;
    }
}

static void write_dat(struct hdf5_file *file, op_dat dat, const char *path)
{
    const struct hdf5_type type = cleave_hdf5_type(file, dat->type);
    if (type.size * (size_t)dat->dim != (size_t)dat->size) {
        cleave_hdf5_fail(file, "a component of type \"%s\" has %zu bytes, but the dat's have %zu",
                         dat->type, type.size, (size_t)dat->size / (size_t)dat->dim);
    }
    cleave_flush();
    write_table(file, path, &type, dat->set, dat->dim, dat->size,
                cleave_dat_current(dat, COPY_USER));
}

/* ---- all --------------------------------------------------------------------------------- */

/* The next object of a dump; its name must not be another's. */
static void begin_object(struct hdf5_file *file, const char *name)
{
    file->object = name;
    if (H5Lexists(file->id, name, H5P_DEFAULT) > 0) {
        cleave_hdf5_fail(file,
                         "another set, map or dat has this name, too; a file has one place for it");
    }
}

static size_t dump_bytes(void)
{
    size_t bytes = FILE_BYTES;
    for (const struct cleave_set *set = cleave_mesh.sets; set != NULL; set = set->next) {
        bytes += OBJECT_BYTES;
    }
    for (const struct cleave_map *map = cleave_mesh.maps; map != NULL; map = map->next) {
        bytes += OBJECT_BYTES + map_bytes(&map->core);
    }
    for (const struct cleave_dat *dat = cleave_mesh.dats; dat != NULL; dat = dat->next) {
        bytes += OBJECT_BYTES + cleave_dat_bytes(&dat->core);
    }
    return bytes;
}

void op_dump_to_hdf5(const char *file_name)
{
    cleave_require_init();
    struct hdf5_file file = cleave_hdf5_begin("op_dump_to_hdf5", NULL, file_name, 0, dump_bytes());
    for (struct cleave_set *set = cleave_mesh.sets; set != NULL; set = set->next) {
        begin_object(&file, set->core.name);
        write_set(&file, &set->core);
    }
    for (struct cleave_map *map = cleave_mesh.maps; map != NULL; map = map->next) {
        begin_object(&file, map->core.name);
        write_map(&file, &map->core);
    }
    for (struct cleave_dat *dat = cleave_mesh.dats; dat != NULL; dat = dat->next) {
        begin_object(&file, dat->core.name);
        write_dat(&file, &dat->core, dat->core.name);
    }
    file.object = NULL;
    cleave_hdf5_close(&file);
}

/* ---- one dat or constant in a file of its own or others' ----------------------------------- */

static void fetch(const char *function, op_dat dat, const char *file_name, const char *path)
{
    cleave_dat_checked(dat, function);
    struct hdf5_file file = cleave_hdf5_begin(function, dat->name, file_name, 1,
                                              FILE_BYTES + OBJECT_BYTES + cleave_dat_bytes(dat));
    write_dat(&file, dat, path);
    cleave_hdf5_close(&file);
}

void op_fetch_data_hdf5_file(op_dat dat, const char *file_name)
{
    cleave_dat_checked(dat, "op_fetch_data_hdf5_file");
    fetch("op_fetch_data_hdf5_file", dat, file_name, dat->name);
}

void op_fetch_data_hdf5_file_path(op_dat dat, const char *file_name, const char *path)
{
    fetch("op_fetch_data_hdf5_file_path", dat, file_name, path);
}

void op_write_const_hdf5(const char *name, int dim, const char *type_name, char *data,
                         const char *file_name)
{
    if (data == NULL || dim <= 0) {
        cleave_fatal("op_write_const_hdf5 '%s': %s", shown(name),
                     data == NULL ? "the value is a null pointer"
                                  : "the dimension must be at least 1");
    }
    size_t bytes = FILE_BYTES + OBJECT_BYTES + (size_t)dim * sizeof(double);
    struct hdf5_file file =
        cleave_hdf5_begin("op_write_const_hdf5", shown(name), file_name, 1, bytes);
    const struct hdf5_type type = cleave_hdf5_type(&file, type_name);
    const struct hdf5_shape shape = {.rank = 1, .extent = {(hsize_t)dim}};
    hid_t dataset = cleave_hdf5_make(&file, name, &type, &shape);
    cleave_hdf5_write(&file, dataset, &type, data);
    H5Dclose(dataset);
    cleave_hdf5_close(&file);
}
