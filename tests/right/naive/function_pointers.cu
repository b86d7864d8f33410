// expect: pass  (a table of functions in constant memory, a reference to a shared array)
#include "matmul.cuh"

static __device__ float by_fma(float a, float b, float c) {
    return __fmaf_rn(a, b, c);
}

static __device__ float by_mul(float a, float b, float c) {
    return __fadd_rn(c, __fmul_rn(a, b));
}

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;

    __shared__ float store[256];
    float(&mine)[256] = store;
    const int t = threadIdx.y * 16 + threadIdx.x;
    mine[t] = 0.0f;
    float (*const f)(float, float, float) = t % 2 ? &by_fma : &by_mul;
    for (int k = 0; k < K && row < M && col < N; ++k) {
        mine[t] = f(A[row * K + k], B[k * N + col], mine[t]);
    }
    if (row < M && col < N) {
        C[row * N + col] = mine[t];
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
