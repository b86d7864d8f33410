// prints: fine
// cudaFree(0) makes the context; a copy of no bytes and an empty array are no mistakes.
#include <cstdio>

int main() {
    int *x = nullptr, y[1];
    cudaFree(0);
    cudaMalloc(&x, 16);
    cudaMemcpy(x, y, 0, cudaMemcpyHostToDevice);
    cudaFree(x);
    x = nullptr;
    cudaFree(x);
    printf("fine\n");
    return 0;
}
