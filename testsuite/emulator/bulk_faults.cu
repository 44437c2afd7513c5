/* bulk_faults.cu: kernels that break one rule of bulk copies, bulk additions or wide additions each;
 * faults.sh checks that the emulator names it. */
#include "device/cleave_device.cuh"
#include "emulator/fault.h"

/* Records begin at byte 16; the arrival is at byte 0. `memory` is half as large as what follows. */
CLEAVE_DEVICE CLEAVE_SHARED(double) begin()
{
    if (cleave_thread() == 0) {
        cleave_arrival_init(0);
    }
    cleave_barrier();
    return cleave_shared<double>(16);
}

/* By thread 0: copies 64 doubles, expecting `bytes`. */
CLEAVE_DEVICE void copy_expecting(CLEAVE_SHARED(double) s, const double *memory, int bytes)
{
    if (cleave_thread() == 0) {
        cleave_arrival_expect(0, bytes);
        cleave_copy_bulk(s, 0, memory, 64, 0);
    }
}

/* ---- too early ------------------------------------------------------------------------------- */

CLEAVE_KERNEL void bulk_read_early(double *memory)
{
    CLEAVE_SHARED(double) s = begin();
    copy_expecting(s, memory, 512);
    cleave_barrier();
    double mine = s[cleave_thread()];
    cleave_arrival_wait(0, 0);
    memory[cleave_thread()] = mine;
}

/* Half of the threads wait for another arrival. */
CLEAVE_KERNEL void bulk_read_by_others(double *memory)
{
    CLEAVE_SHARED(double) s = begin();
    if (cleave_thread() == 0) {
        cleave_arrival_init(8);
    }
    copy_expecting(s, memory, 512);
    cleave_barrier();
    if (cleave_thread() == 0) {
        cleave_arrival_expect(8, 0);
    }
    cleave_arrival_wait(cleave_thread() < 32 ? 0 : 8, 0);
    double mine = s[cleave_thread()];
    memory[cleave_thread()] = mine;
}

CLEAVE_KERNEL void bulk_copied_twice(double *memory)
{
    CLEAVE_SHARED(double) s = begin();
    copy_expecting(s, memory, 1024);
    if (cleave_thread() == 1) {
        cleave_copy_bulk(s, 0, memory, 64, 0);
    }
    cleave_arrival_wait(0, 0);
}

/* ---- arrivals -------------------------------------------------------------------------------- */

CLEAVE_KERNEL void bulk_too_few(double *memory)
{
    copy_expecting(begin(), memory, 1024);
    cleave_arrival_wait(0, 0);
}

CLEAVE_KERNEL void bulk_too_many(double *memory)
{
    copy_expecting(begin(), memory, 256);
    cleave_arrival_wait(0, 0);
}

CLEAVE_KERNEL void bulk_not_expected(double *memory)
{
    CLEAVE_SHARED(double) s = begin();
    if (cleave_thread() == 0) {
        cleave_copy_bulk(s, 0, memory, 64, 0);
    }
    cleave_arrival_wait(0, 0);
}

CLEAVE_KERNEL void bulk_not_waited(double *memory)
{
    copy_expecting(begin(), memory, 512);
}

CLEAVE_KERNEL void arrival_expected_twice(double *)
{
    begin();
    cleave_arrival_expect(0, 64);
    cleave_arrival_wait(0, 0);
}

CLEAVE_KERNEL void arrival_not_initialised(double *)
{
    cleave_arrival_wait(8, 0);
}

CLEAVE_KERNEL void arrival_without_barrier(double *)
{
    if (cleave_thread() == 40) {
        cleave_arrival_init(0);
    }
    cleave_warp_barrier();
    if (cleave_thread() == 41) {
        cleave_arrival_expect(0, 0);
    }
    cleave_arrival_wait(0, 0);
}

CLEAVE_KERNEL void arrival_initialised_twice(double *)
{
    begin();
    begin();
}

CLEAVE_KERNEL void arrival_misplaced(double *)
{
    cleave_arrival_init(12);
}

CLEAVE_KERNEL void arrival_beyond_end(double *)
{
    cleave_arrival_init(4096);
}

