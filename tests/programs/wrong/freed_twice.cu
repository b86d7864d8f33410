// expect: host_freed_twice 9 8  (both names belong to one array)
#include <cuda_runtime.h>

int main() {
    float *d_in;
    cudaMalloc(&d_in, 64);
    float *d_out = d_in;
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
