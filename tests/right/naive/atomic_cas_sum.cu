// expect: pass  (atomicCAS adds floats in shared memory)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ unsigned bits[4];
    const int lane = threadIdx.x;
    const int row = blockIdx.y * 4 + threadIdx.y;
    const int col = blockIdx.x;
    float sum = 0.0f;
    for (int k = lane; k < K && row < M; k += 32) {
        sum += A[row * K + k] * B[k * N + col];
    }

    if (lane == 0) {
        bits[threadIdx.y] = 0;
    }
    __syncwarp();
    unsigned old = atomicAdd(&bits[threadIdx.y], 0u);
    unsigned seen;
    do {
        seen = old;
        old = atomicCAS(&bits[threadIdx.y], seen, __float_as_uint(__uint_as_float(seen) + sum));
    } while (old != seen);
    __syncwarp();
    if (lane == 0 && row < M) {
        C[row * N + col] = __uint_as_float(bits[threadIdx.y]);
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(32, 4);
    launch->grid = dim3(N, ceil_div(M, 4));
}