CLEAVE_KERNEL void arrival_overwritten(double *)
{
    begin();
    cleave_shared<double>(0)[0] = 1;
}

CLEAVE_KERNEL void arrival_second_phase_first(double *memory)
{
    copy_expecting(begin(), memory, 512);
    cleave_arrival_wait(0, 1);
}

CLEAVE_KERNEL void arrival_third_phase(double *memory)
{
    copy_expecting(begin(), memory, 512);
    cleave_arrival_wait(0, 2);
}

/* The second phase is 1. */
CLEAVE_KERNEL void arrival_phase_again(double *memory)
{
    CLEAVE_SHARED(double) s = begin();
    for (int i = 0; i < 2; i++) {
        copy_expecting(s, memory, 512);
        cleave_arrival_wait(0, 0);
        memory[cleave_thread()] = s[cleave_thread()];
        cleave_bulk_fence();
        cleave_barrier();
    }
    cleave_arrival_wait(0, 1);
}

/* Nobody expects anything in the second phase. */
CLEAVE_KERNEL void arrival_phase_too_many(double *memory)
{
    copy_expecting(begin(), memory, 512);
    cleave_arrival_wait(0, 0);
    cleave_arrival_wait(0, 1);
}

/* ---- fences ---------------------------------------------------------------------------------- */

CLEAVE_KERNEL void bulk_unfenced(double *memory)
{
    CLEAVE_SHARED(double) s = begin();
    s[cleave_thread()] = 1;
    cleave_barrier();
    copy_expecting(s, memory, 512);
    cleave_arrival_wait(0, 0);
}

CLEAVE_KERNEL void bulk_fenced_late(double *memory)
{
    CLEAVE_SHARED(double) s = begin();
    s[cleave_thread()] = 1;
    cleave_barrier();
    cleave_bulk_fence();
    copy_expecting(s, memory, 512);
    cleave_arrival_wait(0, 0);
}

/* The memory is still read. */
CLEAVE_KERNEL void bulk_without_barrier(double *memory)
{
    CLEAVE_SHARED(double) s = begin();
    s[cleave_thread()] = 1;
    cleave_bulk_fence();
    copy_expecting(s, memory, 512);
    cleave_arrival_wait(0, 0);
}

CLEAVE_KERNEL void add_unfenced(double *memory)
{
    CLEAVE_SHARED(double) s = cleave_shared<double>(0);
    s[cleave_thread()] = 1;
    cleave_barrier();
    if (cleave_thread() == 0) {
        cleave_add_bulk(memory, s, 0, 64);
        cleave_add_bulk_wait();
    }
}

CLEAVE_KERNEL void add_without_barrier(double *memory)
{
    CLEAVE_SHARED(double) s = cleave_shared<double>(0);
    s[cleave_thread()] = 1;
    cleave_bulk_fence();
    if (cleave_thread() == 0) {
        cleave_add_bulk(memory, s, 0, 64);
        cleave_add_bulk_wait();
    }
}

/* ---- additions ------------------------------------------------------------------------------- */

CLEAVE_DEVICE CLEAVE_SHARED(double) ones()
{
    CLEAVE_SHARED(double) s = cleave_shared<double>(0);
    s[cleave_thread()] = 1;
    cleave_bulk_fence();
    cleave_barrier();
    return s;
}

CLEAVE_KERNEL void add_not_waited(double *memory)
{
    CLEAVE_SHARED(double) s = ones();
    if (cleave_thread() == 3) {
        cleave_add_bulk(memory, s, 0, 64);
    }
}

/* Waited for by another thread. */
CLEAVE_KERNEL void add_changed_early(double *memory)
{
    CLEAVE_SHARED(double) s = ones();
    if (cleave_thread() == 3) {
        cleave_add_bulk(memory, s, 0, 64);
    }
    cleave_barrier();
    cleave_add_bulk_wait();
    if (cleave_thread() == 5) {
        s[3] = 2;
    }
    cleave_barrier();
    cleave_add_bulk_wait();
}

CLEAVE_KERNEL void add_at_odd_place(double *memory)
{
    cleave_add_bulk(memory + 1, ones(), 0, 2);
    cleave_add_bulk_wait();
}

