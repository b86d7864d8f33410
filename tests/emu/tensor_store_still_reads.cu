// The last group is not waited for, so its copy may still read what is stored to.
// launch: 16x16x16
// expect: race box @copy @store
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void copy(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace, const __grid_constant__ tensor_maps maps)
{
    __shared__ __align__(128) float box[256];
    for (int k = 0; k < 2; k++) {
        for (int i = threadIdx.x; i < 256; i += blockDim.x) {
            box[i] = A[i] + k;  //@store
        }
        ptx::fence_proxy_async();
        __syncthreads();
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk_tensor_2d_global_shared(&maps.at[0], 0, 0, box);  //@copy
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group_read<1>();
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_wait_group_read<0>();
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
