/* errors.c: every error of the runtime's API: the program ends with code 1 and one message that
 * names object and cause. Each case runs in a child process. */
#include "op_seq.h"

#include "check.h"
#include "child.h"

static op_set cells;
static op_set edges;
static op_map pecell;
static op_dat q;
static op_dat w; /* on edges */
static double global_value;
static int global_int;

static void kernel1(const double *a)
{
    (void)a;
}

static void kernel2(double *a, int *b)
{
    *b = (int)*a;
}

static void declare(void)
{
    static int map[6] = {0, 1, 1, 2, 2, 0};
    op_init(0, NULL, 0);
    cells = op_decl_set(3, "cells");
    edges = op_decl_set(3, "edges");
    pecell = op_decl_map(edges, cells, 2, map, "pecell");
    q = op_decl_dat(cells, 4, "double", NULL, "q");
    w = op_decl_dat(edges, 1, "double", NULL, "w");
}

/* One loop over edges with one argument. */
#define LOOP1(argument)                                                                            \
    declare();                                                                                     \
    op_par_loop(kernel1, "flux", edges, argument)

#define CASE(name, ...)                                                                            \
    static void name(void)                                                                         \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }

CASE(set_negative, op_decl_set(-1, "cells"))
CASE(map_entry, int bad[6] = {0, 1, 1, 1900, 0, 1}; declare();
     op_decl_map(edges, cells, 2, bad, "e2c"))
CASE(map_negative, int bad[3] = {0, -1, 2}; declare(); op_decl_map(edges, cells, 1, bad, "e2c"))
CASE(map_null, declare(); op_decl_map(edges, cells, 2, NULL, "e2c"))
CASE(map_dim, int some[3] = {0}; declare(); op_decl_map(edges, cells, 0, some, "e2c"))
CASE(map_set, int some[3] = {0}; declare(); op_decl_map(edges, NULL, 1, some, "e2c"))
CASE(dat_type, declare(); op_decl_dat(cells, 1, "real", NULL, "p"))
CASE(dat_pointer, float f[3] = {0}; declare(); op_decl_dat(cells, 1, "double", f, "p"))
CASE(dat_dim, declare(); op_decl_dat(cells, -2, "double", NULL, "p"))
CASE(dat_set, declare(); op_decl_dat(NULL, 1, "double", NULL, "p"))
CASE(dat_char_size, declare(); op_decl_dat_char(cells, 1, "double", 4, NULL, "p"))
CASE(temp_pointer, declare(); op_decl_dat_temp(cells, 1, "double", &global_int, "t"))
CASE(free_permanent, declare(); op_free_dat_temp(q))
CASE(free_twice, declare(); op_dat t = op_decl_dat_temp(cells, 1, "double", NULL, "t");
     op_free_dat_temp(t); op_free_dat_temp(t))
CASE(const_type, op_decl_const(1, "real", &global_value))
CASE(const_pointer, op_decl_const(1, "int", &global_value))
CASE(const_null, op_decl_const(1, "double", NULL))
CASE(const_char, op_decl_const_char(1, "double", 4, (const void *)&global_value, "gam"))

CASE(loop_set, declare();
     op_par_loop(kernel1, "flux", NULL, op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ)))
CASE(arg_null, LOOP1(op_arg_dat(NULL, -1, OP_ID, 1, "double", OP_READ)))
CASE(arg_set, LOOP1(op_arg_dat(q, -1, OP_ID, 4, "double", OP_READ)))
CASE(arg_map_to, LOOP1(op_arg_dat(w, 0, pecell, 1, "double", OP_READ)))
CASE(arg_map_from, declare();
     op_par_loop(kernel1, "flux", cells, op_arg_dat(q, 0, pecell, 4, "double", OP_READ)))
