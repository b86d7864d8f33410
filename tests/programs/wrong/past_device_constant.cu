// expect: host_past_device 8  (the filter has 7 weights)
#include <cuda_runtime.h>

__constant__ float weights[7];

int main() {
    float w[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};
    cudaMemcpyToSymbol(weights, w, sizeof w);
    return 0;
}
