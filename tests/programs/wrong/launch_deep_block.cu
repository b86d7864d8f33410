// expect: host_launch_failed 8  (a block has at most 64 threads in z)
#include <cuda_runtime.h>

__global__ void nothing() {
}

int main() {
    nothing<<<dim3(1), dim3(2, 2, 128)>>>();
    cudaDeviceSynchronize();
    return 0;
}
