/* op_lib.h: the OP2 API as cleave has it, for C11 and for C++11 and later.
 *
 * A program declares sets, maps and dats, and computes with op_par_loop: a kernel called for every
 * element of a set. Built with a plain compiler the loops run sequentially, which defines their
 * meaning; built with cleavecc the runtime finds compiled variants of each loop. OP2's other
 * headers include this one; runtime/api/README.md lists all functions of OP2. With CLEAVE_PARSE
 * defined (cleavecc's own parse, nothing else) the macros become plain calls that a parser can
 * follow.
 */
#ifndef CLEAVE_OP_LIB_H
#define CLEAVE_OP_LIB_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "cleave_version.h"

#ifdef __cplusplus
#include <iostream>
#include <limits>
#include <utility>
#endif

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

/* How a loop uses an argument. */
#define OP_READ 0
#define OP_WRITE 1
#define OP_RW 2
#define OP_INC 3
#define OP_MIN 4
#define OP_MAX 5
/* Scratch of the kernel: what is in it before the kernel runs and afterwards means nothing. */
#define OP_WORK 6

/* In place of a map: the argument is indexed directly by the element. */
#define OP_ID ((op_map)0)
/* In place of a map where older programs write it for globals. */
#define OP_GBL ((op_map)0)

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned int uint; /* the same type as glibc's, so both may stand */
typedef long long ll;
typedef unsigned long long ull;

typedef int op_access;
typedef int op_arg_type;   /* CLEAVE_ARG_* of the runtime: OP_ARG_DAT and its kind below */
typedef int idx_l_t;       /* elements of this process */
typedef long long idx_g_t; /* elements of all processes */

/* Marks a field that programs may name but that is always empty: gcc warns where it is used.
 * (clang would warn wherever the struct is copied.) */
#if defined(__GNUC__) && !defined(__clang__)
#define CLEAVE_EMPTY(why) __attribute__((deprecated(why)))
#else
#define CLEAVE_EMPTY(why)
#endif
#define CLEAVE_NO_DEVICE_MEMORY                                                                    \
    CLEAVE_EMPTY("cleave keeps device memory for itself: always a null pointer; write the "        \
                 "computation as op_par_loop")

/* ---- sets, maps, dats -------------------------------------------------------------------- */

struct op_set_core {
    int index; /* sets are numbered from 0 in order of declaration */
    int size;
    int core_size;    /* = size: nothing is distributed yet */
    int exec_size;    /* 0: nothing is distributed yet */
    int nonexec_size; /* 0: nothing is distributed yet */
    const char *name;
    int stride; /* = size: elements from one component to the next of a structure of arrays */
};
typedef struct op_set_core op_set_core;
typedef struct op_set_core *op_set;

struct op_map_core {
    int index;
    op_set from;
    op_set to;
    int dim;
    int *map; /* copy in the order of the declaration: entry c of element e at e*dim + c, 0-based */
    const char *name;
    int user_managed; /* 0: the program frees what it declared, the runtime its copy */
    int force_part;   /* 0: there are no partitions */
    int *map_d CLEAVE_NO_DEVICE_MEMORY;
    idx_g_t *map_gbl CLEAVE_EMPTY("always a null pointer: with one process, `map` has all numbers");
};
typedef struct op_map_core op_map_core;
typedef struct op_map_core *op_map;

struct op_dat_core {
    int index;
    op_set set;
    int dim;
    int size;   /* bytes per element */
    char *data; /* copy on the host in the user's order. Between loops the program may read and
                   write it; with CLEAVE_WATCH=off it calls op_get_data before it reads and
                   op_put_data after it has written */
    const char *type; /* without ":soa" */
    const char *name;
    int user_managed; /* 0: the program frees what it declared, the runtime its copy */
    int dirtybit;     /* 0: there are no halos */
    int dirty_hd;     /* the program may set it to 1 after writing `data`, instead of op_put_data */
    char *data_d CLEAVE_NO_DEVICE_MEMORY;
};
typedef struct op_dat_core op_dat_core;
typedef struct op_dat_core *op_dat;

