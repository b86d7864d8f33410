# A loop that waits for a plain store of another thread: the race is reported with the time limit. A
# loop that merely never ends has no race.
kernel() {
    cat >student/sum.cu <<EOF
#include "matmul.cuh"

__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ volatile int full;
    if (threadIdx.x == 0) {
        full = 0;
    }
    __syncthreads();
    $1
    C[0] = A[0] * B[0];
}

LAUNCH_CONFIG(matmul_sum, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
EOF
    tilegrade test --size=1x1x1
}
kernel 'full = threadIdx.x; while (full != 70) { }'
kernel 'for (int i = 0; i < 10; ) { C[0] = i; }' | grep -c 'data race:'