CLEAVE_KERNEL void add_from_odd_place(double *memory)
{
    cleave_add_bulk(memory, ones(), 1, 2);
    cleave_add_bulk_wait();
}

CLEAVE_KERNEL void add_odd_size(double *memory)
{
    cleave_add_bulk(memory, ones(), 0, 3);
    cleave_add_bulk_wait();
}

CLEAVE_KERNEL void add_four_at_odd_place(double *memory)
{
    cleave_add4((float *)memory + 2, 1, 2, 3, 4);
}

CLEAVE_KERNEL void add_two_at_odd_place(double *memory)
{
    cleave_add2((float *)memory + 1, 1, 2);
}

CLEAVE_KERNEL void add_four_to_shared(double *)
{
    cleave_add4(cleave_shared<float>(16), 1, 2, 3, 4);
}

/* ---- places ---------------------------------------------------------------------------------- */

CLEAVE_KERNEL void bulk_to_odd_place(double *memory)
{
    cleave_copy_bulk(begin(), 1, memory, 2, 0);
}

CLEAVE_KERNEL void bulk_from_odd_place(double *memory)
{
    cleave_copy_bulk(begin(), 0, memory + 1, 2, 0);
}

CLEAVE_KERNEL void bulk_odd_size(double *memory)
{
    cleave_copy_bulk(begin(), 0, memory, 3, 0);
}

CLEAVE_KERNEL void bulk_beyond_end(double *memory)
{
    cleave_copy_bulk(begin(), 450, memory, 64, 0);
}

/* ---- no fault -------------------------------------------------------------------------------- */

/* Memory is copied to, read, added from and copied to again, by the rules; lanes read what another
 * one of their warp waited for. */
CLEAVE_KERNEL void clean(double *memory)
{
    CLEAVE_SHARED(double) s = begin();
    copy_expecting(s, memory, 512);
    if (cleave_lane() == 7) {
        cleave_arrival_wait(0, 0);
    }
    cleave_warp_barrier();
    double mine = s[63 - cleave_thread()];
    cleave_barrier();
    s[cleave_thread()] = mine + 1;
    cleave_bulk_fence();
    cleave_barrier();
    if (cleave_thread() == 63) {
        cleave_add_bulk(memory, s, 0, 64);
    }
    mine = s[63 - cleave_thread()];
    cleave_bulk_fence();
    cleave_add_bulk_wait();
    cleave_barrier();
    copy_expecting(s, memory, 512);
    cleave_arrival_wait(0, 1);
    memory[cleave_thread()] = s[cleave_thread()] + mine;
}

static const fault FAULTS[] = {
    FAULT(bulk_read_early),
    FAULT(bulk_read_by_others),
    FAULT(bulk_copied_twice),
    FAULT(bulk_too_few),
    FAULT(bulk_too_many),
    FAULT(bulk_not_expected),
    FAULT(bulk_not_waited),
    FAULT(arrival_expected_twice),
    FAULT(arrival_not_initialised),
    FAULT(arrival_without_barrier),
    FAULT(arrival_initialised_twice),
    FAULT(arrival_misplaced),
    FAULT(arrival_beyond_end),
    FAULT(arrival_overwritten),
    FAULT(arrival_second_phase_first),
    FAULT(arrival_third_phase),
    FAULT(arrival_phase_again),
    FAULT(arrival_phase_too_many),
    FAULT(bulk_unfenced),
    FAULT(bulk_fenced_late),
    FAULT(bulk_without_barrier),
    FAULT(add_unfenced),
    FAULT(add_without_barrier),
    FAULT(add_not_waited),
    FAULT(add_changed_early),
    FAULT(add_at_odd_place),
    FAULT(add_from_odd_place),
    FAULT(add_odd_size),
    FAULT(add_four_at_odd_place),
    FAULT(add_two_at_odd_place),
    FAULT(add_four_to_shared),
    FAULT(bulk_to_odd_place),
    FAULT(bulk_from_odd_place),
    FAULT(bulk_odd_size),
    FAULT(bulk_beyond_end),
    FAULT(clean),
};

int main(int argc, char **argv)
{
    return run_fault(FAULTS, argc, argv);
}
