// expect: host_past_host 10  (malloc was given a number of elements)
#include <cstdlib>

int main() {
    const int n = 256;
    float *y = (float *)malloc(n);
    float *d_y;
    cudaMalloc(&d_y, n * sizeof(float));
    cudaMemset(d_y, 0, n * sizeof(float));
    cudaMemcpy(y, d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_y);
    free(y);
    return 0;
}
