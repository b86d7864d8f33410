// expect: host_unrecorded 15  (the end was never recorded)
#include <cstdio>

__global__ void nothing() {
}

int main() {
    cudaEvent_t start, stop;
    float ms = 0.0f;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    nothing<<<1, 1>>>();
    cudaDeviceSynchronize();
    cudaEventElapsedTime(&ms, start, stop);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    return 0;
}
