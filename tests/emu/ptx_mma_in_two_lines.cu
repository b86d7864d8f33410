// Both halves of the warp multiply, but not together.
// launch: 8x8x8
// expect: barrier_divergence @here
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    unsigned a[4] = {}, b[2] = {};
    float d[4] = {};
    if (threadIdx.x < 16) {
        ptx::mma_m16n8k16_f16(d, a, b, d);  //@here
    } else {
        ptx::mma_m16n8k16_f16(d, a, b, d);
    }
    C[threadIdx.x] = d[0];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
