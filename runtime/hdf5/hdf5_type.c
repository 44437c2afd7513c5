/* hdf5_type.c: types of components by the program's words and by HDF5's, and values that change
 * from one to the other on the way. */
#include "hdf5_impl.h"

#include <ctype.h>

/* ---- words ------------------------------------------------------------------------------- */

/* Other names of types in programs: small letters, without blanks and "kind=". */
static const struct {
    const char *alias;
    const char *name;
} aliases[] = {
    {"longlong", "ll"},   {"real(8)", "double"},
    {"real*8", "double"}, {"doubleprecision", "double"},
    {"real(4)", "float"}, {"real*4", "float"},
    {"real", "float"},    {"integer(4)", "int"},
    {"integer*4", "int"}, {"integer", "int"},
    {"int(4)", "int"},    {"integer(8)", "ll"},
    {"integer*8", "ll"},
};

enum { ALIASES = sizeof aliases / sizeof aliases[0], LONGEST_WORD = 31 };

/* "REAL (kind=8)" as "real(8)"; 0 when it is too long to be one of ours. */
static int simplify(char *plain, const char *type)
{
    size_t length = 0;
    for (const char *c = type; *c != '\0' && strcmp(c, ":soa") != 0; c++) {
        if (strncasecmp(c, "kind=", 5) == 0) {
            c += 4;
        } else if (!isspace((unsigned char)*c)) {
            if (length == LONGEST_WORD) {
                return 0;
            }
            plain[length++] = (char)tolower((unsigned char)*c);
        }
    }
    plain[length] = '\0';
    return 1;
}

static const struct cleave_type *find_type(const char *type)
{
    char plain[LONGEST_WORD + 1];
    const struct cleave_type *known = cleave_type_find(type);
    if (known != NULL || !simplify(plain, type)) {
        return known;
    }
    for (int i = 0; i < ALIASES; i++) {
        if (strcmp(aliases[i].alias, plain) == 0) {
            return cleave_type_find(aliases[i].name);
        }
    }
    return NULL;
}

/* Memory of a bool is a byte that is 0 or 1. */
static hid_t native_type(enum cleave_base base)
{
    switch (base) {
    case BASE_DOUBLE:
        return H5T_NATIVE_DOUBLE;
    case BASE_FLOAT:
        return H5T_NATIVE_FLOAT;
    case BASE_INT:
        return H5T_NATIVE_INT;
    case BASE_UINT:
        return H5T_NATIVE_UINT;
    case BASE_LONG:
        return H5T_NATIVE_LONG;
    case BASE_LLONG:
        return H5T_NATIVE_LLONG;
    case BASE_ULLONG:
        return H5T_NATIVE_ULLONG;
    case BASE_BOOL:
        return H5T_NATIVE_UCHAR;
    case BASE_OTHER:
        break;
    }
    return -1;
}

struct hdf5_type cleave_hdf5_type(struct hdf5_file *file, const char *type)
{
    const struct cleave_type *known = type != NULL ? find_type(type) : NULL;
    hid_t native = known != NULL ? native_type(known->base) : -1;
    if (native < 0) {
        cleave_hdf5_fail(
            file,
            "type \"%s\" has no form in HDF5 files; those that have are double, float, "
            "int, uint, long, long long (ll), ull, bool and Fortran's words for them",
            type != NULL ? type : "(null)");
    }
    return (struct hdf5_type){known->base, known->size, known->name,
                              known->base == BASE_LLONG ? "long long" : known->name, native};
}

/* ---- conversion -------------------------------------------------------------------------- */

struct conversion {
    size_t rounded; /* values */
    int refused;    /* the wanted type cannot hold one */
};

/* HDF5 takes an infinite double for one that is out of the range of float. */
static int is_infinite_pair(hid_t from, hid_t to, const void *value, void *result)
{
    if (H5Tequal(from, H5T_NATIVE_DOUBLE) <= 0 || H5Tequal(to, H5T_NATIVE_FLOAT) <= 0) {
        return 0;
    }
    double wide;
    memcpy(&wide, value, sizeof wide);
    if (!isinf(wide)) {
        return 0;
    }
    float narrow = (float)wide;
    memcpy(result, &narrow, sizeof narrow);
    return 1;
}

