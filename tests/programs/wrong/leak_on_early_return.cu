// expect: host_leak 6  (the function returns before it frees)
#include <cuda_runtime.h>

static int sum(const int *x, int n) {
    int *d_x;
    cudaMalloc(&d_x, 4 * n);
    cudaMemcpy(d_x, x, 4 * n, cudaMemcpyHostToDevice);
    if (n < 100) {
        return 0;
    }
    cudaFree(d_x);
    return 1;
}

int main() {
    int x[64] = {0};
    return sum(x, 64);
}
