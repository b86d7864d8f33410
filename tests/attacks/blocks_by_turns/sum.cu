#include "matmul.cuh"
// Each block waits until the one before it has ended.
__global__ void clear(const float *, const float *, float *, int, int, int, float *workspace) {
    *(unsigned int *)workspace = 0;
}
__global__ void in_turn(const float *A, const float *B, float *C, int M, int N, int K,
                        float *workspace) {
    unsigned int *turn = (unsigned int *)workspace;
    const int row = blockIdx.y * 4 + threadIdx.y;
    const int col = blockIdx.x * 8 + threadIdx.x;
    const unsigned int me = blockIdx.y * gridDim.x + blockIdx.x;
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        while (atomicAdd(turn, 0u) != me) {
        }
    }
    __syncthreads();
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = acc;
    }
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        atomicAdd(turn, 1u);
    }
}
__global__ void matmul_sum(const float *, const float *, float *, int, int, int) {
}
LAUNCH_CONFIG(matmul_sum, M, N, K) {
    launch->workspace_bytes = 4;
    LAUNCH(clear, dim3(1), dim3(1));
    LAUNCH(in_turn, dim3(ceil_div(N, 8), ceil_div(M, 4)), dim3(8, 4));
}
