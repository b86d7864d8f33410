// Warps arrive at the first mbarrier of an array only, and wait for both.
// launch: 8x8x8
// expect: barrier_divergence @wait ring offset=144 phases=0 inits=2 init_number=1 absent=2
#include "matmul.cuh"
#include "ptx.cuh"

struct ring {
    float tile[2][16];
    unsigned long long empty;
    unsigned long long full[2];
};

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ struct ring ring;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&ring.empty, 2);
        for (int stage = 1; stage >= 0; stage--) {
            ptx::mbarrier_init(&ring.full[stage], 2);
        }
    }
    __syncthreads();
    for (int stage = 0; stage < 2; stage++) {
        if (threadIdx.x % 32 == 0) {
            ptx::mbarrier_arrive(stage == 0 ? &ring.full[0] : &ring.empty);
        }
        while (!ptx::mbarrier_try_wait_parity(&ring.full[stage], 0)) {  //@wait
        }
    }
    C[threadIdx.x] = 0.0f;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
