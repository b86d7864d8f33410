// The warp that stores waits for a buffer that no thread hands back, and the other for that warp.
// launch: 8x8x8
// expect: barrier_divergence empty @empty @full
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile[32];
    __shared__ unsigned long long full, empty;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 32);
        ptx::mbarrier_init(&empty, 32);
    }
    __syncthreads();
    for (int k = 0; k < 2; k++) {
        if (threadIdx.x < 32) {
            while (!ptx::mbarrier_try_wait_parity(&full, k)) {  //@full
            }
            C[32 * k + threadIdx.x] = tile[threadIdx.x];
        } else {
            while (!ptx::mbarrier_try_wait_parity(&empty, k ^ 1)) {  //@empty
            }
            tile[threadIdx.x - 32] = A[32 * k + threadIdx.x - 32];
            ptx::mbarrier_arrive(&full);
        }
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
