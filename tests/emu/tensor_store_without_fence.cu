// A copy sees what threads have stored only after their fence.proxy.async.
// launch: 16x16x16
// expect: race box @store @copy
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void copy(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace, const __grid_constant__ tensor_maps maps)
{
    __shared__ __align__(128) float box[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        box[i] = A[i];  //@store
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_tensor_2d_global_shared(&maps.at[0], 0, 0, box);  //@copy
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group<0>();
    }
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch_tensor(launch, 0, 2, TENSOR_FP32, M, N, N, 16, 16, 0);
    LAUNCH(copy, dim3(1), dim3(64));
}