/* One argument of a loop, made by the op_arg_ functions below and passed by value. */
typedef struct op_arg {
    int argtype; /* which function made it: CLEAVE_ARG_* of the runtime */
    op_dat dat;
    op_map map;
    int idx;    /* as given: column, or minus the number of columns */
    int dim;    /* components */
    int size;   /* bytes of all components */
    int opt;    /* 0: switched off by op_opt_arg_ */
    int option; /* 1: made by an op_opt_arg_ function */
    const char *type;
    op_access acc;
    char *data;               /* globals and payloads: the user's variable; dats: dat->data */
    const char *pointer_type; /* OP2's name of the type that data points to; "" when not known */
    int index;                /* -1: the argument belongs to no loop yet */
    int sent;                 /* 0: no message to another process is under way */
    int *map_data;            /* map->map, or NULL */
    char *data_d CLEAVE_NO_DEVICE_MEMORY;
    int *map_data_d CLEAVE_NO_DEVICE_MEMORY;
} op_arg;

/* Values of op_arg.argtype. */
#define OP_ARG_DAT 1
#define OP_ARG_GBL 2
#define OP_ARG_IDX 3
#define OP_ARG_INFO 4

/* ---- start and end ----------------------------------------------------------------------- */

/* Starts the runtime; does nothing when it runs already. Reads the settings from the environment
 * and from argv[1..argc-1], which stays the caller's; ends the program when one is invalid.
 * diags: 0 quiet, 1 notes, 2 and more also plans as they are built. */
void op_init(int argc, char **argv, int diags);
/* op_init. soa: if not 0, a note says how to compile the program for structures of arrays, since
 * the layout is fixed at compile time. */
void op_init_soa(int argc, char **argv, int diags, int soa);
/* Waits for all loops, writes the reports that were asked for, frees all sets, maps and dats. */
void op_exit(void);

/* Called with the text of an error before the program ends; it may not return (longjmp is fine).
 * When it returns, or without one, CLEAVE_ERROR=exit|abort (exit) decides how the program ends. */
typedef void (*cleave_error_handler)(const char *message);
cleave_error_handler cleave_set_error_handler(cleave_error_handler handler);

/* ---- declarations ------------------------------------------------------------------------ */

/* The runtime copies all arrays and names (with OP_NO_REALLOC dats lie in the program's arrays),
 * owns the objects and frees them at op_exit. A wrong argument ends the program with a message that
 * names the object. */

/* size: elements, 0 or more. */
op_set op_decl_set(int size, const char *name);
/* map: [from->size * dim] elements of `to`, entry c of element e at map[e*dim + c], counted from
 * OP_maps_base_index. dim: 1 or more. */
op_map op_decl_map(op_set from, op_set to, int dim, const int *map, const char *name);
/* op_decl_map for 64-bit entries; each must be an element of `to`, so it fits an int. */
op_map op_decl_map_long(op_set from, op_set to, int dim, const idx_g_t *map, const char *name);
/* data: [set->size * dim] components, component c of element e at data[e*dim + c]; NULL: zeros.
 * type: "double", "float", "int", "uint", "long", "ll", "ull", "bool". dim: 1 or more. */
op_dat op_decl_dat(op_set set, int dim, const char *type, const void *data, const char *name);
/* size: bytes of one component, of any type. */
op_dat op_decl_dat_char(op_set set, int dim, const char *type, int size, const void *data,
                        const char *name);
/* Declares a dat of zeros that op_free_dat_temp may free. data is not read: a compiler checks its
 * type against `type`. */
op_dat op_decl_dat_temp(op_set set, int dim, const char *type, const void *data, const char *name);
/* size: bytes of one component; a size that contradicts `type` is ignored with a warning. */
op_dat op_decl_dat_temp_char(op_set set, int dim, const char *type, int size, const char *name);
/* Frees a temporary dat and returns 0; for any other dat it ends the program with an error. */
int op_free_dat_temp(op_dat dat);
int op_free_dat_temp_char(op_dat dat);
/* Declares a second dat that shares the values of `dat`, on a set of equal size: writes to one show
 * in the other. A loop that uses both and modifies one runs sequentially. */
op_dat op_decl_dat_overlay(op_set set, op_dat dat);
/* op_decl_dat_overlay of the dat that was declared from the array `data`, or whose `data` it is. */
op_dat op_decl_dat_overlay_ptr(op_set set, const void *data);
/* Gives the constant `name` its value. data: [dim] components of `size` bytes each, copied. */
void op_decl_const_char(int dim, const char *type, int size, const void *data, const char *name);

