// Only threads that wait for the phase may read what is copied.
// launch: 8x8x8
// expect: race tile thread=0,0,0 other=1,0,0 @copy @read
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) float tile[64];
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(&full, sizeof tile);
        ptx::cp_async_bulk_shared_global(tile, A, sizeof tile, &full);  //@copy
    }
    if (threadIdx.x == 0) {
        while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
        }
    }
    C[threadIdx.x] = tile[threadIdx.x];  //@read
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
