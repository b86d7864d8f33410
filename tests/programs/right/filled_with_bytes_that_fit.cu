// prints: -1 7 0
// All bits set, single bytes, and zeros: a fill gives these values.
#include <cstdio>

int main() {
    int *d_x, x;
    unsigned char *d_c, c;
    float *d_f, f;
    cudaMalloc(&d_x, 16 * sizeof(int));
    cudaMalloc(&d_c, 16);
    cudaMalloc(&d_f, 16 * sizeof(float));
    cudaMemset(d_x, 0xff, 16 * sizeof(int));
    cudaMemset(d_c, 7, 16);
    cudaMemset(d_f, 0, 16 * sizeof(float));
    cudaMemcpy(&x, d_x + 3, sizeof x, cudaMemcpyDeviceToHost);
    cudaMemcpy(&c, d_c + 3, sizeof c, cudaMemcpyDeviceToHost);
    cudaMemcpy(&f, d_f + 3, sizeof f, cudaMemcpyDeviceToHost);
    printf("%d %d %g\n", x, c, f);
    cudaFree(d_x);
    cudaFree(d_c);
    cudaFree(d_f);
    return 0;
}
