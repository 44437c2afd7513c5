/* hdf5_data.c: datasets of a file by their paths: found with the extents that they should have, or
 * made with the groups above them, and their attributes. */
#include "hdf5_impl.h"

/* ---- what there is ----------------------------------------------------------------------- */

enum { NAMES_SHOWN = 12 };

/* "; it has 'cells', 'edges'" for messages: what the group holds. */
static void list_names(hid_t group, char *text, size_t size)
{
    H5G_info_t info;
    size_t used = 0;
    text[0] = '\0';
    if (H5Gget_info(group, &info) < 0) {
        return;
    }
    for (hsize_t i = 0; i < info.nlinks && i < NAMES_SHOWN && used < size; i++) {
        char name[128];
        if (H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name,
                               H5P_DEFAULT) >= 0) {
            used += (size_t)snprintf(text + used, size - used, "%s'%s'",
                                     i == 0 ? "; it has " : ", ", name);
        }
    }
    if (used < size && info.nlinks > NAMES_SHOWN) {
        snprintf(text + used, size - used, " and %llu more", (ull)(info.nlinks - NAMES_SHOWN));
    }
}

/* Fails if HDF5 would read the path as a different one. */
static void check_path(struct hdf5_file *file, const char *path)
{
    int bad = path == NULL || path[0] == '\0';
    for (const char *part = path; !bad && part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        size_t length = strcspn(part, "/");
        bad = length == 0 || (length == 1 && part[0] == '.');
    }
    if (bad) {
        cleave_hdf5_fail(file, "'%s' is no path of a dataset", path != NULL ? path : "(null)");
    }
}

/* 1: the path leads to something. 0: it does not; then *found is the length of its longest part
 * that does, which may be a dataset. */
static int path_exists(struct hdf5_file *file, const char *path, size_t *found)
{
    char *part = cleave_text_copy(path);
    int exists = 1;
    size_t end = path[0] == '/';
    *found = 0;
    while (exists && part[end] != '\0') {
        end += strcspn(part + end, "/");
        part[end] = '\0';
        exists = H5Lexists(file->id, part, H5P_DEFAULT) > 0;
        if (exists) {
            *found = end;
        }
        part[end] = path[end];
        end += path[end] == '/';
    }
    free(part);
    return exists;
}

static _Noreturn void fail_missing(struct hdf5_file *file, const char *path, size_t found)
{
    char names[NAMES_SHOWN * 132 + 64] = "";
    char *parent = file->scratch = cleave_text_copy(found > 0 ? path : "/");
    parent[found > 0 ? found : 1] = '\0';
    hid_t group = H5Gopen2(file->id, parent, H5P_DEFAULT);
    if (group < 0) {
        cleave_hdf5_fail(file, "there is no dataset '%s', because '%s' is not a group", path,
                         parent);
    }
    list_names(group, names, sizeof names);
    if (found == 0) {
        cleave_hdf5_fail(file, "there is no dataset '%s'%s", path, names);
    }
    cleave_hdf5_fail(file, "there is no dataset '%s' in the group '%.*s'%s", path, (int)found, path,
                     names);
}

/* ---- extents ----------------------------------------------------------------------------- */

static void read_extents(struct hdf5_file *file, hid_t dataset, struct hdf5_extents *extents)
{
    hid_t space = H5Dget_space(dataset);
    hssize_t values = H5Sget_simple_extent_npoints(space);
    extents->rank = H5Sget_simple_extent_dims(space, extents->extent, NULL);
    if (extents->rank < 0 || values < 0) {
        cleave_hdf5_fail(file, "the dataset's extents cannot be read: %s", cleave_hdf5_cause());
    }
    extents->values = (hsize_t)values;
    H5Sclose(space);
}

enum { EXTENTS_TEXT = 128 };

/* "12 x 3", in text[EXTENTS_TEXT]. */
static const char *extents_text(char *text, const struct hdf5_extents *extents)
{
    size_t used = (size_t)snprintf(text, EXTENTS_TEXT, "%s", extents->rank == 0 ? "one value" : "");
    for (int i = 0; i < extents->rank && used < EXTENTS_TEXT; i++) {
        used += (size_t)snprintf(text + used, EXTENTS_TEXT - used, "%s%llu", i > 0 ? " x " : "",
                                 (ull)extents->extent[i]);
    }
    return text;
}

/* Opens the dataset at a path that exists; fails if it is a group. */
static hid_t open_dataset(struct hdf5_file *file, const char *path, struct hdf5_extents *extents)
{
    hid_t object = H5Oopen(file->id, path, H5P_DEFAULT);
    if (object < 0) {
        cleave_hdf5_fail(file, "cannot open '%s': %s", path, cleave_hdf5_cause());
    }
    if (H5Iget_type(object) != H5I_DATASET) {
        cleave_hdf5_fail(file, "'%s' is a group, not a dataset", path);
    }
    read_extents(file, object, extents);
    return object;
}

hid_t cleave_hdf5_find(struct hdf5_file *file, const char *path, struct hdf5_extents *extents)
{
    size_t found;
    check_path(file, path);
    if (!path_exists(file, path, &found)) {
        fail_missing(file, path, found);
    }
    return open_dataset(file, path, extents);
}

/* Returns the attribute `dim`; -1 if there is none or it is no number. */
static int declared_dim(hid_t dataset)
{
    int dim[1] = {-1};
    if (H5Aexists(dataset, "dim") <= 0) {
        return -1;
    }
    hid_t attribute = H5Aopen(dataset, "dim", H5P_DEFAULT);
    hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1;
    if (space < 0 || H5Sget_simple_extent_npoints(space) != 1 ||
        H5Aread(attribute, H5T_NATIVE_INT, dim) < 0) {
        dim[0] = -1;
    }
    H5Sclose(space);
    H5Aclose(attribute);
    return dim[0];
}

