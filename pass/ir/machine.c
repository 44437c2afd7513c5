/* machine.c: the values of machine.h. "Measured" means on an NVIDIA H200, with the loops that
 * testsuite/bench/ has, unless the comment names others.
 */
#include "pass/ir/machine.h"
#include "runtime/base/h200.h"

const struct machine machines[MACHINE_KINDS] = {
    [MACHINE_GPU] =
        {
            .name = "NVIDIA H200",

            /* NVIDIA's data sheet. All GPUs since sm_90 let one block have 227 KB. */
            .processors = H200_MULTIPROCESSORS,
            .shared_bytes = 228 * 1024,
            .registers = 64 * 1024,
            .threads = 2048,
            .block_threads = 1024,
            .block_shared_bytes = 227 * 1024,

            .memory_rate = H200_COPY,
            .l2_rate = H200_L2,
            .shared_rate = H200_SHARED,
            .flop_rate = H200_IN_DOUBLE,

            /* Fitted: split fluxes and gradients come out within a factor of 1.6 of the best code
             * measured for them; the drain of a stage is part of a trip. The others follow from
             * times of fused stages, whose elements run in the turns of their colours. */
            .trip_latency = 1000,
            .barrier_latency = 50,
            .flop_latency = 1.5,
            .add_latency = 10,

            /* Chosen from the compiler's reports of registers and spills. Fetched bytes take their
             * registers twice. */
            .base_registers = 40,
            .held_bytes = 256,
            .row_bytes = 512,
            .coalesced_record_bytes = 32,
            /* Measured: threads that store records of 3 doubles or 5 floats by themselves reach a
             * third and a fifth of a copy's bandwidth, one part of each store; those of 4 doubles,
             * in 2 parts, 77 to 93 %. */
            .record_parts = 2,
            .fetched_bytes = 32,
            /* 64 registers. */
            .batch_bytes = 256,
            .ahead_bytes = 64,
            /* Measured: bodies of up to 450 flops were fastest with 64 to 80 registers; one of 829
             * flops ran at half its speed with them. */
            .capped_flops = 600,
            .spilling_flops = 350,
            /* Measured on LULESH: joined loops of 170 and 244 registers took 0.97 and 1.63 of their
             * members' time, on a third and a sixth of the memory's bandwidth; those of up to 100
             * registers saved what they move less. */
            .joined_registers = 128,
            .light_registers = 64,
            /* The largest neighbourhood of a mesh of tetrahedra has some 510 points, and four of
             * them must fit 224 KB. */
            .four_bytes = 112,

            /* Measured: edges need some hundred flops (hydra's accu takes 0.4 of two-pass's time),
             * the corners of hexahedra some thousand (lulesh's hourglass takes 2.4 times as long).
             */
            .recomputed_flops = 1000,
            /* Measured: owners take 1.0 to 1.4 times as long as the fastest variant of any kind at
             * 6 to 18 flops (edgecon, accu, airfoil's res_calc), and 1.5 to 3.0 times at 52 to 240
             * (iflux, vflux, integrate_stress, hourglass). */
            .recomputed_per_value = 32,
            /* Measured: owners took 0.64 to 0.87 of the next best's time at 4 to 9.2 flops per
             * component (jac's res, flux_sum and local_maximum of onera, miniaero's extrema), 1.1
             * to 1.4 times as long at 12 to 38 (volna's space_discretization, green_gauss,
             * getacc_scatter, airfoil's res_calc). */
            .added_flops = 10,
            /* Measured: loops with 24 and 26 components took 0.65 and 0.75 of the next best's time
             * (edgecon, accu), one with 4 took 1.8 times (airfoil's res_calc). */
            .many_components = 12,
            /* Measured on 4.1 million hexahedra (testsuite/bench/results, inplace-h200): a body of
             * 48 flops on 48 components takes 1.04 ms in blocks and 1.74 ms by global colours, one
             * of 240 flops 2.88 and 0.98 ms. */
            .in_place_flops = 2,
            /* Measured: airfoil's res_calc reads 112 bytes and gains 15 % over staging, one of 168
             * loses 2 to 8 % and those of 250 and more 15. */
            .little_bytes = 128,
            /* Measured: a loop that saved a reciprocal at each end for one component lost 6 %,
             * because more shared memory per block lowers occupancy; one that also saved a root
             * gained 5 %. */
            .extra_component = 9,
            /* Measured with updates of 68 and 136 bytes per cell (runtime/device/reduce.cuh). */
            .long_bytes = 100,
            /* Sums of products of two doubles; the records of four elements take 64 registers. */
            .short_bytes = 64,
        },
};
