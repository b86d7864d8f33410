// expect: pass  (pairwise sum by recursion of limited depth)
#include "matmul.cuh"

// Halves the sum until eight terms are left.
static __device__ __noinline__ float dot(const float *a, const float *b, int step, int n) {
    if (n <= 8) {
        float sum = 0.0f;
        for (int k = 0; k < n; ++k) {
            sum += a[k] * b[k * step];
        }
        return sum;
    }
    const int half = n / 2;
    return dot(a, b, step, half) + dot(a + half, b + half * step, step, n - half);
}

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;

    if (row < M && col < N) {
        C[row * N + col] = dot(A + row * K, B + col, N, K);
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
