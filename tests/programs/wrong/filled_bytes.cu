// expect: host_filled_bytes 7  (cudaMemset sets bytes, not numbers)
#include <cstdio>

int main() {
    int *d_x, x[16];
    cudaMalloc(&d_x, sizeof x);
    cudaMemset(d_x, 1, sizeof x);
    cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    printf("%d\n", x[0]);
    cudaFree(d_x);
    return 0;
}
