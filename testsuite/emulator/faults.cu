/* faults.cu: kernels that break one rule each; faults.sh checks that the emulator names it.
 *
 * `faults NAME` runs one of them and is expected not to return; `faults clean` breaks none, in ways
 * that a careless check would complain about.
 */
#include <cstdio>
#include <cstring>
#include "device/reduce.cuh"
#include "device/staging.cuh"

/* ---- conflicts ------------------------------------------------------------------------------- */

CLEAVE_KERNEL void missing_barrier(int *out)
{
    CLEAVE_SHARED(int) s = cleave_shared<int>(0);
    int next = (cleave_thread() + 1) % cleave_threads();
    s[cleave_thread()] = cleave_thread();
    out[cleave_thread()] = s[next];
}

CLEAVE_KERNEL void overwrite_while_read(int *out)
{
    CLEAVE_SHARED(int) s = cleave_shared<int>(0);
    s[cleave_thread()] = cleave_thread();
    cleave_barrier();
    CLEAVE_SHARED(const int) all = s;
    out[cleave_thread()] = all[(cleave_thread() + 1) % cleave_threads()];
    s[cleave_thread()] = 100;
}

/* Two threads of different colours add to one point. */
CLEAVE_KERNEL void missing_colour_barrier(int *)
{
    CLEAVE_SHARED(double) s = cleave_stage_zero<double, 1>(0, {nullptr, cleave_threads()});
    cleave_barrier();
    for (int colour = 0; colour < 2; colour++) {
        if (cleave_thread() % 2 == colour) {
            s[cleave_thread() / 2] += 1.0;
        }
    }
}

CLEAVE_KERNEL void use_before_staged(int *out)
{
    CLEAVE_SHARED(int) s = cleave_stage_zero<int, 1>(0, {nullptr, cleave_threads()});
    cleave_add_shared(s, 0, 1);
    out[0] = 0;
}

CLEAVE_KERNEL void read_while_added(int *out)
{
    CLEAVE_SHARED(int) s = cleave_stage_zero<int, 1>(0, {nullptr, cleave_threads()});
    cleave_barrier();
    cleave_add_shared(s, 0, 1);
    out[cleave_thread()] = s[0];
}

CLEAVE_KERNEL void same_byte(int *)
{
    CLEAVE_SHARED(char) s = cleave_shared<char>(0);
    s[cleave_thread() / 2] = char(cleave_thread());
}

/* One array's memory is used again for another type without a barrier. */
CLEAVE_KERNEL void other_type(int *)
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

CLEAVE_KERNEL void beyond_end(int *)
{
    CLEAVE_SHARED(double) s = cleave_shared<double>(0);
    s[cleave_thread() == 5 ? 512 : cleave_thread()] = 0;
}

CLEAVE_KERNEL void before_begin(int *)
{
    CLEAVE_SHARED(int) s = cleave_shared<int>(64);
    (s + 4)[cleave_thread() == 3 ? -5 : cleave_thread()] = 0;
}

CLEAVE_KERNEL void add_beyond_end(int *)
{
    CLEAVE_SHARED(int) s = cleave_shared<int>(0);
    cleave_add_shared(s, 1024, 1);
}

CLEAVE_KERNEL void misaligned(int *)
{
    cleave_shared<double>(4)[0] = 1;
}

/* ---- barriers and shuffles ------------------------------------------------------------------- */

CLEAVE_KERNEL void barrier_not_reached(int *)
{
    if (cleave_thread() < 40) {
        cleave_barrier();
    }
}

CLEAVE_KERNEL void two_barriers(int *)
{
    if (cleave_thread() < 32) {
        cleave_barrier();
    } else {
        cleave_barrier();
    }
}

CLEAVE_KERNEL void lanes_missing(int *out)
{
    if (cleave_lane() < 16) {
        out[cleave_thread()] = cleave_shuffle_down(1, 4);
    }
}

CLEAVE_KERNEL void lanes_at_barrier(int *out)
{
    if (cleave_lane() < 8) {
        out[cleave_thread()] = cleave_shuffle_down(1, 4);
    }
    cleave_barrier();
}

CLEAVE_KERNEL void two_shuffles(int *out)
{
    if (cleave_lane() < 16) {
        out[cleave_thread()] = cleave_shuffle_down(1, 4);
    } else {
        out[cleave_thread()] = cleave_shuffle_down(2, 4);
    }
}

/* ---- no fault -------------------------------------------------------------------------------- */

CLEAVE_KERNEL void clean(int *out)
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
}

struct fault {
    const char *name;
    void (*run)(int *out);
};

#define FAULT(name) {#name, [](int *out) { CLEAVE_LAUNCH(name, 3, 64, 4096, nullptr, out); }}

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
    FAULT(clean),
};

int main(int argc, char **argv)
{
    int *out = nullptr;
    cudaMalloc((void **)&out, 64 * sizeof(int));
    for (const fault &f : FAULTS) {
        if (argc == 2 && strcmp(argv[1], f.name) == 0) {
            f.run(out);
            printf("%s: ended without an error\n", f.name);
            return 0;
        }
    }
    fprintf(stderr, "no such fault\n");
    return 2;
}
