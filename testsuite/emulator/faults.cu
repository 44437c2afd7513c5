/* faults.cu: kernels that break one rule each; faults.sh checks that the emulator names it.
 *
 * Those of asynchronous copies are in copy_faults.cu.
 */
#include "device/reduce.cuh"
#include "device/staging.cuh"
#include "emulator/fault.h"

/* ---- conflicts ------------------------------------------------------------------------------- */

CLEAVE_KERNEL void missing_barrier(double *out)
{
    CLEAVE_SHARED(int) s = cleave_shared<int>(0);
    int next = (cleave_thread() + 1) % cleave_threads();
    s[cleave_thread()] = cleave_thread();
    out[cleave_thread()] = s[next];
}

CLEAVE_KERNEL void overwrite_while_read(double *out)
{
    CLEAVE_SHARED(int) s = cleave_shared<int>(0);
    s[cleave_thread()] = cleave_thread();
    cleave_barrier();
    CLEAVE_SHARED(const int) all = s;
    out[cleave_thread()] = all[(cleave_thread() + 1) % cleave_threads()];
    s[cleave_thread()] = 100;
}

/* Two threads of different colours add to one point. */
CLEAVE_KERNEL void missing_colour_barrier(double *)
{
    CLEAVE_SHARED(double) s = cleave_stage_zero<double, 1>(0, {nullptr, cleave_threads()});
    cleave_barrier();
    for (int colour = 0; colour < 2; colour++) {
        if (cleave_thread() % 2 == colour) {
            s[cleave_thread() / 2] += 1.0;
        }
    }
}

CLEAVE_KERNEL void use_before_staged(double *out)
{
    CLEAVE_SHARED(int) s = cleave_stage_zero<int, 1>(0, {nullptr, cleave_threads()});
    cleave_add_shared(s, 0, 1);
    out[0] = 0;
}

CLEAVE_KERNEL void read_while_added(double *out)
{
    CLEAVE_SHARED(int) s = cleave_stage_zero<int, 1>(0, {nullptr, cleave_threads()});
    cleave_barrier();
    cleave_add_shared(s, 0, 1);
    out[cleave_thread()] = s[0];
}

CLEAVE_KERNEL void same_byte(double *)
{
    CLEAVE_SHARED(char) s = cleave_shared<char>(0);
    s[cleave_thread() / 2] = char(cleave_thread());
}

/* One array's memory is used again for another type without a barrier. */
CLEAVE_KERNEL void other_type(double *)
{
    CLEAVE_SHARED(double) s = cleave_shared<double>(0);
    CLEAVE_SHARED(char) t = cleave_shared<char>(0);
    if (cleave_thread() == 0) {
        s[1] = 1.0;
    } else if (cleave_thread() == 1) {
        t[13] = 1;
    }
}

/* ---- ranges ---------------------------------------------------------------------------------- */

CLEAVE_KERNEL void beyond_end(double *)
{
    CLEAVE_SHARED(double) s = cleave_shared<double>(0);
    s[cleave_thread() == 5 ? 512 : cleave_thread()] = 0;
}

CLEAVE_KERNEL void before_begin(double *)
{
    CLEAVE_SHARED(int) s = cleave_shared<int>(64);
    (s + 4)[cleave_thread() == 3 ? -5 : cleave_thread()] = 0;
}

CLEAVE_KERNEL void add_beyond_end(double *)
{
    CLEAVE_SHARED(int) s = cleave_shared<int>(0);
    cleave_add_shared(s, 1024, 1);
}

CLEAVE_KERNEL void misaligned(double *)
{
    cleave_shared<double>(4)[0] = 1;
}

/* ---- barriers and shuffles ------------------------------------------------------------------- */

CLEAVE_KERNEL void barrier_not_reached(double *)
{
    if (cleave_thread() < 40) {
        cleave_barrier();
    }
}

CLEAVE_KERNEL void two_barriers(double *)
{
    if (cleave_thread() < 32) {
        cleave_barrier();
    } else {
        cleave_barrier();
    }
}

CLEAVE_KERNEL void lanes_missing(double *out)
{
    if (cleave_lane() < 16) {
        out[cleave_thread()] = cleave_shuffle_down(1, 4);
    }
}

CLEAVE_KERNEL void lanes_at_barrier(double *out)
{
    if (cleave_lane() < 8) {
        out[cleave_thread()] = cleave_shuffle_down(1, 4);
    }
    cleave_barrier();
}

CLEAVE_KERNEL void two_shuffles(double *out)
{
    if (cleave_lane() < 16) {
        out[cleave_thread()] = cleave_shuffle_down(1, 4);
    } else {
        out[cleave_thread()] = cleave_shuffle_down(2, 4);
    }
}

CLEAVE_KERNEL void two_exchanges(double *out)
{
    if (cleave_lane() < 16) {
        out[cleave_thread()] = cleave_shuffle_up(1, 4);
    } else {
        out[cleave_thread()] = cleave_ballot(true);
    }
}

CLEAVE_KERNEL void ballot_missing(double *out)
{
    if (cleave_lane() != 31) {
        out[cleave_thread()] = cleave_ballot(true);
    }
}

CLEAVE_KERNEL void warp_barrier_missing(double *)
{
    if (cleave_lane() < 4) {
        cleave_warp_barrier();
    }
}

CLEAVE_KERNEL void vote(double *out)
{
    out[cleave_thread()] = cleave_ballot(true);
}

