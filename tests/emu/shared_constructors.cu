// Objects in shared memory: no constructor runs, as on a GPU; defaulted ones and empty ones have
// nothing to do.
// launch: 8x8x8
#include "matmul.cuh"

struct Plain {
    int x;
    Plain() = default;
};
struct Two {
    int x;
    Two() = default;
    __device__ Two(int y) : x(y)
    {
    }
};
struct Empty {
    float x[2];
    __device__ Empty()
    {
    }
};
struct Counts {
    int x;
    __device__ Counts() : x(0)
    {
    }
};

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ Plain plain[32];
    __shared__ Plain one;
    __shared__ Two two[2][32];
    __shared__ Empty empty[32];
    __shared__ Counts counts;
    int i = threadIdx.x;
    plain[i].x = i;
    two[1][i] = Two(i);
    empty[i].x[1] = i;
    if (i == 0) {
        one.x = 3;
        counts.x = 5;
    }
    __syncthreads();
    assert(plain[31 - i].x + two[1][31 - i].x + empty[31 - i].x[1] == 3 * (31 - i));
    assert(one.x == 3 && counts.x == 5);
    C[32 * blockIdx.x + i] = i;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(2);
}
