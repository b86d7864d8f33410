// expect: host_call_failed 5  (devices are numbered from 0)
#include <cuda_runtime.h>

int main() {
    cudaSetDevice(2);
    int *d_x;
    cudaMalloc(&d_x, 4);
    cudaFree(d_x);
    return 0;
}
