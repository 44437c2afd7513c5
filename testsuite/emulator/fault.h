/* fault.h: the main program of a file of kernels that break one rule each.
 *
 * `PROGRAM NAME` runs one of them and is expected not to return; `PROGRAM clean` breaks none, in
 * ways that a careless check would complain about.
 */
#ifndef EMULATOR_FAULT_H
#define EMULATOR_FAULT_H

#include <cstdio>
#include <cstring>

/* `memory` is 64 double of the device, all 0. */
struct fault {
    const char *name;
    void (*run)(double *memory);
};

/* Three blocks of 64 threads, with 4096 bytes of shared memory. */
#define FAULT(name)                                                                                \
    {                                                                                              \
        #name, [](double *memory) { CLEAVE_LAUNCH(name, 3, 64, 4096, nullptr, memory); }           \
    }

template <int N> static int run_fault(const fault (&faults)[N], int argc, char **argv)
{
    double *memory = nullptr;
    cudaMalloc((void **)&memory, 64 * sizeof(double));
    cudaMemset(memory, 0, 64 * sizeof(double));
    for (const fault &f : faults) {
        if (argc == 2 && strcmp(argv[1], f.name) == 0) {
            f.run(memory);
            printf("%s: ended without an error\n", f.name);
            return 0;
        }
    }
    fprintf(stderr, "no such fault\n");
    return 2;
}

#endif
