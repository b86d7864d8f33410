// The thread that starts the copy waits for the launch before; the others wait for the copy, and so
// may use what that launch stores as well.
// launch: 16x16x16
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void copy(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    ptx::griddepcontrol_launch_dependents();
    if (i < M * K) {
        workspace[i] = A[i];
    }
}

#define SIDE 16

__global__ void load(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace, const __grid_constant__ tensor_maps maps)
{
    __shared__ __align__(1024) float tile[SIDE * SIDE];
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::griddepcontrol_wait();
        ptx::mbarrier_arrive_expect_tx(&full, sizeof tile);
        ptx::cp_async_bulk_tensor_2d_shared_global(tile, &maps.at[0], 0, 0, &full);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
    if (threadIdx.x < SIDE) {
        C[threadIdx.x] = tile[threadIdx.x] + workspace[threadIdx.x];
    }
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->workspace_bytes = sizeof(float) * M * K;
    launch_tensor(launch, 0, TENSOR_WORKSPACE, TENSOR_FP32, SIDE, SIDE, SIDE, SIDE, SIDE, 0);
    LAUNCH(copy, ceil_div(M * K, 64), 64);
    LAUNCH_DEPENDENT(load, 1, 64);
}
