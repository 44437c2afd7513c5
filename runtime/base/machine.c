/* machine.c: the values of machine.h. One row for all machines so far: a host of 2 cores (AMD EPYC,
 * gcc 12's libgomp) and one NVIDIA H200. Results that machines must agree on, such as those of
 * CLEAVE_DETERMINISTIC, depend on the rows marked "shows". */
#include "runtime/base/machine.h"

#include "runtime/base/h200.h"

const struct cleave_machine cleave_machine = {
    /* An empty region of two spinning threads took 1.1 microseconds in the median, and on average
     * 15 to 1,000 while other processes had the cores, because one wait in a hundred lasts for a
     * time slice (22 ms). The threads of a loop meet after each colour, some ten times: 0.1 ms is
     * what this costs on a machine with a little other work. The next rows bound what measuring
     * costs. testsuite/bench/results/2026-11-23-few.txt */
    .measured_elements = 65536,
    .few_seconds = 100e-6,
    .patience = 0.03,
    .calls_between = 256,
    .calls_when_busy = 64,
    /* A look takes 30 microseconds; ten quiet looks are half a second. A program that leaves so
     * many processors free does not spin on those that others want. */
    .look_seconds = 0.05,
    .quiet_looks = 10,
    .most_sleepers = 64,
    /* Reading 128 kB to see whether they are zeros takes 5 microseconds, less than mapping pages
     * and asking for them. */
    .least_mapped = 128 << 10,

    /* airfoil on two cores with 1 MB of L2 each (testsuite/bench/results): tiles of 0.4 MB are too
     * short for the prefetcher, those of 1.6 MB, half of which are distinct bytes, are the best at
     * 2.88 million cells, and as good as larger ones at 720,000. Schedules took 20 ms for 6 million
     * points of elements. */
    .tile_bytes = 1.6e6,
    .tiled_bytes = 4e6,
    .tile_visit = 4e-9,
    .tile_patience = 100.0,
    .tile_gain = 0.99,
    /* The data of so few elements stay in the cache in any order. */
    .renumbered_elements = 8192,
    /* Above it, loops that read and increment 72 bytes of each point took 1.3 to 1.9 times as long
     * as in bands, below it at most 1.4 times; natural orders and bands have up to 0.004.
     * testsuite/bench/results/2026-11-23-locality.txt */
    .far_reads = 0.007,
    /* Natural orders and bands have none; in runs of 1024 to 4096 elements at random places most
     * are torn, and 40 % of the elements or all lie on borders of ranges, which takes 1.6 times as
     * long. */
    .torn_points = 0.25,
    /* Natural meshes of eleven applications have 2 to 5.9, and 8.1 (edges of jac's triangles),
     * where loops took the same time in the program's order and in the runtime's; random orders
     * have 32.
     */
    .kept_lines = 9,
    .scattered_lines = 16,
    /* Some steps of a program. On 2.4 million edges of hydra a step took 1.7 ms without plans, 1.0
     * with plans in the program's order and 0.85 in the runtime's, which took 0.27 s to make. */
    .first_plans = 64,
    /* With all 16 of a host's, the first loop of aero started after 3 to 24 ms in 6 runs: its three
     * uploads of 1.4 to 2.9 MB took up to 8 ms each. With 8, after 3.9 to 4.6 ms.
     * testsuite/bench/results/2026-11-24-start-h200.txt */
    .copy_threads = 8,
    .minor_map = 0.05,
    /* Going back costs some milliseconds and drops all plans; two runs of a program differ by 1 %.
     */
    .trial_ratio = 0.98,
    .trial_seconds = 0.005,
    .trial_share = 0.25,
    .trial_apart = 0.1,
    .trial_patience = 5.0,
    /* A guess that no transfer exceeds by much, with buffers in between; and the least that an
     * order should save. */
    .transfer_rate = 10e9,
    .order_gain = 0.1,
    /* Loops over edges that read and increment 72 to 88 bytes of a point were 10 to 15 % faster in
     * the bands of a Cuthill-McKee order, those of 164 bytes and more 10 to 100 % slower. */
    .light_point = 160,
    /* Both on tetrahedra with 14 edges a vertex: loops of mgcfd, with some 200 bytes, took 0.94 to
     * 0.97 of the time in an order of the runtime's, less than that costs; hydra, with over 400,
     * needs it. */
    .heavy_point = 320,
    /* Two loops over 10,000 elements that change records in place through a list, one copies, one
     * takes a square root and two quotients: time in registers of 64 bytes over that of scalars at
     * a share of 1: 0.81 and 0.48; 0.66: 1.03 and 0.66; 0.43: 1.13 and 0.76; 0.17: 1.14 and 0.88.
     */
    .least_distinct = 0.7,
    /* Shows. On two cores, res_calc by colours took 10 to 35 % less in blocks of 1024 of 1.4
     * million edges, and 10 to 15 % more in those of 120,000, of which each colour has few. */
    .large_host_set = 1 << 18,
    .large_host_block = 1024,
    .least_host_block = 32,
    /* Shows. Large blocks pay where all threads copy records; small blocks of warps that wait for
     * no other warp end early. */
    .gather_block_size = 256,
    /* airfoil's adt_calc took 0.966 of the time with 256 threads at 5.76 million cells, and 0.967
     * at 720,000 (testsuite/bench/results/2026-11-23-batches-h200.txt and -stores-h200.txt). */
    .map_block_size = 128,
    /* kinematics and velocity_gradients of lulesh, whose threads have 152 and 157 registers, took
     * 0.67 of the time with 384 instead of 256 threads per multiprocessor. */
    .small_block_size = 64,
    .reduction_block_size = 128,
    /* Reductions over 3 and 4 million elements of 8 to 40 bytes (aero, jac) took 0.72 to 0.96 of
     * the time with 256 threads, over 720,000 and 5.76 million of 136 bytes (airfoil's update) 0.94
     * and 0.98, over 150,000 elements up to 1.3 times as long.
     * testsuite/bench/results/2026-11-23-choices-h200.txt */
    .many_reduced = 500e3,
    .light_reduced = 144,
    /* The device starts 1.5 blocks per nanosecond: with 64 threads, 20 million elements of 21 and
     * 14 bytes took 195 microseconds (jac), with 256 threads 157 and 123. From 34 bytes on it makes
     * no difference. */
    .transpose_block_size = 64,
    .light_element = 32,
    /* Global colours read records once per colour, which costs little as long as these stay in the
     * cache: with 60 MB of L2, blocks and global colours took equally long at 112 MB.
     * testsuite/bench/results/2026-11-22-inplace-h200.txt */
    .in_place_bytes = 128e6,
    /* Without zeros that it need not read, airfoil's res_calc by points, which takes 108 MB at
     * 720,000 cells, made a step 5 % slower than by whole warps; at 5.76 million cells 1.4 %
     * faster. There the model, which expects too much of loops that mostly move memory, says 376
     * microseconds by points and 374 by warps with the zeros stored; both together take 470 and 555
     * with update, which stores the zeros or leaves them out.
     * testsuite/bench/results/2026-11-28-h200.txt */
    .zeros_bytes = 128e6,
    .zeros_tie = 1.1,
    /* mgcfd's restrict_clear sets coarse points from 7 to 8 fine ones each: by global colours it
     * took 27, 22 and 30 microseconds over 8,000, 58,000 and 441,000 points, by blocks 11, 13 and
     * 24; aero's dirichlet, whose points have one element each, is the fastest by global colours.
     * testsuite/bench/results/2026-11-23-choices-h200.txt */
    .in_place_uses = 2,
    /* Whole warps in parts of the time of gathers: on hexahedra, with 6 faces each, 0.46 to 0.74
     * (green_gauss, extrema, limit and both fluxes of miniaero), on boundaries 0.6 to 0.8
     * (limit_side, btris); on tetrahedra, with 14 edges each, 1.25 to 1.6 (compute_flux_edge of
     * mgcfd, iflux, vflux). Elements that add to 4 to 8 points: 1.0 to 1.5 (spMV, getacc_scatter,
     * hourglass, integrate_stress), with 4 to 8 uses, in blocks, and 0.77 to 0.93 of it in the
     * order of a grid: the model decides between them. */
    .many_columns = 4,
    .modelled_elements = 16384,
    .many_uses = 10,
    /* Vertices of tetrahedra have some 14 edges and 23 cells. One thread adds up all of a point: if
     * each has thousands, few threads are left. */
    .most_uses = 64,
    /* Shows. Visiting 6 million points of which 8,000 elements name some took 30 microseconds,
     * adding the sums of their blocks 8 to 14, and colours 9 for any number of points. */
    .many_points = 1 << 20,
    .few_share = 64,
    /* Shows. Two loops over hexahedra of 8 points took 1.6 and 2.7 ms by colours, 2.1 and 2.9
     * through memory; over edges, sums of points won. */
    .points_of_element = 4,
    /* Shows. With 64 registers iflux and integrate_stress, whose threads keep 112 and 176 bytes in
     * local memory, were the fastest or took 1.2 times as long; flux_second_viscous of miniaero
     * with 400 took twice and hourglass with 664 2.6 times as long. Points of mgcfd's group of
     * fluxes, with 152, took 266 us instead of 126 (results/2026-11-28-h200.txt). */
    .spilled_bytes = 200,
    .spilled_by_points = 100,
    /* Loops over 980 to 8,000 elements that took 4 to 6 microseconds lost 1.1 to 1.5 times by the
     * rule's block size. Between two events an empty kernel takes 3.6 microseconds, and the events
     * tell times to half of one: the mean of 16 short calls to an eighth. On the host, loops that
     * start no threads differ by what the clock and the caches do between two calls.
     * testsuite/bench/results/2026-11-23-choices-h200.txt */
    .tuned_elements_device = 256,
    .tuned_elements_host = 16384,
    .tuned_seconds_device = 2e-6,
    .tuned_seconds_host = 50e-6,
    .short_seconds = 20e-6,
    /* Two launches as a graph take the host less than one by itself. A graph of eight starts less
     * than a microsecond later than a launch, and keeps the device at work until all others are
     * submitted. A host that does something else for longer than some launches take must not keep
     * the device waiting. */
    .graph_seen = 3,
    .graph_least = 2,
    .graph_first = 8,
    .graph_pause = 100e-6,
    /* One H200: calls of gpu_launch, one by one and in graphs; graphs of empty kernels
     * (cudaGraphLaunch 1.4 microseconds, whatever it holds; 0.74 for each kernel on the device;
     * making one of 8 took 40, of 40 230). airfoil with 720,000 cells lost 1 for each of its graphs
     * of 3 and 4 launches. An empty kernel between two events took 3.6. */
    .graph = {.launch = 3.1e-6,
              .call = 0.3e-6,
              .start = 1.5e-6,
              .gap = 1e-6,
              .overhead = 3e-6,
              .least = 0.75e-6,
              .make = 30e-6,
              .make_launch = 6e-6},
    /* A host that nothing holds up is 1,024 launches ahead, as far as the driver allows: 70 steps
     * of a program with 14 loops, too late for what the next trial should be. */
    .launches_ahead = 64,
    /* Two events, and what a graph of 7 launches brought mgcfd's small loops (1.49 and 1.00 ms per
     * cycle of 77 launches). The host gathers the first call of a candidate within a millisecond,
     * and copies plans at some GB/s: estimates, not measured. */
    .timed_seconds = 4e-6,
    .gathering_seconds = 1e-3,
    .copied_bytes_per_second = 4e9,
    .apart_seconds = 6.5e-6,
    .copies_calls = 16,
    .copies_remade = 4,
    /* Measured by runtime/cuda/calibrate.cu. */
    .device_rates =
        {
            .copy = 3.83e12,
            .l2 = 15.1e12,
            .shared = 30.2e12,
            .in_double = 16.0e12,
            .in_float = 30.5e12,
            .coalesced = 293e9,
            .scattered = 90e9,
            .latency = 147e-9,
            .launch = 4.0e-6,
            .wait = 9.6e-6,
            .cached_bytes = 60 << 20,
            .multiprocessors = H200_MULTIPROCESSORS,
        },
    /* One core of an AMD EPYC with AVX-512 and its share of memory, by runtime/model/host.c. */
    .host_rates = {.copy = 16e9,
                   .l2 = 300e9,
                   .in_double = 3.6e9,
                   .in_float = 3.6e9,
                   .launch = 3e-6,
                   .cached_bytes = 32e6,
                   .multiprocessors = 1},
    .in_double = {.division = 10, .function = 25},
    .in_float = {.division = 6, .function = 10},
    /* Fitted on one H200, with the rates above, to the times of gpu_bench in all variants
     * (results/2026-11-22-loops-h200.json) and of applications in all variants and block sizes;
     * runtime/model/README.md says how well. */
    .slack = {.memory = 0.912,
              .cached = 0.35,
              .l2 = 1.89,
              .spilled = 0.828,
              .stored = 6.15,
              .added = 1.0,
              .float_addition = 0.588,
              .operation = 0.31,
              .shared = 0.913,
              .summed = 3.36,
              .summed_by_many = 4.73,
              .shared_atomic = 37,
              .apart = 2.70,
              .strided = 1.05,
              .reduced = 38,
              .block = 0.402,
              .trip = 1.85,
              .visit = 1.17,
              .barrier = 1.22,
              .turn = 7.63,
              .turn_value = 0.386,
              .operation_wait = 0.0057,
              .alone = 4.08,
              .operation_alone = 0.032,
              .last = 0.131,
              .launch = 0.5,
              .power = 3.87},
    /* Chosen on two cores of an AMD EPYC by the loops of airfoil; runtime/model/README.md. */
    .host_slack = {.memory = 1.0,
                   .cached = 0.5,
                   .caches = 1.0,
                   .gathered = 0.06,
                   .operation = 0.5,
                   .lane = 0.6,
                   .power = 2.0},
};
