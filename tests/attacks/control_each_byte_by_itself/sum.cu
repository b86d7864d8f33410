#include "matmul.cuh"

__device__ float by_bytes(const float *from) {
    const unsigned char *byte = (const unsigned char *)from;
    const unsigned bits = byte[0] | byte[1] << 8 | byte[2] << 16 | (unsigned)byte[3] << 24;
    return __uint_as_float(bits);
}

__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) {
        sum += by_bytes(&A[blockIdx.y * K + k]) * by_bytes(&B[k * N + blockIdx.x]);
    }
    C[blockIdx.y * N + blockIdx.x] = sum;
}

LAUNCH_CONFIG(matmul_sum, M, N, K) {
    launch->block = dim3(1);
    launch->grid = dim3(N, M);
}