CASE(arg_dim, LOOP1(op_arg_dat(q, 0, pecell, 3, "double", OP_READ)))
CASE(arg_type, LOOP1(op_arg_dat(q, 0, pecell, 4, "float", OP_READ)))
CASE(arg_index, LOOP1(op_arg_dat(q, 2, pecell, 4, "double", OP_READ)))
CASE(arg_vector, LOOP1(op_arg_dat(q, -3, pecell, 4, "double", OP_READ)))
CASE(arg_access, LOOP1(op_arg_dat(w, -1, OP_ID, 1, "double", 9)))
CASE(arg_freed, declare(); op_dat t = op_decl_dat_temp(edges, 1, "double", NULL, "t");
     op_free_dat_temp(t);
     op_par_loop(kernel1, "flux", edges, op_arg_dat(t, -1, OP_ID, 1, "double", OP_READ)))
CASE(gbl_null, LOOP1(op_arg_gbl(NULL, 1, "double", OP_READ)))
CASE(gbl_dim, LOOP1(op_arg_gbl(&global_value, 0, "double", OP_READ)))
CASE(gbl_type, LOOP1(op_arg_gbl(&global_value, 1, "dbl", OP_READ)))
CASE(idx_index, LOOP1(op_arg_idx(2, pecell)))
CASE(info_ref, declare();
     op_par_loop(kernel2, "flux", edges, op_arg_gbl(&global_value, 1, "double", OP_INC),
                 op_arg_info(&global_int, 1, "int", 0)))
CASE(info_range, declare();
     op_par_loop(kernel2, "flux", edges, op_arg_gbl(&global_value, 1, "double", OP_MAX),
                 op_arg_info(&global_int, 1, "int", 3)))

CASE(fetch_range, declare(); double out[12]; op_fetch_data_idx(q, out, 1, 3))
CASE(fetch_null, declare(); op_fetch_data(q, NULL))
CASE(get_null, op_get_data(NULL))
CASE(size_null, op_get_size(NULL))
CASE(print_file, declare(); op_print_dat_to_txtfile(q, "/no/such/folder/q.txt"))
CASE(csv_file, op_timings_to_csv("/no/such/folder/t.csv"))

CASE(loop_after_exit, declare(); op_exit();
     op_par_loop(kernel1, "flux", edges, op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ)))
CASE(set_after_exit, declare(); op_exit(); op_decl_set(1, "late"))

CASE(env_backend, setenv("CLEAVE_BACKEND", "gpu", 1); declare())
CASE(env_openmp, setenv("CLEAVE_BACKEND", "openmp", 1);
     LOOP1(op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ)))
CASE(env_cuda, setenv("CLEAVE_BACKEND", "cuda", 1);
     LOOP1(op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ)))
CASE(env_schedule, setenv("CLEAVE_SCHEDULE", "cut", 1); declare())
CASE(env_races, setenv("CLEAVE_RACES", "color", 1); declare())
CASE(env_block, setenv("CLEAVE_BLOCK_SIZE", "128k", 1); declare())
CASE(env_partition, setenv("CLEAVE_PARTITION", "scotch", 1); declare())
CASE(env_cache, setenv("CLEAVE_PLAN_CACHE_MB", "2 GB", 1); declare())
CASE(env_no_cache, setenv("CLEAVE_PLAN_CACHE_MB", "0", 1); declare())
CASE(env_verify, setenv("CLEAVE_VERIFY", "yes", 1); declare())
CASE(env_deterministic, setenv("CLEAVE_DETERMINISTIC", "maybe", 1); declare())
CASE(env_contradiction, setenv("CLEAVE_DETERMINISTIC", "1", 1);
     setenv("CLEAVE_RACES", "transpose", 1); declare())
CASE(env_tolerance, setenv("CLEAVE_VERIFY_TOLERANCE", "small", 1); declare())
CASE(option_block, char *argv[] = {"app", "OP_BLOCK_SIZE=0"}; op_init(2, argv, 0))
CASE(option_base, char *argv[] = {"app", "OP_MAPS_BASE_INDEX=2"}; op_init(2, argv, 0))
CASE(base_entry, char *argv[] = {"app", "OP_MAPS_BASE_INDEX=1"}; int one[2] = {1, 0};
     op_init(2, argv, 0); op_set s = op_decl_set(2, "s"); op_decl_map(s, s, 1, one, "m"))

