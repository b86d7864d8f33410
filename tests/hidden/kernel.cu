// Reads past the end of A and races, before or after a store that no check sees (store.c).  M, N
// and K choose the mapping, the place and the kind of the store.
#include "matmul.cuh"

extern "C" void hidden_store(int mapping, int place, int kind);

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    bool before = K % 2 == 1;
    bool mine = threadIdx.x == 0;
    if (mine && before) {
        hidden_store(M, N, (K - 1) / 2);
    }
    C[0] = A[M * K] + (float)threadIdx.x;
    __syncthreads();
    if (mine && !before) {
        hidden_store(M, N, (K - 1) / 2);
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
