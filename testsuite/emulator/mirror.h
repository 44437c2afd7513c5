/* mirror.h: arrays that tests of kernels have on the host and on the device. */
#ifndef EMULATOR_MIRROR_H
#define EMULATOR_MIRROR_H

#include <vector>
#include "check.h"

/* A host array and its copy on the device. */
template <class T> struct mirror {
    std::vector<T> host;
    T *device = nullptr;

    explicit mirror(const std::vector<T> &values) : host(values)
    {
        cudaMalloc((void **)&device, bytes());
        cudaMemcpy(device, host.data(), bytes(), cudaMemcpyHostToDevice);
    }

    ~mirror()
    {
        cudaFree(device);
    }

    size_t bytes() const
    {
        return host.size() * sizeof(T);
    }

    const std::vector<T> &fetch()
    {
        CHECK(cudaDeviceSynchronize() == cudaSuccess);
        CHECK(cudaMemcpy(host.data(), device, bytes(), cudaMemcpyDeviceToHost) == cudaSuccess);
        return host;
    }
};

#endif
