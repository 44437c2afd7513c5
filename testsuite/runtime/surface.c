/* surface.c: calls every function of OP2's interface that runtime/api/README.md says is there, but for
 * those that api.c, reports.c and errors.c call, and looks at what it does. Also compiled as C++
 * (surface.cpp). surface.sh compares the calls with the page. */
#include "op_lib_mpi.h"
#include "op_mpi_core.h"
#include "op_rt_support.h"
#include "op_seq.h"
#include "op_util.h"
#include "op_profile_c.h"

#include "check.h"
#include "written.h"

#include <unistd.h>

static idx_g_t long_entries[8] = {1, 2, 2, 3, 3, 4, 5, 5};
static int entries[8] = {0, 1, 1, 2, 2, 3, 4, 4};
static double values[5] = {1.0, 2.0, 4.0, 8.0, 16.0};
static char text[4096];

static op_set nodes;
static op_set edges;
static op_set others;
static op_map ends;
static op_dat x;

static const char *content(const char *name)
{
    return take_file(name, text, sizeof text);
}

/* Returns what `write` prints to stdout. */
static const char *printed(void (*write)(void))
{
    const char *name = "cleave_surface.txt";
    int keep = dup(STDOUT_FILENO);
    fflush(stdout);
    CHECK(freopen(name, "w", stdout) != NULL);
    write();
    fflush(stdout);
    dup2(keep, STDOUT_FILENO);
    close(keep);
    return content(name);
}

static void declare(void)
{
    idx_l_t size = 5;
    nodes = op_decl_set(size, "nodes");
    edges = op_decl_set(4, "edges");
    others = op_decl_set(5, "others");
    x = op_decl_dat(nodes, 1, "double", values, "x");
    OP_maps_base_index = 1;
    ends = op_decl_map_long(edges, nodes, 2, long_entries, "ends");
    OP_maps_base_index = 0;
}

static void twice(double *value)
{
    *value *= 2.0;
}

static void move(const double *from, double *to)
{
    *to = *from + 1.0;
}

static void test_declarations(void)
{
    op_map again = op_decl_map(edges, nodes, 2, entries, "again");
    CHECK(memcmp(ends->map, entries, sizeof entries) == 0);
    CHECK(op_search_map_ptr((int *)(void *)long_entries) == ends);
    CHECK(op_search_map_ptr(entries) == again);
    CHECK(op_search_map_ptr(&entries[1]) == NULL);
    op_register_map_ptr(&entries[1], ends);
    CHECK(op_search_map_ptr(&entries[1]) == ends);
    CHECK(op_size_of_set("edges") == 4 && op_get_size(edges) == 4LL);
    CHECK(op_get_global_set_offset(edges) == 0);
    CHECK(search_dat(nodes, 1, "double", 8, "x") == x && compare_sets(nodes, nodes));
    CHECK(op_search_dat(nodes, 2, "double", 8, "x") == NULL && !compare_sets(nodes, edges));
    check_map("again", edges, nodes, 2, entries);
    op_check_map("again", edges, nodes, 2, entries);
}

static void test_fields(void)
{
    op_arg arg = op_arg_dat(x, 1, ends, 1, "double", OP_READ);
    double sum = 0.0;
    op_set_core *set = nodes;
    op_map_core *map = ends;
    op_dat_core *dat = x;
    CHECK(set->stride == 5 && map->user_managed == 0 && map->force_part == 0);
    CHECK(dat->user_managed == 0 && dat->dirtybit == 0 && dat->dirty_hd == 0);
    CHECK(arg.data == x->data && arg.map_data == ends->map && arg.argtype == OP_ARG_DAT);
    CHECK(arg.index == -1 && arg.sent == 0 && arg.idx == 1 && arg.size == 8 && arg.opt == 1);
    CHECK(op_arg_gbl(&sum, 1, "double", OP_INC).argtype == OP_ARG_GBL);
    CHECK(op_arg_gbl_char((char *)&sum, 1, "double", 8, OP_INC).data == (char *)&sum);
    CHECK(op_opt_arg_gbl_char(0, (char *)&sum, 1, "double", 8, OP_INC).opt == 0);
    CHECK(op_arg_idx(0, ends).argtype == OP_ARG_IDX);
    CHECK(op_arg_info_char((char *)&sum, 1, "double", 8, 0).argtype == OP_ARG_INFO);
    CHECK(getSetSizeFromOpArg(&arg) == 5 && getHybridGPU() == 0);
    CHECK(OP_diags == 0 && OP_block_size == 0 && OP_part_size == 0 && OP_auto_soa == 0);
}

