// Only threads that wait for the phase may read the box.
// launch: 16x16x16
// expect: race box @copy @read
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void copy(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace, const __grid_constant__ tensor_maps maps)
{
    __shared__ __align__(1024) float box[16 * 32];  // rows of 64 bytes, and gaps as long
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(&full, sizeof box / 2);
        ptx::cp_async_bulk_tensor_2d_shared_global(box, &maps.at[0], 0, 0, &full);  //@copy
    }
    if (threadIdx.x == 0) {
        while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
        }
    }
    C[threadIdx.x] = box[threadIdx.x / 16 * 32 + threadIdx.x % 16];  //@read
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch_tensor(launch, 0, 0, TENSOR_FP32, M, K, K, 16, 16);
    LAUNCH(copy, dim3(1), dim3(64));
}
