# A race at a small size comes before a larger size that does not end. It is told as a race of two
# blocks, which no barrier ends, although the smallest sizes have only one block. Without the race
# the loop is the cause.
kernel() {
    cat >student/sum.cu <<EOS
#include "matmul.cuh"

__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    float above = 0.0f;
    for (int k = 0; i < M * N && k < K; ++k) {
        sum += A[i / N * K + k] * B[k * N + i % N];
    }
    if (i < M * N) {
        C[i] = sum;
    }
    for (int j = $1; j < M * N; ++j) {
        above += C[j];
    }
    for (int j = 0; M * N > 64 && j < 10;) {
        above += A[0];
    }
    if (above == 0.5f) {
        C[i] = above;
    }
}

LAUNCH_CONFIG(matmul_sum, M, N, K)
{
    launch->block = dim3(8);
    launch->grid = dim3(ceil_div(M * N, 8));
}
EOS
    tilegrade test
}
kernel i
kernel 'M * N'