CASE(long_entry, declare(); idx_g_t far[2] = {0, 4000000000LL}; op_set two = op_decl_set(2, "two");
     op_decl_map_long(two, cells, 1, far, "far"))
CASE(base_variable, declare(); int one[3] = {0, 1, 2}; OP_maps_base_index = 7;
     op_decl_map(cells, cells, 1, one, "one"))
CASE(overlay_size, declare(); op_decl_dat_overlay(op_decl_set(2, "two"), q))
CASE(overlay_pointer, declare(); op_decl_dat_overlay_ptr(cells, &global_value))
CASE(set_name, declare(); op_size_of_set("faces"))
CASE(hand_index, declare(); op_arg arg = op_arg_dat(q, 2, pecell, 4, "double", OP_READ);
     op_arg_check(edges, 0, arg, NULL, "hand"))
CASE(hand_device, declare(); op_mpi_halo_exchanges_grouped(edges, 0, NULL, 1))
CASE(work_map, LOOP1(op_arg_dat(q, 0, pecell, 4, "double", OP_WORK)))
CASE(err_print, op_err_print("no good", 2, "flux"))
CASE(times_file, op_timing_output_2_file("/no/such/folder/t.txt"))
CASE(word_fallback, setenv("OP_FALLBACK_MODE", "stop", 1); declare())
CASE(fallback, setenv("OP_FALLBACK_MODE", "error", 1);
     LOOP1(op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ)))
CASE(word_whitelist, setenv("OP_WHITELIST", "/no/such/file", 1); declare())
CASE(word_level, setenv("OP_PROFILE_LEVEL", "9", 1); declare())

