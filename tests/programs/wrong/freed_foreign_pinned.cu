// expect: host_freed_foreign 8  (pinned memory is freed by cudaFreeHost)
#include <cuda_runtime.h>

int main() {
    float *h_x;
    cudaMallocHost(&h_x, 64 * sizeof(float));
    h_x[0] = 1.0f;
    cudaFree(h_x);
    return 0;
}
