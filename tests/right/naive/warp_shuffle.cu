// expect: pass  (one warp an element, summed with __shfl_down_sync)
#include "matmul.cuh"

#define LANES 32
#define WARPS 4

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int lane = threadIdx.x;
    const int element = blockIdx.x * WARPS + threadIdx.y;

    if (element < M * N) {  // the same for all lanes of a warp
        const int row = element / N;
        const int col = element % N;
        float acc = 0.0f;
        for (int k = lane; k < K; k += LANES) {
            acc += A[row * K + k] * B[k * N + col];
        }
        for (int distance = LANES / 2; distance > 0; distance /= 2) {
            acc += __shfl_down_sync(0xffffffffu, acc, distance);
        }
        if (lane == 0) {
            C[element] = acc;
        }
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(LANES, WARPS);
    launch->grid = dim3(ceil_div(M * N, WARPS));
}
