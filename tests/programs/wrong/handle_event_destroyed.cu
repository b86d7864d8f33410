// expect: host_handle 13 12  (the event is destroyed before its time is asked for)
#include <cstdio>

int main() {
    cudaEvent_t start, stop;
    float ms = 0.0f;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    cudaEventDestroy(start);
    cudaEventElapsedTime(&ms, start, stop);
    cudaEventDestroy(stop);
    return 0;
}