/* A block whose second warp has 8 lanes. */
static void partial_warp(double *memory)
{
    CLEAVE_LAUNCH(vote, 1, 40, 0, nullptr, memory);
}

CLEAVE_KERNEL void no_such_lane(double *out)
{
    out[cleave_thread()] = cleave_shuffle(1.0, cleave_lane() + 1);
}

/* Data of another warp is read after a warp barrier only. */
CLEAVE_KERNEL void warp_barrier_for_block(double *out)
{
    CLEAVE_SHARED(int) s = cleave_shared<int>(0);
    s[cleave_thread()] = cleave_thread();
    cleave_warp_barrier();
    out[cleave_thread()] = s[(cleave_thread() + 32) % 64];
}

/* Lanes of one warp, without a barrier after their last one. */
CLEAVE_KERNEL void second_warp_barrier_missing(double *out)
{
    CLEAVE_SHARED(int) s = cleave_shared<int>(0);
    int first = cleave_thread() - cleave_lane();
    s[cleave_thread()] = cleave_thread();
    cleave_warp_barrier();
    int next = s[first + (cleave_lane() + 1) % 32];
    s[cleave_thread()] = next;
    out[cleave_thread()] = next;
}

/* A shuffle is no barrier for memory. */
CLEAVE_KERNEL void shuffle_for_barrier(double *out)
{
    CLEAVE_SHARED(int) s = cleave_shared<int>(0);
    int first = cleave_thread() - cleave_lane();
    s[cleave_thread()] = cleave_shuffle(cleave_thread(), 0);
    out[cleave_thread()] = cleave_shuffle_down(1, 1);
    out[cleave_thread()] = s[first + (cleave_lane() + 1) % 32];
}

/* Blocks of one colour add to one point. */
CLEAVE_KERNEL void same_point(double *out)
{
    static const int point[] = {3};
    CLEAVE_SHARED(double) s = cleave_stage_zero<double, 1>(0, {point, 1});
    cleave_barrier();
    if (cleave_thread() == 0) {
        s[0] = 1;
    }
    cleave_barrier();
    cleave_stage_out_add<double, 1>(out, s, {point, 1});
}

/* ---- graphs -----------------------------------------------------------------------------------
 */

CLEAVE_KERNEL void copy_first(double *to, const double *from)
{
    if (cleave_block() == 0 && cleave_thread() == 0) {
        to[0] = from[0] + 1.0;
    }
}

/* Captures two launches, and launches them as a graph: twice before memory that they name is
 * released, and once after. */
static void graph_of_released(double *memory)
{
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    double *gone = nullptr;
    cudaMalloc((void **)&gone, sizeof(double));
    cudaMemset(gone, 0, sizeof(double));
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    CLEAVE_LAUNCH(copy_first, 3, 64, 0, stream, gone, memory);
    CLEAVE_LAUNCH(copy_first, 3, 64, 0, stream, memory, gone);
    if (cudaMemsetAsync(gone, 0, sizeof(double), stream) != cudaErrorStreamCaptureUnsupported) {
        return;
    }
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiateWithFlags(&ready, graph, 0);
    cudaGraphDestroy(graph);
    cudaGraphLaunch(ready, stream);
    cudaGraphLaunch(ready, nullptr);
    double seen = 0;
    cudaMemcpy(&seen, memory, sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(gone);
    if (seen == 4.0) {
        cudaGraphLaunch(ready, stream);
    }
}

/* ---- no fault -------------------------------------------------------------------------------- */

CLEAVE_KERNEL void clean(double *out)
{
    CLEAVE_SHARED(char) bytes = cleave_shared<char>(0);
    CLEAVE_SHARED(int) total = cleave_stage_zero<int, 1>(2048, {nullptr, 2});
    bytes[cleave_thread()] = char(cleave_thread() % 100);
    cleave_barrier();
    int mine = bytes[0] + bytes[(cleave_thread() + 1) % cleave_threads()];
    cleave_add_shared(total, 1, mine);
    if (cleave_thread() == 0) {
        total[0] = 1;
    }
    cleave_barrier();
    out[cleave_thread()] = total[0] + total[1];
    bytes[cleave_thread()] = char(cleave_lane());
    cleave_warp_barrier();
    out[cleave_thread()] += bytes[cleave_thread() - cleave_lane() + 31 - cleave_lane()];
}

static const fault FAULTS[] = {
    FAULT(missing_barrier),
    FAULT(overwrite_while_read),
    FAULT(missing_colour_barrier),
    FAULT(use_before_staged),
    FAULT(read_while_added),
    FAULT(same_byte),
    FAULT(other_type),
    FAULT(beyond_end),
    FAULT(before_begin),
    FAULT(add_beyond_end),
    FAULT(misaligned),
    FAULT(barrier_not_reached),
    FAULT(two_barriers),
    FAULT(lanes_missing),
    FAULT(lanes_at_barrier),
    FAULT(two_shuffles),
    FAULT(two_exchanges),
    FAULT(ballot_missing),
    FAULT(warp_barrier_missing),
    FAULT(no_such_lane),
    FAULT(warp_barrier_for_block),
    FAULT(second_warp_barrier_missing),
    FAULT(shuffle_for_barrier),
    FAULT(same_point),
    {"graph_of_released", graph_of_released},
    {"partial_warp", partial_warp},
    FAULT(clean),
};

int main(int argc, char **argv)
{
    return run_fault(FAULTS, argc, argv);
}
