# A sum that a lock of fences guards is a race to the checker, which says what it does not follow;
# the same sum by atomics inside the lock passes.
kernel() {
    cat >student/sum.cu <<EOF
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
    __threadfence_block();
    $1;
    __threadfence_block();
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
EOF
    tilegrade test --size=1x1x65
}
kernel 'sum += part'
kernel 'atomicAdd(&sum, part)'
