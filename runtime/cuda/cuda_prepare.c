/* cuda_prepare.c: does, while the program still reads its mesh, what its first launches and
 * transfers would otherwise wait for: the driver loads the code of a kernel when it is first asked
 * for, and pins memory page by page. A thread of its own does it between op_init and the first
 * loop. A program that is faster finds the rest undone, and does it as ever: nothing depends on how
 * far the thread has come. */
#include "cuda_impl.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/timeline.h"

static struct {
    pthread_t thread;
    pid_t owner; /* the process that has the thread; 0: there is none */
    atomic_bool ends;
    int device;
    const void **kernel;
    int kernels;
} preparing;

/* Asking for what a kernel takes loads its code. A kernel of a library with a CUDA runtime of its
 * own is unknown here, and that library's first launch loads it. */
static void load_kernels(void)
{
    struct cudaFuncAttributes attributes;
    const double begun = cleave_moment_begin();
    for (int k = 0; k < preparing.kernels && !atomic_load(&preparing.ends); k++) {
        if (cudaFuncGetAttributes(&attributes, preparing.kernel[k]) != cudaSuccess) {
            cudaGetLastError(); /* each thread has its own */
        }
    }
    cleave_moment_end("code of kernels", NULL, begun);
}

static void *prepare(void *unused)
{
    (void)unused;
    if (cudaSetDevice(preparing.device) == cudaSuccess) {
        const double begun = cleave_moment_begin();
        cleave_cuda_transfer_prepare();
        cleave_moment_end("buffers for transfers", NULL, begun);
        load_kernels();
    }
    return NULL;
}

/* Signals are for the program's threads. */
static bool start_thread(void)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool starts = pthread_create(&preparing.thread, NULL, prepare, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return starts;
}

void cleave_cuda_prepare(const void *const *kernel, int kernels)
{
    static bool watched;
    cleave_cuda_prepare_end();
    preparing.kernel = malloc((size_t)(kernels + 1) * sizeof *kernel);
    if (preparing.kernel == NULL || cudaGetDevice(&preparing.device) != cudaSuccess) {
        cudaGetLastError(); /* whoever needs it next will say what is wrong */
        free(preparing.kernel);
        preparing.kernel = NULL;
        return;
    }
    memcpy(preparing.kernel, kernel, (size_t)kernels * sizeof *kernel);
    preparing.kernels = kernels;
    atomic_store(&preparing.ends, false);
    preparing.owner = start_thread() ? getpid() : 0;
    if (!watched) {
        watched = true;
        atexit(cleave_cuda_prepare_end); /* runs before CUDA ends, which began earlier */
    }
}

void cleave_cuda_prepare_end(void)
{
    if (preparing.owner == getpid()) { /* a child of fork() has no such thread */
        atomic_store(&preparing.ends, true);
        pthread_join(preparing.thread, NULL);
    }
    preparing.owner = 0;
    free(preparing.kernel);
    preparing.kernel = NULL;
}
