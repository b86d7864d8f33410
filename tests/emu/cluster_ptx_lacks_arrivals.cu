// An mbarrier expects more arrivals than the other blocks make.
// launch: 8x8x8
// expect: barrier_divergence full @wait
// end: stopped
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void __cluster_dims__(4)
    matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float value;
    __shared__ unsigned long long full;
    unsigned rank = ptx::cluster_ctarank();
    unsigned blocks = ptx::cluster_nctarank();
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 2);
        ptx::fence_mbarrier_init();
    }
    ptx::cluster_arrive();
    ptx::cluster_wait();
    if (threadIdx.x == 0) {
        float sum = A[rank];
        if (rank > 0) {
            while (!ptx::mbarrier_try_wait_parity(&full, 0)) {  //@wait
            }
            sum += value;
        }
        if (rank + 1 < blocks) {
            *ptx::mapa(&value, rank + 1) = sum;
            ptx::mbarrier_arrive_cluster(&full, rank + 1);
        } else {
            C[blockIdx.x / blocks] = sum;
        }
    }
    ptx::cluster_arrive();
    ptx::cluster_wait();
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(8);
}
