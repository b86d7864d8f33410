// expect: host_freed_foreign 8  (the names of the two arrays are mixed up)
#include <cstdlib>

int main() {
    float *h_x = (float *)malloc(256);
    float *d_x;
    cudaMalloc(&d_x, 256);
    cudaFree(h_x);
    free(h_x);
    cudaFree(d_x);
    return 0;
}
