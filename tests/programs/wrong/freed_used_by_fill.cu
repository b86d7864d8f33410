// expect: host_freed_used 8 10  (a work array is freed inside the loop)
#include <cuda_runtime.h>

int main() {
    int *work;
    cudaMalloc(&work, 128 * sizeof(int));
    for (int step = 0; step < 3; step++) {
        cudaMemset(work, 0, 128 * sizeof(int));
        if (step == 1) {
            cudaFree(work);
        }
    }
    return 0;
}
