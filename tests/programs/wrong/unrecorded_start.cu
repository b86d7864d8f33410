// expect: host_unrecorded 12  (the end is recorded twice, the start never)
#include <cstdio>

int main() {
    cudaEvent_t start, stop;
    float ms = 0.0f;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(stop, 0);
    cudaEventRecord(stop, 0);
    cudaEventSynchronize(stop);
    if (cudaEventElapsedTime(&ms, start, stop) == cudaSuccess) {
        printf("%f\n", ms);
    }
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    return 0;
}
