// expect: needs_gpu 6
#include <cuda_runtime.h>

int main() {
    float *x;
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &format, 64, 64);
    cudaMalloc(&x, 4);
    cudaFree(x);
    return 0;
}
