// expect: host_launch_failed 17  (the program has looked, and ended)
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t error) {
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

__global__ void work(int *x) {
    x[threadIdx.x] = 1;
}

static void step(int *x, int threads) {
    work<<<1, threads>>>(x);
    check(cudaGetLastError());
}

int main() {
    int *x, first;
    check(cudaMalloc(&x, 2048 * sizeof(int)));
    step(x, 2048);
    check(cudaMemcpy(&first, x, sizeof first, cudaMemcpyDeviceToHost));
    check(cudaFree(x));
    return first - 1;
}
