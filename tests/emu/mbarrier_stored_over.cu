// A tile is one element too long: its last one is in the memory of an mbarrier.
// launch: 8x8x8
// expect: crash mbarrier stored to @store
#include "matmul.cuh"
#include "ptx.cuh"

struct shared {
    unsigned long long full;
    float tile[62];
};

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ shared s;
    float *end = &s.tile[62];
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&s.full, 64);
    }
    __syncthreads();
    end[-1 - (int)threadIdx.x] = A[threadIdx.x];  //@store
    ptx::mbarrier_arrive(&s.full);
    while (!ptx::mbarrier_try_wait_parity(&s.full, 0)) {
    }
    C[threadIdx.x] = end[-1 - (int)threadIdx.x];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
