// expect: host_launch_failed 10  (64 KiB need cudaFuncSetAttribute)
#include <cuda_runtime.h>

__global__ void uses() {
    extern __shared__ float tile[];
    tile[threadIdx.x] = 0.0f;
}

int main() {
    uses<<<1, 32, 64 * 1024>>>();
    cudaDeviceSynchronize();
    return 0;
}
