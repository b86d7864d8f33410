# A sum in a lock with fences passes; without a fence the message says which one is missing.
kernel() {
    cat >student/sum.cu <<EOS
#include "matmul.cuh"

__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int lock;
    __shared__ float sum;
    if (threadIdx.x == 0) {
        lock = 0;
        sum = 0.0f;
    }
    __syncthreads();
    float part = 0.0f;
    for (int k = threadIdx.x; k < K; k += 64) {
        part += A[blockIdx.y * K + k] * B[k * N + blockIdx.x];
    }
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    $1;
    sum += part;
    $2;
    atomicExch(&lock, 0);
    __syncthreads();
    if (threadIdx.x == 0) {
        C[blockIdx.y * N + blockIdx.x] = sum;
    }
}

LAUNCH_CONFIG(matmul_sum, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(N, M);
}
EOS
    tilegrade test --size=1x1x65
}
kernel '__threadfence_block()' '__threadfence_block()'
kernel '__threadfence_block()' ''
kernel '' '__threadfence_block()'