/* ---- arguments of loops ------------------------------------------------------------------ */

/* idx: column of the map, from 0; -n: columns 0..n-1 as an array of n pointers; ignored with OP_ID.
 * dim and type: those of the dat. */
op_arg op_arg_dat(op_dat dat, int idx, op_map map, int dim, const char *type, op_access acc);
/* opt 0: the kernel gets a null pointer and the dat is not touched. */
op_arg op_opt_arg_dat(int opt, op_dat dat, int idx, op_map map, int dim, const char *type,
                      op_access acc);
/* data: [dim] components, the program's variable; it must live until the loop has run. */
op_arg op_arg_gbl(const void *data, int dim, const char *type, op_access acc);
op_arg op_opt_arg_gbl(int opt, const void *data, int dim, const char *type, op_access acc);
op_arg op_arg_gbl_char(const void *data, int dim, const char *type, int size, op_access acc);
op_arg op_opt_arg_gbl_char(int opt, const void *data, int dim, const char *type, int size,
                           op_access acc);
/* The kernel gets the element's number, or through a map the number that the map holds. */
op_arg op_arg_idx(int idx, op_map map);
/* A payload that the kernel sets together with argument number ref, counted from 0: the OP_MIN or
 * OP_MAX op_arg_gbl that it goes with, as in
 *
 *     if (x > *most) { *most = x; *where = *element; }
 *
 * If several elements attain the extremum, the payload comes from the one with the lowest number
 * where the kernel compares with < or >, and from the one with the highest number with <= or >=.
 * data: dim components, which stay as they are when no element replaces the extremum's value. */
op_arg op_arg_info(const void *data, int dim, const char *type, int ref);
op_arg op_arg_info_char(const void *data, int dim, const char *type, int size, int ref);

/* ---- data on the host -------------------------------------------------------------------- */

idx_g_t op_get_size(op_set set);
/* Returns 0: the global number of this process's first element. */
idx_g_t op_get_global_set_offset(op_set set);
/* Returns the size of the first set of this name; an error ends the program if there is none. */
int op_size_of_set(const char *name);
/* op_search_map_ptr returns the map that was declared from the array, or registered for it, last;
 * NULL if there is none. op_decl_map registers its array. The array is compared, never read. */
void op_register_map_ptr(int *array, op_map map);
op_map op_search_map_ptr(int *array);
/* Copies the dat in the user's order to user[set->size * dim], the caller's. */
void op_fetch_data(op_dat dat, void *user);
void op_fetch_data_char(op_dat dat, char *user);
/* Copies elements low..high, both included, to user[(high - low + 1) * dim]: element low first. An
 * element outside the set is an error. */
void op_fetch_data_idx(op_dat dat, void *user, int low, int high);
void op_fetch_data_idx_char(op_dat dat, char *user, int low, int high);
/* Makes dat->data current. */
void op_get_data(op_dat dat);
/* Tells the runtime that the program has written dat->data. With CLEAVE_WATCH=on the program also
 * calls it before a system call writes there: afterwards dat->data is current and writable. */
void op_put_data(op_dat dat);
/* OP2's names for op_get_data and op_put_data. op_upload_all does op_put_data for all dats whose
 * `data` is current. */
void op_download_dat(op_dat dat);
void op_upload_dat(op_dat dat);
void op_upload_all(void);
/* Returns a temporary dat with a copy of the values; op_free_dat_temp or op_exit frees it. */
op_dat op_fetch_data_file_char(op_dat dat);
/* Prints the dat to stdout, one line for each element. */
void op_dump_dat(op_dat dat);
/* Write the dat to a file: a header with set size and dim, then the values in the user's order, as
 * text with one line for each element, or as bytes after a header of two ints. A file that cannot
 * be written is an error. */
void op_print_dat_to_txtfile(op_dat dat, const char *file_name);
void op_print_dat_to_binfile(op_dat dat, const char *file_name);

/* ---- mesh order -------------------------------------------------------------------------- */

/* Hints: they change nothing that the program can see. The strings are ignored; all pointers may be
 * NULL. op_partition renumbers the mesh at once, for loops over the set that `map` starts from
 * (without a map: over `set`). coords: coordinates of points, 2 or 3 floating-point components on a
 * set that a map of that set leads to. All values are kept. op_renumber does nothing. */
