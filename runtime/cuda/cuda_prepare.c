/* cuda_prepare.c: starts the device, and makes ready what its first launches and transfers need, on
 * a thread of its own, while the program reads its mesh. To start the driver takes some 0.2
 * seconds; it loads the code of a kernel when that is first asked for, and pins memory page by
 * page.
 *
 * Whoever uses the device waits for its start, and for nothing else: what the thread has not done
 * by then is done when it is needed, as ever.
 *
 * If the driver is in the process before the thread begins, the program uses it, too: the calling
 * thread's device counts, and the start is not the thread's work. */
#include "cuda_impl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/timeline.h"

/* Pinned memory that is kept, so that the driver has pages from which it gives small pieces. */
enum { SMALL_BYTES = 4096 };

static struct {
    pthread_t thread;
    pid_t owner;         /* the process that has the thread; 0: there is none */
    int (*start)(void);  /* that the thread calls first; NULL: the program's thread starts it */
    bool ends;           /* under the mutex, like the next two */
    bool has_started;    /* `start` has returned */
    int failed;          /* what it returned */
    const void **kernel; /* [kernels]; NULL: nothing was asked for */
    int kernels;
    void *small; /* pinned; the driver keeps the pages around it */
} preparing;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t started = PTHREAD_COND_INITIALIZER;

/* ---- the thread ------------------------------------------------------------------------------ */

static bool ends(void)
{
    pthread_mutex_lock(&mutex);
    const bool ends = preparing.ends;
    pthread_mutex_unlock(&mutex);
    return ends;
}

/* Returns 0, or -1 if the device cannot be used. */
static int start_device(void)
{
    static bool watched;
    const double begun = cleave_moment_begin();
    const int failed = preparing.start();
    cleave_moment_end("start of the device", NULL, begun);
    if (!watched) {
        watched = true;
        atexit(cleave_cuda_prepare_end); /* runs before what the driver has registered */
    }
    pthread_mutex_lock(&mutex);
    preparing.failed = failed;
    preparing.has_started = true;
    pthread_cond_signal(&started);
    pthread_mutex_unlock(&mutex);
    return failed;
}

/* Asking for what a kernel takes loads its code. A kernel of a library with a CUDA runtime of its
 * own is unknown here, and that library's first launch loads it. */
static void load_kernels(void)
{
    struct cudaFuncAttributes attributes;
    const double begun = cleave_moment_begin();
    for (int k = 0; k < preparing.kernels && !ends(); k++) {
        if (cudaFuncGetAttributes(&attributes, preparing.kernel[k]) != cudaSuccess) {
            cudaGetLastError(); /* each thread has its own */
        }
    }
    cleave_moment_end("code of kernels", NULL, begun);
}

static void pin_memory(void)
{
    const double begun = cleave_moment_begin();
    cleave_cuda_transfer_prepare();
    if (cudaMallocHost(&preparing.small, SMALL_BYTES) != cudaSuccess) {
        cudaGetLastError();
        preparing.small = NULL;
    }
    cleave_moment_end("buffers for transfers", NULL, begun);
}

static void *prepare(void *unused)
{
    (void)unused;
    if (preparing.start != NULL && start_device() != 0) {
        return NULL;
    }
    if (!ends() && cudaSetDevice(cleave_cuda_device()) == cudaSuccess) {
        pin_memory();
        load_kernels();
    }
    return NULL;
}

/* Signals are for the program's threads. */
static bool start_thread(void)
{
    static bool watched;
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool starts = pthread_create(&preparing.thread, NULL, prepare, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    preparing.owner = starts ? getpid() : 0;
    if (starts && !watched) {
        watched = true;
        atexit(cleave_cuda_prepare_end);
    }
    return starts;
}

/* ---- the program's thread ---------------------------------------------------------------------
 */

static bool driver_is_loaded(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (driver != NULL) {
        dlclose(driver);
    }
    return driver != NULL;
}

void cleave_cuda_prepare(const void *const *kernel, int kernels, int (*start)(void))
{
    cleave_cuda_prepare_end();
    preparing.kernel = malloc((size_t)(kernels + 1) * sizeof *kernel);
    if (preparing.kernel == NULL) {
        return;
    }
    memcpy(preparing.kernel, kernel, (size_t)kernels * sizeof *kernel);
    preparing.kernels = kernels;
    preparing.ends = preparing.has_started = false;
    preparing.start = driver_is_loaded() ? NULL : start;
    if (preparing.start != NULL && !start_thread()) {
        preparing.start = NULL;
    }
}

int cleave_cuda_prepare_start(int (*start)(void))
{
    if (preparing.owner != getpid() || preparing.start == NULL) {
        const int failed = start();
        if (failed == 0 && preparing.kernel != NULL) {
            start_thread();
        }
        return failed;
    }
    pthread_mutex_lock(&mutex);
    while (!preparing.has_started) {
        pthread_cond_wait(&started, &mutex);
    }
    pthread_mutex_unlock(&mutex);
    const int failed = preparing.failed;
    if (failed != 0) {
        cleave_cuda_prepare_end(); /* no thread is left over */
    }
    return failed;
}

void cleave_cuda_prepare_end(void)
{
    void *parents = preparing.small;   /* a child of fork() must leave it to the parent's driver */
    if (preparing.owner == getpid()) { /* a child has no such thread */
        pthread_mutex_lock(&mutex);
        preparing.ends = true;
        pthread_mutex_unlock(&mutex);
        pthread_join(preparing.thread, NULL);
        if (preparing.small != NULL) {
            cleave_cuda_checked(cudaFreeHost(preparing.small), "cudaFreeHost");
        }
        parents = NULL;
    }
    free(preparing.kernel);
    memset(&preparing, 0, sizeof preparing);
    preparing.small = parents;
}
