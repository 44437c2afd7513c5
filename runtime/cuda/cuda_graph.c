/* cuda_graph.c: launches as graphs. They are captured on a stream of their own, so that what other
 * threads of the program do with CUDA meanwhile does not disturb the capture, and launched on the
 * stream of all others. */
#include "cuda_impl.h"

static cudaStream_t capturing; /* NULL: nothing was captured yet */

void *cleave_cuda_graph_begin(void)
{
    if (capturing == NULL &&
        cleave_cuda_checked(cudaStreamCreateWithFlags(&capturing, cudaStreamNonBlocking),
                            "cudaStreamCreateWithFlags") != 0) {
        capturing = NULL;
        return NULL;
    }
    return cleave_cuda_checked(cudaStreamBeginCapture(capturing, cudaStreamCaptureModeRelaxed),
                               "cudaStreamBeginCapture") == 0
               ? capturing
               : NULL;
}

void *cleave_cuda_graph_end(void)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t ready = NULL;
    if (cleave_cuda_checked(cudaStreamEndCapture(capturing, &graph), "cudaStreamEndCapture") != 0) {
        return NULL;
    }
    if (cleave_cuda_checked(cudaGraphInstantiateWithFlags(&ready, graph, 0),
                            "cudaGraphInstantiateWithFlags") != 0) {
        ready = NULL;
    }
    cleave_cuda_checked(cudaGraphDestroy(graph), "cudaGraphDestroy");
    return ready;
}

int cleave_cuda_graph_launch(void *graph)
{
    CUDA_TRY(cudaGraphLaunch, (cudaGraphExec_t)graph, cleave_cuda_stream);
    return 0;
}

/* Waits, since the driver does not say what becomes of a graph that runs. */
void cleave_cuda_graph_free(void *graph)
{
    cleave_cuda_checked(cudaStreamSynchronize(cleave_cuda_stream), "cudaStreamSynchronize");
    cleave_cuda_checked(cudaGraphExecDestroy((cudaGraphExec_t)graph), "cudaGraphExecDestroy");
}

void cleave_cuda_graph_stop(void)
{
    if (capturing != NULL) {
        cleave_cuda_checked(cudaStreamDestroy(capturing), "cudaStreamDestroy");
    }
    capturing = NULL;
}
