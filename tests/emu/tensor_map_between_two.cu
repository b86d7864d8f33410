// An address inside a map is not the address of a map.
// launch: 16x16x16
// expect: crash no tensor map @here
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void copy(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace, const __grid_constant__ tensor_maps maps)
{
    __shared__ __align__(128) float box[256];
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init();
    }
    __syncthreads();
    const tensor_map *map = (const tensor_map *)&maps.at[0].bytes[64];
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(&full, sizeof box);
        ptx::cp_async_bulk_tensor_2d_shared_global(box, map, 0, 0, &full);  //@here
    }
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch_tensor(launch, 0, 0, TENSOR_FP32, M, K, K, 16, 16, 0);
    LAUNCH(copy, dim3(1), dim3(64));
}
