// expect: host_other_device 14 7  (the two events belong to two devices)
#include <cuda_runtime.h>

int main() {
    cudaEvent_t start, stop;
    float ms;
    cudaEventCreate(&start);
    cudaEventRecord(start);
    cudaSetDevice(1);
    cudaEventCreate(&stop);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);

    cudaEventElapsedTime(&ms, start, stop);

    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    return 0;
}
