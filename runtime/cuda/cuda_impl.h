/* cuda_impl.h: what the files of the CUDA target share; private to them. */
#ifndef CLEAVE_CUDA_IMPL_H
#define CLEAVE_CUDA_IMPL_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include "runtime/base/machine.h"
#include "runtime/base/target.h"

/* The stream of all launches and copies; NULL: not started. */
extern cudaStream_t cleave_cuda_stream;

/* ---- cuda_target.c: every call of the API goes through these -----------------------------------
 */

int cleave_cuda_device(void); /* its number, after its start */
/* Keeps the text for last_error(); -1. */
int cleave_cuda_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* 0, or -1 with a text that names the function `call`; the error is taken out of CUDA's own state,
 * lest it is reported again. */
int cleave_cuda_checked(cudaError_t error, const char *call);

#define CUDA_TRY(function, ...)                                                                    \
    do {                                                                                           \
        if (cleave_cuda_checked(function(__VA_ARGS__), #function) != 0) {                          \
            return -1;                                                                             \
        }                                                                                          \
    } while (0)

/* ---- calibrate.cu, where cleave is built with nvcc
 * ----------------------------------------------- */

/* Measures all rates but cached_bytes and multiprocessors. -1: failed. */
int cleave_cuda_calibrate(struct cleave_rates *rates);

/* ---- cuda_memory.c --------------------------------------------------------------------------- */

/* Finds out whether the device has a pool, and lets it keep what is released. -1: failed. */
int cleave_cuda_memory_start(int device);
void cleave_cuda_memory_stop(void);
void *cleave_cuda_alloc(size_t bytes);
void cleave_cuda_release(void *memory);
int cleave_cuda_zero(void *memory, size_t bytes);
int cleave_cuda_copy(void *to, const void *from, size_t bytes);
size_t cleave_cuda_available(void);
void *cleave_cuda_alloc_host(size_t bytes);
void cleave_cuda_release_host(void *memory);

/* ---- cuda_graph.c -----------------------------------------------------------------------------
 */

void *cleave_cuda_graph_begin(void);
int cleave_cuda_graph_captured(void **latest);
void *cleave_cuda_graph_end(void);
void cleave_cuda_graph_place(void *graph, void *launch, struct cleave_graph_launch *place);
int cleave_cuda_graph_launch(void *graph);
void cleave_cuda_graph_free(void *graph);
void cleave_cuda_graph_stop(void);

/* ---- cuda_prepare.c ---------------------------------------------------------------------------
 */

/* Begins to start the device by `start`, and to prepare it. kernel: as in target.h. */
void cleave_cuda_prepare(const void *const *kernel, int kernels, int (*start)(void));
/* Returns what `start` does, which the thread has called, or is called now. */
int cleave_cuda_prepare_start(int (*start)(void));
/* Ends the thread, early if it is not done. */
void cleave_cuda_prepare_end(void);

/* ---- cuda_transfer.c --------------------------------------------------------------------------
 */

int cleave_cuda_transfer_start(void);
/* Makes the buffers of the usual size before a transfer needs them. Any thread may call it. */
void cleave_cuda_transfer_prepare(void);
/* 1: the buffers are there. Never waits. */
int cleave_cuda_transfer_is_prepared(void);
void cleave_cuda_transfer_stop(void);
int cleave_cuda_upload(void *to, const struct target_records *from);
int cleave_cuda_download(const struct target_records *to, const void *from);

#endif
