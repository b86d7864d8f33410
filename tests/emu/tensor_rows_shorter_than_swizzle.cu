// The box has 16 x 8 floats, and its rows begin 128 bytes apart, as no swizzle is named.
// launch: 16x16x16
// expect: out_of_bounds box @here
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void copy(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace, const __grid_constant__ tensor_maps maps)
{
    __shared__ __align__(128) float box[16 * 8];
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
    launch_tensor(launch, 0, 0, TENSOR_FP32, M, K, K, 16, 8);
    LAUNCH(copy, dim3(1), dim3(64));
}
