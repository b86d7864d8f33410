// expect: host_past_host 12  (the padded size is copied from an array that has no padding)
#include <cuda_runtime.h>

int main() {
    const int n = 1000, padded = 1024;
    int *x = new int[n];
    for (int i = 0; i < n; i++) {
        x[i] = i;
    }
    int *d_x;
    cudaMalloc(&d_x, padded * sizeof(int));
    cudaMemcpy(d_x, x, padded * sizeof(int), cudaMemcpyHostToDevice);
    cudaFree(d_x);
    delete[] x;
    return 0;
}
