/* output_hdf5.h: what output.c asks of output_hdf5.c. C11 and C++17. */
#ifndef EXAMPLES_OUTPUT_HDF5_H
#define EXAMPLES_OUTPUT_HDF5_H

#include "output.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the program was compiled with HDF5. */
int output_has_hdf5(void);

/* Creates `file` in the VTKHDF format; every cell has VTK's number `shape`. Returns 0, or -1; then
 * *problem says what failed. */
int output_hdf5(const char *file, const struct output_mesh *mesh, int shape,
                const struct output_field *fields, int count, const char **problem);

#ifdef __cplusplus
}
#endif
#endif
