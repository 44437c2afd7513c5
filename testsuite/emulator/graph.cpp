/* graph.cpp: graphs: launches are kept with their arguments while a stream captures, and run by
 * schedule.cpp when the graph is launched. An argument that led to device memory must still do so:
 * a graph that names memory which was released is the mistake that hides best on a GPU.
 */
#include <vector>
#include "cleave_gen.h"
#include "emulator.h"

namespace cleave_emulator
{
namespace
{
struct kept {
    launch what;
    std::vector<size_t> pointers; /* offsets in its arguments of what leads to device memory */
};
} // namespace
} // namespace cleave_emulator

using namespace cleave_emulator;

struct CUgraph_st {
    std::vector<kept> launches;
};

struct CUgraphExec_st {
    std::vector<kept> launches;
};

namespace
{
void *capturing; /* the stream that captures; one at a time */
CUgraph_st *captured;

const void *pointer_at(const void *data, size_t offset)
{
    const void *pointer;
    memcpy(&pointer, (const char *)data + offset, sizeof(pointer));
    return pointer;
}

kept keep(const launch &what)
{
    kept result = {what, {}};
    result.what.data = what.copy(what.data);
    for (size_t at = 0; at + sizeof(void *) <= what.bytes; at += sizeof(void *)) {
        if (is_device_memory(pointer_at(what.data, at))) {
            result.pointers.push_back(at);
        }
    }
    return result;
}

void check(const kept &one)
{
    for (size_t at : one.pointers) {
        if (!is_device_memory(pointer_at(one.what.data, at))) {
            stop(-1, "a graph launches kernel '%s' with a pointer to released memory, %p",
                 one.what.kernel, pointer_at(one.what.data, at));
        }
    }
}

/* Handles of launches count from 1, because NULL is none. */
void *handle_of(size_t number)
{
    return (void *)(uintptr_t)(number + 1);
}

size_t number_of(const void *handle)
{
    return (size_t)(uintptr_t)handle - 1;
}

void destroy(std::vector<kept> *launches)
{
    for (const kept &one : *launches) {
        one.what.destroy(one.what.data);
    }
}
} // namespace

namespace cleave_emulator
{
bool graph_captures(void *stream)
{
    return captured != nullptr && stream == capturing;
}

void graph_add(const launch &launch)
{
    captured->launches.push_back(keep(launch));
}

void graph_change(const cleave_graph_launch &change, const launch &now)
{
    kept &one = ((CUgraphExec_st *)change.graph)->launches.at(number_of(change.launch));
    if (strcmp(one.what.kernel, now.kernel) != 0) {
        stop(-1, "kernel '%s' takes the place of '%s' in a graph", now.kernel, one.what.kernel);
    }
    one.what.destroy(one.what.data);
    one = keep(now);
}
} // namespace cleave_emulator

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode)
{
    if (stream == nullptr || captured != nullptr) {
        return fail(cudaErrorStreamCaptureUnsupported);
    }
    if (!stream_exists(stream)) {
        return fail(cudaErrorInvalidResourceHandle);
    }
    capturing = stream;
    captured = new CUgraph_st();
    return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *, cudaGraph_t *graph,
                                     const cudaGraphNode_t **latest, const cudaGraphEdgeData **,
                                     size_t *count)
{
    static cudaGraphNode_t node;
    if (!graph_captures(stream)) {
        return fail(cudaErrorInvalidValue);
    }
    *status = cudaStreamCaptureStatusActive;
    *graph = captured;
    *count = captured->launches.empty() ? 0 : 1;
    node = (cudaGraphNode_t)handle_of(captured->launches.size() - 1);
    *latest = &node;
    return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *, size_t *count)
{
    *count = graph->launches.size();
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    *graph = nullptr;
    if (!graph_captures(stream)) {
        return fail(cudaErrorInvalidValue);
    }
    *graph = captured;
    captured = nullptr;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *ready, cudaGraph_t graph,
                                          unsigned long long)
{
    if (graph == nullptr) {
        return fail(cudaErrorInvalidValue);
    }
    *ready = new CUgraphExec_st();
    for (const kept &one : graph->launches) {
        (*ready)->launches.push_back(keep(one.what));
    }
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t ready, cudaStream_t stream)
{
    if (ready == nullptr || !stream_exists(stream)) {
        return fail(cudaErrorInvalidResourceHandle);
    }
    late_run();
    for (const kept &one : ready->launches) {
        launch now = one.what;
        check(one);
        now.stream = stream;
        run(now);
    }
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t ready)
{
    if (ready != nullptr) {
        destroy(&ready->launches);
        delete ready;
    }
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    if (graph != nullptr) {
        destroy(&graph->launches);
        delete graph;
    }
    return cudaSuccess;
}
