// The second copy may come while another thread still reads the first box.
// launch: 16x16x16
// expect: race RACE_REFILLED box @read @copy
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void copy(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace, const __grid_constant__ tensor_maps maps)
{
    __shared__ __align__(128) float box[256];
    __shared__ unsigned long long full[2];
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full[0], 1);
        ptx::mbarrier_init(&full[1], 1);
        ptx::fence_mbarrier_init();
    }
    __syncthreads();
    for (int k = 0; k < 2; k++) {
        if (threadIdx.x == 0) {
            ptx::mbarrier_arrive_expect_tx(&full[k], sizeof box);
            ptx::cp_async_bulk_tensor_2d_shared_global(box, &maps.at[0], 0, k, &full[k]);  //@copy
        }
        while (!ptx::mbarrier_try_wait_parity(&full[k], 0)) {
        }
        C[64 * k + threadIdx.x] = box[threadIdx.x];  //@read
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
