// As much as there is, and the last of it used.
// launch: 9x11x13
// end: finished
// prints: product right
#include "matmul.cuh"

#define PARTS 4

// The product, where LAUNCH is not used.
__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M * N) {
        float acc = 0.0f;
        for (int k = 0; k < K; k++) {
            acc += A[i / N * K + k] * B[k * N + i % N];
        }
        C[i] = acc;
    }
}

__global__ void sum_parts(const float *A, const float *B, float *C, int M, int N, int K,
                          float *workspace)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M * N) {
        float acc = 0.0f;
        for (int k = blockIdx.z; k < K; k += PARTS) {
            acc += A[i / N * K + k] * B[k * N + i % N];
        }
        workspace[blockIdx.z * M * N + i] = acc;
    }
}

__global__ void add_parts(const float *A, const float *B, float *C, int M, int N, int K,
                          float *workspace)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M * N) {
        float acc = 0.0f;
        for (int part = 0; part < PARTS; part++) {
            acc += workspace[part * M * N + i];
        }
        C[i] = acc;
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    int blocks = ceil_div(M * N, 64);
    launch->workspace_bytes = WORKSPACE_BYTES_MAX;
    LAUNCH(sum_parts, dim3(blocks, 1, PARTS), dim3(64));
    LAUNCH(add_parts, blocks, 64);
}
