// Blocks of 128 threads compute 64 x 128 elements, 8 x 8 of them a thread, by slices of 16.
#include "matmul.cuh"

template <int kRows, int kCols, int kDepth, int kThreads>
static __device__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ __align__(16) float left[kDepth][kRows + 4];
    __shared__ __align__(16) float right[kDepth][kCols];
    const int t = threadIdx.x;
    const int y = t / 16 * 4, x = t % 16 * 4;
    const int row0 = blockIdx.y * kRows, col0 = blockIdx.x * kCols;
    float sum[8][8] = {};
    for (int begin = 0; begin < K; begin += kDepth) {
#pragma unroll
        for (int i = t * 4; i < kRows * kDepth; i += kThreads * 4) {
            const int r = row0 + i / kDepth, k = begin + i % kDepth;
            float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            if (r < M && K % 4 == 0 && k < K) {
                four = *(const float4 *)&A[r * K + k];
            } else if (r < M) {
                four.x = k < K ? A[r * K + k] : 0.0f;
                four.y = k + 1 < K ? A[r * K + k + 1] : 0.0f;
                four.z = k + 2 < K ? A[r * K + k + 2] : 0.0f;
                four.w = k + 3 < K ? A[r * K + k + 3] : 0.0f;
            }
            left[i % kDepth][i / kDepth] = four.x;
            left[i % kDepth + 1][i / kDepth] = four.y;
            left[i % kDepth + 2][i / kDepth] = four.z;
            left[i % kDepth + 3][i / kDepth] = four.w;
        }
#pragma unroll
        for (int i = t * 4; i < kDepth * kCols; i += kThreads * 4) {
            const int k = begin + i / kCols, c = col0 + i % kCols;
            float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            if (k < K && N % 4 == 0 && c < N) {
                four = *(const float4 *)&B[k * N + c];
            } else if (k < K) {
                four.x = c < N ? B[k * N + c] : 0.0f;
                four.y = c + 1 < N ? B[k * N + c + 1] : 0.0f;
                four.z = c + 2 < N ? B[k * N + c + 2] : 0.0f;
                four.w = c + 3 < N ? B[k * N + c + 3] : 0.0f;
            }
            *(float4 *)&right[i / kCols][i % kCols] = four;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < kDepth; ++k) {
            float4 a[2], b[2];
            a[0] = *(const float4 *)&left[k][y];
            a[1] = *(const float4 *)&left[k][y + kRows / 2];
            b[0] = *(const float4 *)&right[k][x];
            b[1] = *(const float4 *)&right[k][x + kCols / 2];
            const float as[8] = {a[0].x, a[0].y, a[0].z, a[0].w, a[1].x, a[1].y, a[1].z, a[1].w};
            const float bs[8] = {b[0].x, b[0].y, b[0].z, b[0].w, b[1].x, b[1].y, b[1].z, b[1].w};
#pragma unroll
            for (int i = 0; i < 8; ++i) {
#pragma unroll
                for (int j = 0; j < 8; ++j) {
                    sum[i][j] += as[i] * bs[j];
                }
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 8; ++j) {
            const int row = row0 + y + i / 4 * (kRows / 2) + i % 4;
            const int col = col0 + x + j / 4 * (kCols / 2) + j % 4;
            if (row < M && col < N) {
                C[row * N + col] = sum[i][j];
            }
        }
    }
}

__global__ void __launch_bounds__(128)
    matmul_vectorized(const float *A, const float *B, float *C, int M, int N, int K) {
    product<64, 128, 16, 128>(A, B, C, M, N, K);
}

LAUNCH_CONFIG(matmul_vectorized, M, N, K) {
    launch->block = dim3(128);
    launch->grid = dim3(ceil_div(N, 128), ceil_div(M, 64));
}
