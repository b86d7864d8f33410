// The flag may come before what its block has stored, which another block copies.
// expect: race workspace @store @copy
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void copy(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace, const __grid_constant__ tensor_maps maps)
{
    __shared__ __align__(128) float box[64];
    __shared__ unsigned long long full;
    unsigned *ready = (unsigned *)workspace + 64;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init();
    }
    __syncthreads();
    if (blockIdx.x == 1) {
        workspace[threadIdx.x] = A[threadIdx.x];  //@store
        ptx::fence_proxy_async_global();
        __syncwarp();
        if (threadIdx.x % 32 == 0) {
            atomicAdd(ready, 1);
        }
        return;
    }
    if (threadIdx.x == 0) {
        while (*(volatile unsigned *)ready < 2) {
        }
        __threadfence();
        ptx::mbarrier_arrive_expect_tx(&full, sizeof box);
        ptx::cp_async_bulk_tensor_2d_shared_global(box, &maps.at[0], 0, 0, &full);  //@copy
    }
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
    C[threadIdx.x] = box[threadIdx.x];
}

__global__ void clear(const float *A, const float *B, float *C, int M, int N, int K,
                      float *workspace)
{
    *((unsigned *)workspace + 64) = 0;
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->workspace_bytes = 65 * sizeof(float);
    launch_tensor(launch, 0, TENSOR_WORKSPACE, TENSOR_FP32, 8, 8, 8, 8, 8, 0);
    LAUNCH(clear, dim3(1), dim3(1));
    LAUNCH(copy, dim3(2), dim3(64));
}
