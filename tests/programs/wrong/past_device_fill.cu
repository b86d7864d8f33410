// expect: host_past_device 7  (one histogram bin too many is set)
#include <cuda_runtime.h>

int main() {
    unsigned *bins;
    cudaMalloc(&bins, 256 * sizeof(unsigned));
    cudaMemset(bins, 0, 257 * sizeof(unsigned));
    cudaFree(bins);
    return 0;
}