static const struct {
    void (*run)(void);
    const char *says;
} cases[] = {
    {set_negative, "op_decl_set 'cells': the size is -1"},
    {map_entry, "map 'e2c' row 1 column 1 = 1900, but set 'cells' has 3 elements"},
    {map_negative, "map 'e2c' row 1 column 0 = -1, but set 'cells' has 3 elements"},
    {map_null, "op_decl_map 'e2c': the array is a null pointer, but set 'edges' has 3 elements"},
    {map_dim, "op_decl_map 'e2c': the dimension is 0"},
    {map_set, "op_decl_map 'e2c': the set it goes to is a null pointer"},
    {dat_type, "op_decl_dat 'p': type \"real\" is not known; known are double, float"},
    {dat_pointer,
     "op_decl_dat 'p': the type is given as \"double\", but the array's elements are float"},
    {dat_dim, "op_decl_dat 'p': the dimension is -2"},
    {dat_set, "op_decl_dat 'p': the set is a null pointer"},
    {dat_char_size, "op_decl_dat_char 'p': a component of type \"double\" has 8 bytes, not 4"},
    {temp_pointer,
     "op_decl_dat_temp 't': the type is given as \"double\", but the array's elements are int"},
    {free_permanent, "op_free_dat_temp: dat 'q' was declared by op_decl_dat"},
    {free_twice, "op_free_dat_temp: dat 't' was freed by op_free_dat_temp"},
    {const_type, "op_decl_const 'global_value': type \"real\" is not known"},
    {const_pointer,
     "op_decl_const 'global_value': the type is given as \"int\", but the variable is double"},
    {const_null, "op_decl_const 'NULL': the value is a null pointer"},
    {const_char, "op_decl_const_char 'gam': 4 bytes do not fit type \"double\""},
    {loop_set, "loop 'flux' ("},
    {loop_set, "): the set is a null pointer"},
    {arg_null, "argument 1: the dat is a null pointer"},
    {arg_set,
     "argument 1: dat 'q' is on set 'cells', but the loop is over set 'edges' and no map is given"},
    {arg_map_to, "argument 1: map 'pecell' goes to set 'cells', but dat 'w' is on set 'edges'"},
    {arg_map_from,
     "argument 1: map 'pecell' goes from set 'edges', but the loop is over set 'cells'"},
    {arg_dim, "argument 1: dimension 3 is given, but dat 'q' has 4"},
    {arg_type, "argument 1: type \"float\" is given, but dat 'q' is of type \"double\""},
    {arg_index, "argument 1: index 2 is outside map 'pecell', which has 2 columns"},
    {arg_vector, "argument 1: index -3 asks for 3 columns, but map 'pecell' has 2"},
    {arg_access, "argument 1: access 9 is none of OP_READ"},
    {arg_freed, "argument 1: dat 't' was freed by op_free_dat_temp"},
    {gbl_null, "argument 1: the global is a null pointer"},
    {gbl_dim, "argument 1: the dimension of the global is 0"},
    {gbl_type, "argument 1: type \"dbl\" is not known"},
    {idx_index, "argument 1: index 2 is outside map 'pecell'"},
    {info_ref,
     "argument 2: op_arg_info refers to argument number 0, counted from 0, which is no op_arg_gbl "
     "with OP_MIN or OP_MAX"},
    {info_range, "argument 2: op_arg_info refers to argument number 3"},
    {fetch_range, "op_fetch_data_idx: elements 1 to 3 are not all in dat 'q', which has 3"},
    {fetch_null, "op_fetch_data: the array for dat 'q' is a null pointer"},
    {get_null, "op_get_data: the dat is a null pointer"},
    {size_null, "op_get_size: the set is a null pointer"},
    {print_file, "cannot write '/no/such/folder/q.txt' for dat 'q'"},
    {csv_file, "cannot write '/no/such/folder/t.csv'"},
    {loop_after_exit, "op_exit has freed all sets, maps and dats, but the program still uses them"},
    {set_after_exit, "op_exit has freed all sets, maps and dats, but the program still uses them"},
    {env_backend, "CLEAVE_BACKEND=gpu is not known; known are: auto, seq, openmp, cuda"},
    {env_openmp, "CLEAVE_BACKEND=openmp, but the program holds no OpenMP code"},
    {env_cuda, "CLEAVE_BACKEND=cuda, but the program holds no CUDA code"},
    {env_schedule, "CLEAVE_SCHEDULE=cut is not known; known are: fused, split"},
    {env_races, "CLEAVE_RACES=color is not known; known are: colour, atomic"},
    {env_block, "CLEAVE_BLOCK_SIZE=128k is not a number from 1 to 1024"},
    {env_partition, "CLEAVE_PARTITION=scotch is not known; known are: default, hard, none, rcm, "},
    {env_cache, "CLEAVE_PLAN_CACHE_MB=2 GB is not a number from 1 to 1048576"},
    {env_no_cache, "CLEAVE_PLAN_CACHE_MB=0 is not a number from 1 to 1048576"},
    {env_deterministic, "CLEAVE_DETERMINISTIC=maybe is not known; known are: 0, 1"},
    {env_contradiction, "CLEAVE_DETERMINISTIC=1 and CLEAVE_RACES=transpose exclude each other"},
    {env_verify, "CLEAVE_VERIFY=yes is not known; known are: 0, 1"},
    {env_tolerance, "CLEAVE_VERIFY_TOLERANCE=small"},
    {option_block, "OP_BLOCK_SIZE=0 is not a number from 1 to 1024"},
    {option_base, "OP_MAPS_BASE_INDEX=2: maps begin at 0 or at 1"},
    {long_entry, "map 'far' row 1 column 0 = 4000000000, but set 'cells' has 3 elements"},
    {base_variable, "op_decl_map 'one': OP_maps_base_index is 7; maps begin at 0 or at 1"},
    {overlay_size, "op_decl_dat_overlay of dat 'q': set 'two' has 2 elements, but the dat is on "},
    {overlay_pointer, "op_decl_dat_overlay_ptr: no dat was declared from the array at "},
    {set_name, "op_size_of_set: there is no set 'faces'"},
    {hand_index, "argument 1: index 2 is outside map 'pecell', which has 2 columns"},
    {hand_device, "op_mpi_halo_exchanges_grouped: device is 1, but loops by hand run on the host"},
    {work_map, "argument 1: OP_WORK is scratch of one element, but map 'pecell' leads to points"},
    {err_print, "loop 'flux', argument 3: no good"},
    {times_file, "op_timing_output_2_file: cannot write '/no/such/folder/t.txt'"},
    {word_fallback, "OP_FALLBACK_MODE=stop is not known; known are: warn, error"},
    {fallback, "OP_FALLBACK_MODE=error: loop 'flux' runs sequentially"},
    {word_whitelist, "OP_WHITELIST: cannot read '/no/such/file'"},
    {word_level, "OP_PROFILE_LEVEL=9 is not known; known are: 0, 1, 2, 3"},
    {base_entry, "map 'm' row 1 column 0 = 0, but set 's' has 2 elements, counted from 1"},
};

