// expect: host_freed_inside 11  (the pointer was moved along the array)
#include <cuda_runtime.h>

int main() {
    float *p;
    cudaMalloc(&p, 8 * 32 * sizeof(float));
    for (int row = 0; row < 8; row++) {
        cudaMemset(p, 0, 32 * sizeof(float));
        p += 32;
    }
    cudaFree(p - 32);
    return 0;
}
