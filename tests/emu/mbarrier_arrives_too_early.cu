// A thread says that it has read what it reads only afterwards.
// launch: 8x8x8
// expect: race number @read @store
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float number;
    __shared__ unsigned long long full, empty;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::mbarrier_init(&empty, 1);
    }
    __syncthreads();
    for (int k = 0; k < 2; k++) {
        if (threadIdx.x == 0) {
            while (!ptx::mbarrier_try_wait_parity(&empty, (k & 1) ^ 1)) {
            }
            number = A[k];  //@store
            ptx::mbarrier_arrive(&full);
        }
        if (threadIdx.x == 32) {
            while (!ptx::mbarrier_try_wait_parity(&full, k & 1)) {
            }
            ptx::mbarrier_arrive(&empty);
            C[k] = number;  //@read
        }
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