static void check_declared_dim(struct hdf5_file *file, hid_t dataset, int dim)
{
    int declared = declared_dim(dataset);
    if (declared >= 0 && declared != dim) {
        cleave_hdf5_fail(file, "the dataset's attribute 'dim' is %d, but its extents mean %d",
                         declared, dim);
    }
}

void cleave_hdf5_check_table(struct hdf5_file *file, hid_t dataset,
                             const struct hdf5_extents *extents, int rows, const char *rows_of,
                             int dim)
{
    char text[EXTENTS_TEXT];
    int fits =
        extents->rank == 1 ? dim == 1 : extents->rank == 2 && extents->extent[1] == (hsize_t)dim;
    if (!fits) {
        cleave_hdf5_fail(file, "the dataset is %s, but dim is %d: it must be %d x %d",
                         extents_text(text, extents), dim, rows, dim);
    }
    if (extents->extent[0] != (hsize_t)rows) {
        cleave_hdf5_fail(file, "the dataset is %s, but set '%s' has %d elements",
                         extents_text(text, extents), rows_of, rows);
    }
    check_declared_dim(file, dataset, dim);
}

void cleave_hdf5_check_values(struct hdf5_file *file, hid_t dataset,
                              const struct hdf5_extents *extents, int dim)
{
    char text[EXTENTS_TEXT];
    if (extents->values != (hsize_t)dim) {
        cleave_hdf5_fail(file, "the dataset is %s, but dim is %d", extents_text(text, extents),
                         dim);
    }
    check_declared_dim(file, dataset, dim);
}

/* ---- attributes -------------------------------------------------------------------------- */

enum { TYPE_LENGTH = 10 }; /* OP2 gives the attribute `type` so many characters */

/* Makes an attribute; closes `space`. */
static void set_attribute(struct hdf5_file *file, hid_t dataset, const char *name, hid_t type,
                          hid_t space, const void *value)
{
    hid_t attribute = H5Acreate2(dataset, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0 || H5Awrite(attribute, type, value) < 0) {
        cleave_hdf5_fail(file, "cannot write the attribute '%s': %s", name, cleave_hdf5_cause());
    }
    H5Aclose(attribute);
    H5Sclose(space);
}

static void set_int(struct hdf5_file *file, hid_t dataset, const char *name, int value)
{
    const hsize_t one = 1;
    set_attribute(file, dataset, name, H5T_NATIVE_INT, H5Screate_simple(1, &one, NULL), &value);
}

static void set_type(struct hdf5_file *file, hid_t dataset, const struct hdf5_type *type)
{
    char word[TYPE_LENGTH] = "";
    hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, TYPE_LENGTH);
    snprintf(word, sizeof word, "%s", type->word);
    set_attribute(file, dataset, "type", text, H5Screate(H5S_SCALAR), word);
    H5Tclose(text);
}

static void set_attributes(struct hdf5_file *file, hid_t dataset, const struct hdf5_type *type,
                           const struct hdf5_shape *shape)
{
    if (shape->bare) {
        return;
    }
    if (shape->rank == 2) {
        set_int(file, dataset, "size", shape->size);
    }
    set_int(file, dataset, "dim", (int)shape->extent[shape->rank - 1]);
    set_type(file, dataset, type);
}

/* ---- writing ----------------------------------------------------------------------------- */

static int same_extents(const struct hdf5_extents *extents, const struct hdf5_shape *shape)
{
    if (extents->rank == 1 && extents->extent[0] == shape->extent[0]) {
        return shape->rank == 1 || shape->extent[1] == 1; /* a table of one column may be a list */
    }
    return extents->rank == shape->rank &&
           memcmp(extents->extent, shape->extent, (size_t)shape->rank * sizeof(hsize_t)) == 0;
}

static hid_t create(struct hdf5_file *file, const char *path, const struct hdf5_type *type,
                    const struct hdf5_shape *shape)
{
    hid_t space = H5Screate_simple(shape->rank, shape->extent, NULL);
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    hid_t dataset =
        H5Dcreate2(file->id, path, type->native, space, links, H5P_DEFAULT, H5P_DEFAULT);
    if (dataset < 0) {
        cleave_hdf5_fail(file, "cannot create the dataset '%s': %s", path, cleave_hdf5_cause());
    }
    H5Pclose(links);
    H5Sclose(space);
    set_attributes(file, dataset, type, shape);
    return dataset;
}

hid_t cleave_hdf5_make(struct hdf5_file *file, const char *path, const struct hdf5_type *type,
                       const struct hdf5_shape *shape)
{
    struct hdf5_extents extents;
    struct hdf5_extents wanted = {.rank = shape->rank,
                                  .extent = {shape->extent[0], shape->extent[1]}};
    char there[EXTENTS_TEXT];
    char given[EXTENTS_TEXT];
    size_t found;
    check_path(file, path);
    if (!path_exists(file, path, &found)) {
        return create(file, path, type, shape);
    }
    hid_t dataset = open_dataset(file, path, &extents);
    if (!same_extents(&extents, shape)) {
        cleave_hdf5_fail(file,
                         "the dataset '%s' exists and is %s, not %s; write to another path or file",
                         path, extents_text(there, &extents), extents_text(given, &wanted));
    }
    return dataset;
}
