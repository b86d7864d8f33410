// expect: host_wrong_way 8  (source and destination are exchanged)
#include <cuda_runtime.h>

int main() {
    float x[16] = {0};
    float *d_x;
    cudaMalloc(&d_x, sizeof x);
    cudaMemcpy(x, d_x, sizeof x, cudaMemcpyHostToDevice);
    cudaFree(d_x);
    return 0;
}
