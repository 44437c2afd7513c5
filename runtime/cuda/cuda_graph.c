/* cuda_graph.c: launches as graphs. They are captured on a stream of their own, so that what other
 * threads of the program do with CUDA meanwhile does not disturb the capture, and launched on the
 * stream of all others. */
#include "cuda_impl.h"

#include <stdlib.h>

static cudaStream_t capturing; /* NULL: nothing was captured yet */

/* Launches are named by the nodes of the graph that `ready` was made from. */
struct graph {
    cudaGraph_t nodes;
    cudaGraphExec_t ready;
};

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

/* The function has had a parameter more since programmatic launches. */
static cudaError_t capture_info(cudaGraph_t *graph, const cudaGraphNode_t **latest, size_t *count)
{
    enum cudaStreamCaptureStatus status;
    unsigned long long id;
#if CUDART_VERSION >= 13000
    const cudaGraphEdgeData *edges;
    return cudaStreamGetCaptureInfo(capturing, &status, &id, graph, latest, &edges, count);
#elif CUDART_VERSION >= 12030
    const cudaGraphEdgeData *edges;
    return cudaStreamGetCaptureInfo_v3(capturing, &status, &id, graph, latest, &edges, count);
#else
    return cudaStreamGetCaptureInfo_v2(capturing, &status, &id, graph, latest, count);
#endif
}

int cleave_cuda_graph_captured(void **latest)
{
    cudaGraph_t graph = NULL;
    const cudaGraphNode_t *node = NULL;
    size_t nodes = 0;
    size_t count = 0;
    CUDA_TRY(capture_info, &graph, &node, &nodes);
    CUDA_TRY(cudaGraphGetNodes, graph, NULL, &count);
    *latest = nodes == 1 ? node[0] : NULL;
    return (int)count;
}

void *cleave_cuda_graph_end(void)
{
    struct graph *graph = calloc(1, sizeof *graph);
    cudaGraph_t nodes = NULL;
    if (cleave_cuda_checked(cudaStreamEndCapture(capturing, &nodes), "cudaStreamEndCapture") != 0) {
        free(graph);
        return NULL;
    }
    if (graph == NULL || cleave_cuda_checked(cudaGraphInstantiateWithFlags(&graph->ready, nodes, 0),
                                             "cudaGraphInstantiateWithFlags") != 0) {
        cleave_cuda_checked(cudaGraphDestroy(nodes), "cudaGraphDestroy");
        free(graph);
        return NULL;
    }
    graph->nodes = nodes;
    return graph;
}

void cleave_cuda_graph_place(void *graph, void *launch, struct cleave_graph_launch *place)
{
    place->graph = ((struct graph *)graph)->ready;
    place->launch = launch;
}

int cleave_cuda_graph_launch(void *graph)
{
    CUDA_TRY(cudaGraphLaunch, ((struct graph *)graph)->ready, cleave_cuda_stream);
    return 0;
}

/* Waits, since the driver does not say what becomes of a graph that runs. */
void cleave_cuda_graph_free(void *memory)
{
    struct graph *graph = memory;
    cleave_cuda_checked(cudaStreamSynchronize(cleave_cuda_stream), "cudaStreamSynchronize");
    cleave_cuda_checked(cudaGraphExecDestroy(graph->ready), "cudaGraphExecDestroy");
    cleave_cuda_checked(cudaGraphDestroy(graph->nodes), "cudaGraphDestroy");
    free(graph);
}

void cleave_cuda_graph_stop(void)
{
    if (capturing != NULL) {
        cleave_cuda_checked(cudaStreamDestroy(capturing), "cudaStreamDestroy");
    }
    capturing = NULL;
}