static void test_messages(void)
{
    char said[2048];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int code = child_run(cases[i].run, said, sizeof said);
        CHECK(code == 1);
        CHECK(strncmp(said, "cleave: error: ", 15) == 0);
        CHECK(strstr(said, cases[i].says) != NULL);
        if (strstr(said, cases[i].says) == NULL) {
            fprintf(stderr, "  expected \"%s\"\n  is \"%s\"\n", cases[i].says, said);
        }
    }
}

/* ---- how the program ends ---------------------------------------------------------------- */

static void keep_message(const char *message)
{
    fprintf(stderr, "handler: %s\n", message);
    exit(42);
}

static void with_handler(void)
{
    cleave_set_error_handler(keep_message);
    op_decl_set(-1, "cells");
}

static void with_abort(void)
{
    setenv("CLEAVE_ERROR", "abort", 1);
    op_decl_set(-1, "cells");
}

/* Names of any length: nothing is cut off before the cause. */
static void with_long_name(void)
{
    static char name[5000];
    memset(name, 'x', sizeof name - 1);
    op_decl_set(-1, name);
}

static void test_endings(void)
{
    char said[8192];
    CHECK(child_run(with_long_name, said, sizeof said) == 1);
    CHECK(strstr(said, "xxx': the size is -1\n") != NULL);
    CHECK(child_run(with_handler, said, sizeof said) == 42);
    CHECK(strstr(said, "handler: op_decl_set 'cells'") != NULL);
    CHECK(child_run(with_abort, said, sizeof said) > 128);
}

/* ---- legal after all --------------------------------------------------------------------- */

static void one_based(void)
{
    char *argv[] = {"app",        "OP_MAPS_BASE_INDEX=1", "OP_CACHE_LINE_SIZE=64",
                    "-gpudirect", "OP_AUTO_SOA",          "OP_PART_SIZE=64"};
    int entry[2] = {1, 2};
    op_init(6, argv, 0);
    op_set set = op_decl_set(2, "set");
    op_map map = op_decl_map(set, set, 1, entry, "map");
    exit(map->map[0] == 0 && map->map[1] == 1 ? 0 : 3);
}

/* OP2 takes any size for a temporary dat. */
static void other_size(void)
{
    char *argv[] = {"app"};
    op_init(1, argv, 0);
    op_set set = op_decl_set(3, "set");
    op_dat dat = op_decl_dat_temp_char(set, 2, "double", 16, "sized");
    exit(dat->size == 16 && dat->dim == 2 ? 0 : 3);
}

int main(void)
{
    char said[2048];
    test_messages();
    test_endings();
    CHECK(child_run(one_based, said, sizeof said) == 0);
    CHECK(child_run(other_size, said, sizeof said) == 0);
    CHECK(strstr(said,
                 "warning: op_decl_dat_temp_char 'sized': a component of type \"double\" has 8 "
                 "bytes, not 16; the size is ignored\n") != NULL);
    return CHECK_RESULT();
}
