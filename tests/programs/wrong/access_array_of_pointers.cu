// expect: host_access 14  (the array of pointers was allocated on the device)
#include <cuda_runtime.h>

__global__ void clear(float **rows, int columns) {
    rows[blockIdx.x][threadIdx.x] = 0.0f;
}

int main() {
    float **rows;
    cudaMalloc((void **)&rows, 4 * sizeof(float *));
    for (int i = 0; i < 4; i++) {
        float *row;
        cudaMalloc((void **)&row, 32 * sizeof(float));
        rows[i] = row;
    }
    clear<<<4, 32>>>(rows, 32);
    cudaDeviceSynchronize();
    return 0;
}
