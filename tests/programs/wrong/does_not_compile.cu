// expect: build_error 7  (the size is misspelt)
#include <cuda_runtime.h>

int main() {
    const int count = 100;
    int *x;
    cudaMalloc(&x, cuont * sizeof(int));
    cudaFree(x);
    return 0;
}
