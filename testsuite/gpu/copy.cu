/* copy.cu: the bandwidth of a device-to-device copy, read plus written: what the times of the loops
 * are compared with. Median of 11 copies of 1 GiB after 2 that are not counted. */
#include <algorithm>
#include <cstdio>

static void must(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "copy: %s\n", cudaGetErrorString(error));
        exit(1);
    }
}

int main()
{
    const size_t bytes = (size_t)1 << 30;
    const int runs = 11;
    char *from;
    char *to;
    cudaEvent_t start;
    cudaEvent_t stop;
    float milliseconds[runs];

    must(cudaMalloc(&from, bytes));
    must(cudaMalloc(&to, bytes));
    must(cudaMemset(from, 1, bytes));
    must(cudaEventCreate(&start));
    must(cudaEventCreate(&stop));
    for (int r = -2; r < runs; r++) {
        must(cudaEventRecord(start));
        must(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice));
        must(cudaEventRecord(stop));
        must(cudaEventSynchronize(stop));
        must(cudaEventElapsedTime(&milliseconds[r < 0 ? 0 : r], start, stop));
    }
    std::sort(milliseconds, milliseconds + runs);
    printf("copy of 1 GiB on the device: %.0f GB/s read and written\n",
           2.0 * (double)bytes / milliseconds[runs / 2] * 1e-6);
    return 0;
}
