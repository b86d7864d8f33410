// expect: pass  (one warp an element, summed in shared memory with __syncwarp)
#include "matmul.cuh"

#define LANES 32

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float partial[LANES];

    const int lane = threadIdx.x;
    const int row = blockIdx.y;
    const int col = blockIdx.x;

    float acc = 0.0f;
    for (int k = lane; k < K; k += LANES) {
        acc += A[row * K + k] * B[k * N + col];
    }
    partial[lane] = acc;
    __syncwarp();  // every lane's sum is there

    for (int distance = LANES / 2; distance > 0; distance /= 2) {
        if (lane < distance) {
            partial[lane] += partial[lane + distance];
        }
        __syncwarp();  // this step is done before the next one reads
    }
    if (lane == 0) {
        C[row * N + col] = partial[0];
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(LANES);
    launch->grid = dim3(N, M);
}
