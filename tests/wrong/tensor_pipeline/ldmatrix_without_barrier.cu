// expect: race 15 41  (ldmatrix, in a function above, reads rows without __syncwarp before)
#include <cuda_fp16.h>

#include "kernel.cuh"
#include "ptx.cuh"

#define EDGE 16  // of the tiles of A, B and C
#define PAD  8   // rows are longer by 16 bytes, so that 8 of them use all banks

// Multiplies both tiles: the left 8 columns of B, and the right ones.
static __device__ void multiply(float (&left)[4], float (&right)[4], const __half (*a)[EDGE + PAD],
                                const __half (*b)[EDGE + PAD]) {
    const int lane = threadIdx.x;
    unsigned of_a[4], of_b[4];
    ptx::ldmatrix_x4(of_a, &a[lane % 16][lane / 16 * 8]);
    ptx::ldmatrix_x4_trans(of_b, &b[lane % 16][lane / 16 * 8]);
    const unsigned of_left[2] = {of_b[0], of_b[1]};
    const unsigned of_right[2] = {of_b[2], of_b[3]};
    ptx::mma_m16n8k16_f16(left, of_a, of_left, left);
    ptx::mma_m16n8k16_f16(right, of_a, of_right, right);
}

__global__ void tensor_pipeline(const __half *A, const __half *B, float *C, int M, int N, int K) {
    __shared__ __align__(16) __half as[EDGE][EDGE + PAD];
    __shared__ __align__(16) __half bs[EDGE][EDGE + PAD];
    const int lane = threadIdx.x;
    const int row0 = blockIdx.y * EDGE;
    const int col0 = blockIdx.x * EDGE;
    float left[4] = {};
    float right[4] = {};

    for (int k = 0; k < K; k += EDGE) {
        for (int i = lane; i < EDGE * EDGE; i += 32) {
            const int row = i / EDGE;
            const int col = i % EDGE;
            const bool in_a = row0 + row < M && k + col < K;
            const bool in_b = k + row < K && col0 + col < N;
            const __half zero = __float2half(0.0f);
            const __half of_a = in_a ? A[(row0 + row) * K + k + col] : zero;
            const __half of_b = in_b ? B[(k + row) * N + col0 + col] : zero;
            as[row][col] = of_a;
            bs[row][col] = of_b;
        }
        multiply(left, right, as, bs);
        __syncwarp();
    }
    for (int i = 0; i < 8; ++i) {
        const int row = row0 + lane / 4 + i / 2 % 2 * 8;
        const int col = col0 + lane % 4 * 2 + i % 2 + i / 4 * 8;
        if (row < M && col < N) {
            C[row * N + col] = i < 4 ? left[i] : right[i - 4];
        }
    }
}

LAUNCH_CONFIG(tensor_pipeline, M, N, K) {
    launch->block = dim3(32);
    launch->grid = dim3(ceil_div(N, EDGE), ceil_div(M, EDGE));
}
