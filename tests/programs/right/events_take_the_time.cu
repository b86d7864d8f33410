// prints: done
#include <cstdio>

__global__ void work(float *x) {
    for (int i = 0; i < 10; i++) {
        x[threadIdx.x] = x[threadIdx.x] * 0.5f + 1.0f;
    }
}

int main() {
    float *x, ms = -1.0f;
    cudaEvent_t start, stop;
    cudaMalloc(&x, 64 * sizeof(float));
    cudaMemset(x, 0, 64 * sizeof(float));
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    work<<<1, 64>>>(x);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&ms, start, stop);
    printf(ms >= 0.0f ? "done\n" : "no time\n");
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaFree(x);
    return 0;
}
