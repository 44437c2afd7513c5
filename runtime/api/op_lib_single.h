/* op_lib_single.h: OP2's functions for several processes and for loops that a program runs by hand,
 * as they are with one process; part of op_lib.h, which includes it.
 *
 * A loop by hand is: n = op_mpi_halo_exchanges(set, args, arg), then the program works on elements
 * 0..n-1 through arg[a].data and arg[a].map_data, then op_mpi_set_dirtybit(args, arg). Between the
 * two, the dats are in the program's order on the host.
 */
#ifndef CLEAVE_OP_LIB_SINGLE_H
#define CLEAVE_OP_LIB_SINGLE_H

/* Functions that cleave cannot have: the compiler says why where a program calls one. */
#if defined(__GNUC__) && !defined(CLEAVE_PARSE)
#define CLEAVE_REFUSED(why) __attribute__((error("not in cleave: " why)))
#else
#define CLEAVE_REFUSED(why)
#endif
#define CLEAVE_NO_DEVICE_LOOPS                                                                     \
    CLEAVE_REFUSED("the runtime keeps device memory for itself; write the loop as op_par_loop")
#define CLEAVE_NO_PLANS                                                                            \
    CLEAVE_REFUSED("plans belong to the runtime; write the loop as op_par_loop, and see "          \
                   "op_diagnostic_output for the plans it makes")

#ifdef __cplusplus
extern "C" {
#endif

/* ---- loops by hand ----------------------------------------------------------------------- */

/* Makes arg[a].data current for all dats of arg[args] that are not switched off. Returns the set's
 * size in elements. */
int op_mpi_halo_exchanges(op_set set, int args, op_arg *arg);
/* device: 0, or an error: hand-written loops run on the host. */
int op_mpi_halo_exchanges_grouped(op_set set, int args, op_arg *arg, int device);
/* Tells the runtime that the program wrote the dats of arg[args] whose access is not OP_READ. */
void op_mpi_set_dirtybit(int args, op_arg *arg);
/* Ends the program when argument number m (from 0) of loop `name` over `set` is wrong; adds 1 to
 * *indirect if it goes through a map. */
void op_arg_check(op_set set, int m, op_arg arg, int *indirect, const char *name);

/* With one process there is nothing to wait for: these functions do nothing. */
void op_mpi_wait_all(int args, op_arg *arg);
void op_mpi_wait_all_grouped(int args, op_arg *arg, int device);
void op_mpi_test_all(int args, op_arg *arg);
void op_mpi_test_all_grouped(int args, op_arg *arg);
void op_mpi_reset_halos(int args, op_arg *arg);
void op_mpi_barrier(void);
void op_partition_destroy(void);
/* Do nothing: with one process *data is the sum, minimum or maximum already. */
void op_mpi_reduce_combined(op_arg *arg, int args);
void op_mpi_reduce_float(op_arg *arg, float *data);
void op_mpi_reduce_double(op_arg *arg, double *data);
void op_mpi_reduce_int(op_arg *arg, int *data);
void op_mpi_reduce_bool(op_arg *arg, bool *data);
void op_disable_mpi_reductions(bool disable);
/* Adds a loop by hand that took `time` seconds to op_timing_output. Returns `name`. */
void *op_mpi_perf_time(const char *name, double time);

/* ---- start ------------------------------------------------------------------------------- */

/* op_init and op_init_soa; the communicators (MPI_Fint) are not used. */
void op_mpi_init(int argc, char **argv, int diags, int global, int local);
void op_mpi_init_soa(int argc, char **argv, int diags, int global, int local, int soa);

/* ---- queries ----------------------------------------------------------------------------- */

/* 1: the types are the same, whatever their ":soa"; Fortran's words ("real(8)") count as C's. */
bool op_type_equivalence(const char *a, const char *b);
/* op_fetch_data_file_char: with one process all data are here. */
op_dat op_mpi_get_data(op_dat dat);

/* ---- refused ----------------------------------------------------------------------------- */

int op_mpi_halo_exchanges_cuda(op_set set, int args, op_arg *arg) CLEAVE_NO_DEVICE_LOOPS;
void op_mpi_set_dirtybit_cuda(int args, op_arg *arg) CLEAVE_NO_DEVICE_LOOPS;
void op_mpi_wait_all_cuda(int args, op_arg *arg) CLEAVE_NO_DEVICE_LOOPS;
void op_mpi_put_data(op_dat dat)
    CLEAVE_REFUSED("op_put_data tells the runtime that the program has written dat->data");
void op_timing_realloc(int kernel)
    CLEAVE_REFUSED("the runtime keeps the times of loops; op_timing_output prints them");
void op_timing_realloc_manytime(int kernel, int times)
    CLEAVE_REFUSED("the runtime keeps the times of loops; op_timing_output prints them");
void op_reset_power_counters(void) CLEAVE_REFUSED("it measures no energy");

struct op_plan_refused;
typedef struct op_plan_refused op_plan;
op_plan *op_plan_core(const char *name, op_set set, int part_size, int args, op_arg *arg, int maps,
                      int *map, int staging) CLEAVE_NO_PLANS;
op_plan *op_plan_get(const char *name, op_set set, int part_size, int args, op_arg *arg, int maps,
                     int *map) CLEAVE_NO_PLANS;
op_plan *op_plan_get_stage(const char *name, op_set set, int part_size, int args, op_arg *arg,
                           int maps, int *map, int staging) CLEAVE_NO_PLANS;
op_plan *op_plan_get_stage_upload(const char *name, op_set set, int part_size, int args,
                                  op_arg *arg, int maps, int *map, int staging,
                                  int upload) CLEAVE_NO_PLANS;

#ifdef __cplusplus
}

/* op_decl_const with the variable's name as text. */
template <class T> inline void op_decl_const2(const char *name, int dim, const char *type, T *data)
{
    op_decl_const_char(dim, type, (int)sizeof(T), data, name);
}

/* op_mpi_reduce_* under one name; does nothing. */
template <class T> inline void op_mpi_reduce(op_arg *, T *)
{
}
#endif

#endif
