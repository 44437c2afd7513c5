/* op_lib_mpi.h: OP2's name of the functions for several processes; with one process there is
 * nothing beside op_lib_single.h. Needs no mpi.h. */
#ifndef CLEAVE_OP_LIB_MPI_H
#define CLEAVE_OP_LIB_MPI_H

#include "op_lib_core.h"

#endif
