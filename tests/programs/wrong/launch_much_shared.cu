// expect: host_launch_failed 10  (no block may have 1 MiB of shared memory)
#include <cuda_runtime.h>

__global__ void uses() {
    extern __shared__ float tile[];
    tile[threadIdx.x] = 0.0f;
}

int main() {
    uses<<<1, 32, 1 << 20>>>();
    cudaDeviceSynchronize();
    return 0;
}
