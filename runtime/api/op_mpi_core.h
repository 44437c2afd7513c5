/* op_mpi_core.h: OP2's name of the types for several processes; with one process there is nothing
 * beside op_lib_single.h. Needs no mpi.h. */
#ifndef CLEAVE_OP_MPI_CORE_H
#define CLEAVE_OP_MPI_CORE_H

#include "op_lib_core.h"

#endif
