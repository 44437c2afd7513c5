/* op_hdf5.h: meshes, data and constants in HDF5 files, in OP2's layout; for C11 and for C++11 and
 * later.
 *
 * In libcleave_hdf5, which cleavecc links where HDF5 is installed; other compilers need
 * `-lcleave_hdf5 -lcleave -lhdf5`. Every function ends the program, as cleave_set_error_handler()
 * says, with a message that names the function, the object, the file and the cause.
 *
 * Layout: a set is a dataset of one int, its size. A map or dat is a dataset of extents
 * [size][dim], or [size] where dim is 1, with the attributes `size` (int: rows of a map, bytes of
 * an element of a dat), `dim` (int) and `type` (text of 10 characters). A constant is a dataset of
 * extent [dim] with `dim` and `type`. The extents and the type of a dataset count; its attributes
 * may be missing, but a `dim` that contradicts the extents is an error. Rows are in the program's
 * own order, entries of maps count from the base that OP_MAPS_BASE_INDEX= gives.
 *
 * Names are paths of datasets, such as "mesh/edges"; groups are created on the way. Types are those
 * of op_decl_dat, "long long", and Fortran's words ("real(8)", "integer(4)", "double precision");
 * ":soa" has no meaning in a file. Values of another type are converted: a note says so, a warning
 * how many were rounded, and one that the wanted type cannot hold is an error.
 *
 * Functions that write make the file under another name in the same folder, and rename it once it
 * is complete: a file that was there stays as it was until then. Links are followed, permissions
 * kept.
 */
#ifndef CLEAVE_OP_HDF5_H
#define CLEAVE_OP_HDF5_H

#include "op_lib.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- declarations from a file: as the functions of op_lib.h without _hdf5 ----------------- */

/* The size is the value of dataset `name`, 0 to INT_MAX. */
op_set op_decl_set_hdf5(const char *file, const char *name);
/* The size is the first extent of `dataset`, which has at least one. */
op_set op_decl_set_hdf5_infer_size(const char *file, const char *name, const char *dataset);
/* Dataset `name` holds integers of any size, as many rows as `from` has elements and `dim` columns;
 * each must be the number of an element of `to`. */
op_map op_decl_map_hdf5(op_set from, op_set to, int dim, const char *file, const char *name);
/* Dataset `name` holds integers or floating-point numbers: a row for each element of the set, `dim`
 * columns. */
op_dat op_decl_dat_hdf5(op_set set, int dim, const char *type, const char *file, const char *name);

/* Fills data[dim], the program's own, from dataset `name` of exactly so many values. */
void op_get_const_hdf5(const char *name, int dim, const char *type, char *data, const char *file);

/* ---- writing ----------------------------------------------------------------------------- */

/* All sets, maps and dats, temporary ones too, replace the file. Two of one name are an error. */
void op_dump_to_hdf5(const char *file);
/* The next three add to the file, or create it. A dataset that exists and has the same extents gets
 * the new values and keeps its type; with others it is an error. Adding copies the whole file
 * first. */
void op_write_const_hdf5(const char *name, int dim, const char *type, char *data, const char *file);
/* The dat's values as dataset of the dat's name. */
void op_fetch_data_hdf5_file(op_dat dat, const char *file);
/* The dat's values as dataset `path`. */
void op_fetch_data_hdf5_file_path(op_dat dat, const char *file, const char *path);

#ifdef __cplusplus
}
#endif

#endif
