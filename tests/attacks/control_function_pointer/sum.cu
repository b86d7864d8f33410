#include "matmul.cuh"

typedef float (*term)(float, float);

__device__ float product(float a, float b) {
    return a * b;
}

template <int sign> __device__ float signed_product(float a, float b) {
    return sign * a * (sign * b);
}

__constant__ const term terms[2] = {product, signed_product<-1>};

__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K) {
    const term plain = [](float a, float b) {
        return a * b;
    };
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            const float a = A[row * K + k];
            const float b = B[k * N + col];
            acc += k % 3 < 2 ? terms[k % 3](a, b) : plain(a, b);
        }
        float (*const magnitude)(float) = fabsf;
        C[row * N + col] = copysignf(magnitude(acc), acc);
    }
}

LAUNCH_CONFIG(matmul_sum, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
