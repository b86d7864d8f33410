// expect: host_launch_failed 9  (the block has no threads)
#include <cuda_runtime.h>

__global__ void nothing() {
}

int main() {
    int n = 20;
    nothing<<<1, n / 32>>>();
    cudaDeviceSynchronize();
    return 0;
}
