// Blocks of 128 threads compute 64 x 64 elements, 8 x 4 of them a thread; A is stored transposed.
#include "matmul.cuh"

namespace {
constexpr int kEdge = 64, kDepth = 16, kThreads = 128;
}

__global__ void __launch_bounds__(kThreads)
    matmul_register_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ __align__(16) float left[kDepth][kEdge + 4];
    __shared__ __align__(16) float right[kDepth][kEdge];
    const int t = threadIdx.x;
    const int y = t / 16 * 8, x = t % 16 * 4;
    const int row0 = blockIdx.y * kEdge, col0 = blockIdx.x * kEdge;
    float sum[8][4] = {};
    for (int begin = 0; begin < K; begin += kDepth) {
        for (int i = t; i < kEdge * kDepth; i += kThreads) {
            const int r = i / kDepth, k = i % kDepth;
            left[k][r] = row0 + r < M && begin + k < K ? A[(row0 + r) * K + begin + k] : 0.0f;
        }
        for (int i = t; i < kEdge * kDepth; i += kThreads) {
            const int k = i / kEdge, c = i % kEdge;
            right[k][c] = col0 + c < N && begin + k < K ? B[(begin + k) * N + col0 + c] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < kDepth; ++k) {
            const float4 a0 = *(const float4 *)&left[k][y];
            const float4 a1 = *(const float4 *)&left[k][y + 4];
            const float4 b = *(const float4 *)&right[k][x];
            const float a[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                sum[i][0] += a[i] * b.x;
                sum[i][1] += a[i] * b.y;
                sum[i][2] += a[i] * b.z;
                sum[i][3] += a[i] * b.w;
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 4; ++j) {
            if (row0 + y + i < M && col0 + x + j < N) {
                C[(row0 + y + i) * N + col0 + x + j] = sum[i][j];
            }
        }
    }
}

LAUNCH_CONFIG(matmul_register_tiled, M, N, K) {
    launch->block = dim3(kThreads);
    launch->grid = dim3(ceil_div(N, kEdge), ceil_div(M, kEdge));
}
