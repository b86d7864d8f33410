// expect: host_launch_failed 8  (the grid has at most 65535 blocks in y)
#include <cuda_runtime.h>

__global__ void nothing() {
}

int main() {
    nothing<<<dim3(1, 70000), 32>>>();
    cudaDeviceSynchronize();
    return 0;
}
