// The other threads read C after a wait that knows only that the box has been read.
// launch: 16x16x16
// expect: race @copy @read
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void copy(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace, const __grid_constant__ tensor_maps maps)
{
    __shared__ __align__(128) float box[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        box[i] = A[i];
    }
    ptx::fence_proxy_async();
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_tensor_2d_global_shared(&maps.at[0], 0, 0, box);  //@copy
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read<0>();
    }
    __syncthreads();
    if (threadIdx.x == 40) {
        C[7 * N + 5] += 1.0f;  //@read
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
