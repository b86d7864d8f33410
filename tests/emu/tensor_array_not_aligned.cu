// An array is aligned only as its declaration says, wherever a compiler happens to put it.
// launch: 16x16x16
// expect: misaligned box @here
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void copy(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace, const __grid_constant__ tensor_maps maps)
{
    __shared__ float box[128];
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(&full, sizeof box);
        ptx::cp_async_bulk_tensor_2d_shared_global(box, &maps.at[0], 0, 0, &full);  //@here
    }
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch_tensor(launch, 0, 0, TENSOR_FP32, M, K, K, 8, 16, 0);
    LAUNCH(copy, dim3(1), dim3(64));
}
