// expect: pass  (warps take rows from a counter in shared memory)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ int next;
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        next = 0;
    }
    __syncthreads();
    while (true) {
        int mine = 0;
        if (lane == 0) {
            mine = atomicAdd(&next, 1);
        }
        mine = __shfl_sync(0xffffffffu, mine, 0);
        if (mine >= 16) {
            break;
        }
        const int row = blockIdx.y * 16 + mine;
        const int col = blockIdx.x * 32 + lane;
        if (row < M && col < N) {
            float sum = 0.0f;
            for (int k = 0; k < K; ++k) {
                sum += A[row * K + k] * B[k * N + col];
            }
            C[row * N + col] = sum;
        }
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(128);
    launch->grid = dim3(ceil_div(N, 32), ceil_div(M, 16));
}
