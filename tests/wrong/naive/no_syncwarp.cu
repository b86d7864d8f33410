// expect: race 23  (no __syncwarp between the steps of the reduction)
#include "matmul.cuh"

#define LANES 32

// One warp computes one element: each lane takes every 32nd k, then the lanes add up in a tree.
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
    }
    if (lane == 0) {
        C[row * N + col] = partial[0];
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(LANES);
    launch->grid = dim3(N, M);
}
