/* copy_faults.cu: kernels that break one rule of asynchronous copies each; faults.sh checks that
 * the emulator names it. */
#include "device/cleave_device.cuh"
#include "emulator/fault.h"

/* ---- copies of a few bytes ------------------------------------------------------------------- */

CLEAVE_KERNEL void copy_read_early(double *memory)
{
    CLEAVE_SHARED(double) s = cleave_shared<double>(0);
    cleave_copy_async<8>(s, cleave_thread(), memory + cleave_thread());
    double mine = s[cleave_thread()];
    cleave_copy_wait();
    memory[cleave_thread()] = mine;
}

CLEAVE_KERNEL void copy_const_read_early(double *memory)
{
    CLEAVE_SHARED(double) s = cleave_shared<double>(0);
    cleave_copy_async<8>(s, cleave_thread(), memory + cleave_thread());
    CLEAVE_SHARED(const double) all = s;
    double mine = all[cleave_thread()];
    cleave_copy_wait();
    memory[cleave_thread()] = mine;
}

CLEAVE_KERNEL void copy_added_early(double *memory)
{
    CLEAVE_SHARED(double) s = cleave_shared<double>(0);
    cleave_copy_async<8>(s, cleave_thread(), memory + cleave_thread());
    cleave_add_shared(s, cleave_thread(), 1);
    cleave_copy_wait();
}

/* Waited for after the barrier that should have made it seen. */
CLEAVE_KERNEL void copy_waited_late(double *memory)
{
    CLEAVE_SHARED(double) s = cleave_shared<double>(0);
    cleave_copy_async<8>(s, cleave_thread(), memory + cleave_thread());
    cleave_barrier();
    cleave_copy_wait();
    memory[cleave_thread()] = s[(cleave_thread() + 1) % cleave_threads()];
}

/* The last group may still be on its way. */
CLEAVE_KERNEL void copy_group_read_early(double *memory)
{
    CLEAVE_SHARED(double) s = cleave_shared<double>(0);
    for (int i = 0; i < 2; i++) {
        cleave_copy_async<8>(s, i * cleave_threads() + cleave_thread(), memory + cleave_thread());
        cleave_copy_commit();
    }
    cleave_copy_wait_group<1>();
    cleave_barrier();
    double mine = s[cleave_threads() + cleave_thread()];
    cleave_copy_wait();
    memory[cleave_thread()] = mine;
}

/* In no group: not waited for. */
CLEAVE_KERNEL void copy_not_committed(double *memory)
{
    CLEAVE_SHARED(double) s = cleave_shared<double>(0);
    cleave_copy_async<8>(s, cleave_thread(), memory + cleave_thread());
    cleave_copy_wait_group<0>();
    cleave_barrier();
    memory[cleave_thread()] = s[cleave_thread()];
    cleave_copy_wait();
}

CLEAVE_KERNEL void copy_without_barrier(double *memory)
{
    CLEAVE_SHARED(double) s = cleave_shared<double>(0);
    cleave_copy_async<8>(s, cleave_thread(), memory + cleave_thread());
    cleave_copy_wait();
    memory[cleave_thread()] = s[(cleave_thread() + 1) % cleave_threads()];
}

CLEAVE_KERNEL void copy_over_read(double *memory)
{
    CLEAVE_SHARED(double) s = cleave_shared<double>(0);
    s[cleave_thread()] = 1;
    cleave_barrier();
    double other = s[(cleave_thread() + 1) % cleave_threads()];
    cleave_copy_async<8>(s, cleave_thread(), memory + cleave_thread());
    cleave_copy_wait();
    memory[cleave_thread()] = other;
}

CLEAVE_KERNEL void copy_twice(double *memory)
{
    CLEAVE_SHARED(double) s = cleave_shared<double>(0);
    cleave_copy_async<8>(s, cleave_thread(), memory + cleave_thread());
    cleave_copy_async<8>(s, cleave_thread(), memory + cleave_thread());
    cleave_copy_wait();
}

CLEAVE_KERNEL void copy_not_waited(double *memory)
{
    cleave_copy_async<8>(cleave_shared<double>(0), cleave_thread(), memory + cleave_thread());
}

CLEAVE_KERNEL void copy_to_odd_place(double *memory)
{
    cleave_copy_async<16>(cleave_shared<double>(0), 2 * cleave_thread() + 1, memory);
    cleave_copy_wait();
}

CLEAVE_KERNEL void copy_from_odd_place(double *memory)
{
    cleave_copy_async<16>(cleave_shared<double>(0), 2 * cleave_thread(), memory + 1);
    cleave_copy_wait();
}

CLEAVE_KERNEL void copy_beyond_end(double *memory)
{
    cleave_copy_async<16>(cleave_shared<double>(8), 511, memory);
    cleave_copy_wait();
}

/* ---- no fault -------------------------------------------------------------------------------- */

/* A copy stays under way across barriers and past other accesses; its place is used before and
 * after as the rules have it. */
CLEAVE_KERNEL void clean(double *memory)
{
    CLEAVE_SHARED(double) s = cleave_shared<double>(0);
    double mine = s[cleave_thread()];
    cleave_copy_async<8>(s, cleave_thread(), memory + cleave_thread());
    s[64 + cleave_thread()] = mine;
    cleave_barrier();
    double other = s[64 + (cleave_thread() + 1) % 64];
    cleave_copy_wait();
    s[cleave_thread()] += other != other;
    cleave_barrier();
    memory[cleave_thread()] = s[(cleave_thread() + 1) % 64];
}

static const fault FAULTS[] = {
    FAULT(copy_read_early),
    FAULT(copy_const_read_early),
    FAULT(copy_added_early),
    FAULT(copy_waited_late),
    FAULT(copy_group_read_early),
    FAULT(copy_not_committed),
    FAULT(copy_without_barrier),
    FAULT(copy_over_read),
    FAULT(copy_twice),
    FAULT(copy_not_waited),
    FAULT(copy_to_odd_place),
    FAULT(copy_from_odd_place),
    FAULT(copy_beyond_end),
    FAULT(clean),
};

int main(int argc, char **argv)
{
    return run_fault(FAULTS, argc, argv);
}