void op_partition(const char *library, const char *routine, op_set set, op_map map, op_dat coords);
void op_renumber(op_map map);

/* ---- reports and helpers ----------------------------------------------------------------- */

#ifdef __GNUC__
__attribute__((format(printf, 1, 2)))
#endif
void op_printf(const char *format, ...);
int op_is_root(void);
/* Sets *rank to 0. */
void op_rank(int *rank);
/* Prints `line` and a newline to stdout. */
void op_print(const char *line);
/* Ends the program with `text` as the error in argument number m (from 0) of loop `name`. */
void op_err_print(const char *text, int m, const char *name);
/* malloc, calloc, realloc and free. */
void *op_malloc(size_t size);
void *op_calloc(size_t count, size_t size);
void *op_realloc(void *memory, size_t size);
void op_free(void *memory);
/* Store the seconds of processor time and of wall time; either pointer may be NULL. op_timers waits
 * for all loops first. */
void op_timers(double *cpu, double *et);
void op_timers_core(double *cpu, double *et);
/* Prints a table of the times of all loops to stdout. */
void op_timing_output(void);
/* Writes the table of op_timing_output to a file. */
void op_timing_output_2_file(const char *file_name);
/* Writes one line for each loop, kernel and variant: calls, seconds, useful bytes, and for its
 * first kernel on a GPU: threads per block, registers and bytes of local memory per thread, bytes
 * of shared memory per block, and resident threads per multiprocessor (0 on the host). */
void op_timings_to_csv(const char *file_name);
void op_diagnostic_output(void);
/* Sets *first to t and *second to t*t: the moments of one process's time. */
void op_compute_moment(double t, double *first, double *second);
/* Sets *first to the mean of times[count] and *second to the mean of their squares. ignore_zeros:
 * times that are 0 do not count. Both are 0 if no time counts. */
void op_compute_moment_across_times(double *times, int count, bool ignore_zeros, double *first,
                                    double *second);
/* true: from the next loop on, loops run on the host; false: on the target that they had before. */
void op_disable_device_execution(bool disable);
/* Returns true if OP_WHITELIST is unset or one of its patterns matches the whole name. */
bool op_check_whitelist(const char *name);
/* Reports that loop `name` runs sequentially: OP_FALLBACK_MODE decides between silence, a warning
 * and an error that ends the program. */
void op_check_fallback_mode(const char *name);

/* For benchmarks and tools: from the next loop on, each loop runs its compiled variant whose name
 * matches the pattern (fnmatch, "res_calc_split_gather*"), if it has one. NULL: as CLEAVE_VARIANT
 * says. The text is borrowed until the next call. */
void cleave_force_variant(const char *pattern);

/* First index of maps: 0, or 1 as in Fortran. OP_MAPS_BASE_INDEX= or the program sets it, before
 * the maps that it is meant for are declared. */
extern int OP_maps_base_index;
/* Settings that op_init has read: its `diags` or OP_DIAGS=, block sizes (0: by target) and whether
 * structures of arrays were asked for. Writing them has no effect. */
extern int OP_diags, OP_block_size, OP_part_size, OP_auto_soa;

/* Measure a tree of named times. Optional; calls in any order are harmless. */
void op_profile_start(const char *name);
void op_profile_enter(const char *name);
void op_profile_enter_kernel(const char *name, const char *target, const char *variant);
void op_profile_next(const char *name);
void op_profile_exit(void);
void op_profile_end(void);
void op_profile_finish(void);
void op_profile_output(void);
void op_profile_output_json(const char *file_name);

#ifdef CLEAVE_PARSE

/* text: the source text of the call, by which the runtime finds the compiled loop. */
void cleave_parse_loop(const char *text, ...);
void cleave_parse_const(const char *text, int dim, const char *type, const void *data);
#define op_par_loop(...) cleave_parse_loop(#__VA_ARGS__, __VA_ARGS__)
#define op_decl_const(dim, type, data) cleave_parse_const(#data, dim, type, data)

#endif

#ifdef __cplusplus
}
#endif

#include "op_lib_single.h"

#ifndef CLEAVE_PARSE
#include "op_lib_loop.h"
#endif

#endif
