// After the loop each thread loads the word once more, while others may still exchange it.
// launch: 8x8x8
// expect: race @exchange @again
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int most;
    if (threadIdx.x == 0) {
        most = 0;
    }
    __syncthreads();
    const int mine = (int)(threadIdx.x * 37 % 64);
    int old = most;
    while (old < mine) {
        const int assumed = old;
        old = atomicCAS(&most, assumed, mine);  //@exchange
        old = old == assumed ? mine : old;
    }
    C[threadIdx.x] = most == mine;  //@again
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
