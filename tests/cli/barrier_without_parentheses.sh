# A barrier without parentheses is reported with the race that it causes, and also with a pass if no
# access needs it; a call with () is not reported.
kernel() {
    cat >student/sum.cu <<EOF
#include "matmul.cuh"

__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float part[64];
    int at = blockIdx.x * 64 + threadIdx.x;
    float acc = 0.0f;
    for (int k = 0; at < M * N && k < K; ++k) {
        acc += A[at / N * K + k] * B[k * N + at % N];
    }
    part[threadIdx.x] = acc;
    $1
    if (at < M * N) {
        C[at] = $2;
    }
}

LAUNCH_CONFIG(matmul_sum, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(ceil_div(M * N, 64));
}
EOF
    tilegrade test
}
kernel '__syncthreads;' 'part[threadIdx.x ^ 1] * 0.0f + acc'
kernel '__syncthreads;' 'part[threadIdx.x]'
kernel '__syncthreads();' 'part[threadIdx.x ^ 1] * 0.0f + acc'
