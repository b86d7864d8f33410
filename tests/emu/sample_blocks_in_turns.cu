// Blocks that are not in the sample are set aside while their threads wait long, and others run;
// each goes on as it began, watched or not.
// launch: 100x64x64
// options: nocheck count sample=7
// end: finished
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float row[64];
    __shared__ unsigned long long full;
    int t = threadIdx.x;
    float sum = 0.0f;
    if (t == 0) {
        ptx::mbarrier_init(&full, 1);
    }
    row[t] = A[blockIdx.x * K + t];
    __syncthreads();
    if (t == 0) {
        for (int i = 0; i < 200000; i++) {
            sum += row[i % 64];
        }
        ptx::mbarrier_arrive(&full);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
    C[blockIdx.x * N + t] = row[63 - t] + sum;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(100);
}