/* The dats of an overlay hold the same values, whichever a loop writes. */
static void test_overlay(void)
{
    double got[5];
    op_dat first = op_decl_dat(nodes, 1, "double", values, "first");
    op_dat over = op_decl_dat_overlay(others, first);
    op_dat third = op_decl_dat_overlay_ptr(others, over->data);
    CHECK(over->set == others && over->data == first->data && third->data == first->data);
    op_par_loop(twice, "twice", others, op_arg_dat(over, -1, OP_ID, 1, "double", OP_RW));
    op_fetch_data(first, got);
    CHECK(got[0] == 2.0 && got[4] == 32.0);
    op_par_loop(twice, "twice", nodes, op_arg_dat(first, -1, OP_ID, 1, "double", OP_RW));
    op_fetch_data_char(third, (char *)got);
    CHECK(got[0] == 4.0 && got[4] == 64.0);
    op_par_loop(move, "move", others, op_arg_dat(over, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(third, -1, OP_ID, 1, "double", OP_WRITE));
    op_fetch_data_idx_char(first, (char *)got, 0, 1);
    CHECK(got[0] == 5.0 && got[1] == 9.0);
    op_dat temporary = op_decl_dat_temp_char(nodes, 1, "double", 8, "temporary");
    op_dat kept = op_decl_dat_overlay(others, temporary);
    ((double *)(void *)temporary->data)[3] = 7.0;
    op_put_data(temporary);
    op_free_dat_temp_char(temporary);
    op_fetch_data(kept, got);
    CHECK(got[3] == 7.0);
    op_free_dat_temp(kept);
}

static void dump(void)
{
    op_dump_dat(x);
    op_print("a line");
}

static void test_data(void)
{
    op_dat copy = op_fetch_data_file_char(x);
    op_dat all = op_mpi_get_data(x);
    double *data = (double *)(void *)x->data;
    op_download_dat(x);
    data[0] = 3.0;
    op_upload_dat(x);
    CHECK(((double *)(void *)copy->data)[0] == 1.0 && ((double *)(void *)all->data)[4] == 16.0);
    op_free_dat_temp(copy);
    op_free_dat_temp(all);
    data[0] = 1.0;
    op_upload_all();
    printed(dump);
    CHECK(strstr(text, "dat 'x' on set 'nodes': 5 elements of 1 double\n+1.0") == text);
    CHECK(strstr(text, "\na line\n") != NULL);
}

/* An edge loop that the program runs by itself. */
static void test_by_hand(void)
{
    op_dat sum = op_decl_dat(nodes, 1, "double", (double *)NULL, "sum");
    op_arg arg[2];
    int indirect = 0;
    int size;
    arg[0] = op_arg_dat(x, 0, ends, 1, "double", OP_READ);
    arg[1] = op_arg_dat(sum, 1, ends, 1, "double", OP_INC);
    op_arg_check(edges, 0, arg[0], &indirect, "hand");
    op_arg_check(edges, 1, arg[1], &indirect, "hand");
    CHECK(indirect == 2);
    size = op_mpi_halo_exchanges(edges, 2, arg);
    CHECK(size == 4 && op_mpi_halo_exchanges_grouped(edges, 2, arg, 0) == 4);
    op_mpi_test_all(2, arg);
    op_mpi_test_all_grouped(2, arg);
    op_mpi_wait_all(2, arg);
    op_mpi_wait_all_grouped(2, arg, 0);
    for (int e = 0; e < size; e++) {
        const int *row = arg[0].map_data + e * 2;
        ((double *)(void *)arg[1].data)[row[1]] += ((double *)(void *)arg[0].data)[row[0]];
    }
    op_mpi_set_dirtybit(2, arg);
    op_mpi_reset_halos(2, arg);
    CHECK(op_mpi_perf_time("hand", 0.25) != NULL);
    CHECK(((double *)(void *)sum->data)[3] == 4.0 && ((double *)(void *)sum->data)[4] == 16.0);
    op_timing_output_2_file("cleave_surface.times");
    CHECK(strstr(content("cleave_surface.times"), "by hand (seq)") != NULL);
}

static void test_one_process(void)
{
    int rank = 7;
    float f = 1.0f;
    double d = 2.0;
    int i = 3;
    bool b = true;
    op_arg arg = op_arg_gbl(&d, 1, "double", OP_INC);
    op_rank(&rank);
    CHECK(rank == 0 && op_is_root() == 1);
    op_mpi_reduce_float(&arg, &f);
    op_mpi_reduce_double(&arg, &d);
    op_mpi_reduce_int(&arg, &i);
    op_mpi_reduce_bool(&arg, &b);
    op_mpi_reduce_combined(&arg, 1);
#ifdef __cplusplus
    op_mpi_reduce(&arg, &d);
    op_decl_const2("d", 1, "double", &d);
#endif
    CHECK(f == 1.0f && d == 2.0 && i == 3 && b);
    op_mpi_barrier();
    op_disable_mpi_reductions(true);
    op_disable_mpi_reductions(false);
    op_partition_destroy();
    deviceSync();
}

static void test_moments(void)
{
    double times[3] = {0.0, 1.0, 3.0};
    double first;
    double second;
    op_compute_moment(3.0, &first, &second);
    CHECK(first == 3.0 && second == 9.0);
    op_compute_moment_across_times(times, 3, true, &first, &second);
    CHECK(first == 2.0 && second == 5.0);
    op_compute_moment_across_times(times, 2, false, &first, &second);
    CHECK(first == 0.5 && second == 0.5);
}

static void test_types(void)
{
    CHECK(op_type_equivalence("double:soa", "real(8)") && op_type_equivalence("int", "integer(4)"));
    CHECK(!op_type_equivalence("double", "float"));
}

static void test_words(void)
{
    CHECK(op_check_whitelist("any"));
    op_check_fallback_mode("any");
    op_disable_device_execution(true);
    op_par_loop(twice, "twice", nodes, op_arg_dat(x, -1, OP_ID, 1, "double", OP_RW));
    op_disable_device_execution(false);
    CHECK(((double *)(void *)x->data)[4] == 32.0);
}

static void test_arrays(void)
{
    int keys[4] = {3, 1, 2, 1};
    int map[8] = {30, 31, 10, 11, 20, 21, 12, 13};
    int *memory = (int *)xmalloc(4 * sizeof *memory);
    memory = (int *)xrealloc(memory, 8 * sizeof *memory);
    CHECK(min(keys, 4) == 1 && linear_search(keys, 2, 0, 3) == 2);
    op_sort_map(keys, map, 4, 2);
    CHECK(keys[0] == 1 && keys[3] == 3 && map[0] == 10 && map[2] == 12 && map[7] == 31);
    CHECK(binary_search(keys, 3, 0, 3) == 3 && binary_search(keys, 5, 0, 3) == -1);
    op_sort_2(keys, map, 4);
    op_sort_dat(keys, (char *)map, 4, 8);
    op_sort_rows(keys, map, 8, 4);
    CHECK(map[7] == 31);
    CHECK(op_util_checked(memory, 4) == memory);
    free(memory);
    free(xcalloc(2, 4));
    CHECK(compute_local_size(10, 3, 0) == 4 && compute_local_size(10, 3, 2) == 3);
    CHECK(file_exist("/dev/null") && !file_exist("/no/such/file"));
    CHECK(ROUND_UP(17) == 32 && ROUND_UP_64(17) == 64);
#ifdef __cplusplus
    op_sort(map, 8);
    CHECK(removeDups(keys, 4) == 3);
#endif
}

int main(int argc, char **argv)
{
    op_mpi_init(argc, argv, 0, 0, 0);
    declare();
    test_declarations();
    test_fields();
    test_overlay();
    test_data();
    test_by_hand();
    test_one_process();
    test_moments();
    test_types();
    test_words();
    test_arrays();
    op_exit();
    OP_maps_base_index = 1;
    op_init_soa(argc, argv, 0, 0);
    op_exit();
    CHECK(OP_maps_base_index == 0); /* each op_init begins anew */
    op_mpi_init_soa(argc, argv, 0, 0, 0, 0);
    op_init_soa(argc, argv, 0, 0);
    op_exit();
    return CHECK_RESULT();
}