static H5T_conv_ret_t judge(H5T_conv_except_t kind, hid_t from, hid_t to, void *value, void *result,
                            void *data)
{
    struct conversion *conversion = data;
    if (kind == H5T_CONV_EXCEPT_TRUNCATE || kind == H5T_CONV_EXCEPT_PRECISION) {
        conversion->rounded++;
        return H5T_CONV_UNHANDLED;
    }
    if (is_infinite_pair(from, to, value, result)) {
        return H5T_CONV_HANDLED;
    }
    conversion->refused = 1;
    return H5T_CONV_ABORT;
}

/* 1: numbers of both types have the same values; the order of their bytes does not matter. */
static int same_numbers(hid_t a, hid_t b)
{
    return H5Tget_class(a) == H5Tget_class(b) && H5Tget_size(a) == H5Tget_size(b) &&
           (H5Tget_class(a) != H5T_INTEGER || H5Tget_sign(a) == H5Tget_sign(b));
}

void cleave_hdf5_check_numbers(struct hdf5_file *file, hid_t dataset)
{
    hid_t type = H5Dget_type(dataset);
    H5T_class_t class = H5Tget_class(type);
    H5Tclose(type);
    if (class != H5T_INTEGER && class != H5T_FLOAT) {
        cleave_hdf5_fail(file, "the dataset holds no numbers");
    }
}

/* Describes the dataset; *same: whether its numbers are those of `type`. */
static void describe_dataset(hid_t dataset, const struct hdf5_type *type, char *text, size_t size,
                             int *same)
{
    hid_t found = H5Dget_type(dataset);
    H5T_class_t class = H5Tget_class(found);
    snprintf(text, size, "%zu-byte %s%s", H5Tget_size(found),
             class == H5T_INTEGER && H5Tget_sign(found) == H5T_SGN_NONE ? "unsigned " : "",
             class == H5T_INTEGER ? "integers" : "floating-point numbers");
    *same = same_numbers(found, type->native);
    H5Tclose(found);
}

/* Says what conversion did. to: what the values have become. */
static void report(const struct hdf5_file *file, const struct conversion *conversion, int same,
                   const char *from, const char *to)
{
    if (conversion->rounded > 0) {
        cleave_warning("%s '%s' in '%s': %zu values were rounded on the way from %s to %s",
                       file->function, file->object, file->name, conversion->rounded, from, to);
    } else if (!same) {
        cleave_note("%s '%s' in '%s': values were converted from %s to %s", file->function,
                    file->object, file->name, from, to);
    }
}

static void fail_transfer(struct hdf5_file *file, const struct conversion *conversion,
                          const char *from, const char *to)
{
    if (conversion->refused) {
        cleave_hdf5_fail(file, "a value does not fit: the conversion is from %s to %s", from, to);
    }
    cleave_hdf5_fail(file, "cannot transfer the values: %s", cleave_hdf5_cause());
}

static hid_t transfer_list(struct conversion *conversion)
{
    hid_t list = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_type_conv_cb(list, judge, conversion);
    return list;
}

static hsize_t count_values(hid_t dataset)
{
    hid_t space = H5Dget_space(dataset);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    return count > 0 ? (hsize_t)count : 0;
}

void cleave_hdf5_read(struct hdf5_file *file, hid_t dataset, const struct hdf5_type *type, void *to)
{
    char from[64];
    struct conversion conversion = {0};
    int same;
    hsize_t count = count_values(dataset);
    cleave_hdf5_check_numbers(file, dataset);
    describe_dataset(dataset, type, from, sizeof from, &same);
    if (count == 0) {
        return;
    }
    hid_t list = transfer_list(&conversion);
    herr_t code = H5Dread(dataset, type->native, H5S_ALL, H5S_ALL, list, to);
    if (code < 0) {
        fail_transfer(file, &conversion, from, type->word);
    }
    H5Pclose(list);
    for (hsize_t i = 0; type->base == BASE_BOOL && i < count; i++) {
        ((unsigned char *)to)[i] = ((unsigned char *)to)[i] != 0;
    }
    report(file, &conversion, same, from, type->word);
}

void cleave_hdf5_write(struct hdf5_file *file, hid_t dataset, const struct hdf5_type *type,
                       const void *from)
{
    char to[64];
    struct conversion conversion = {0};
    int same;
    cleave_hdf5_check_numbers(file, dataset);
    describe_dataset(dataset, type, to, sizeof to, &same);
    if (count_values(dataset) == 0) {
        return;
    }
    hid_t list = transfer_list(&conversion);
    herr_t code = H5Dwrite(dataset, type->native, H5S_ALL, H5S_ALL, list, from);
    if (code < 0) {
        fail_transfer(file, &conversion, type->word, to);
    }
    H5Pclose(list);
    report(file, &conversion, same, type->word, to);
}
