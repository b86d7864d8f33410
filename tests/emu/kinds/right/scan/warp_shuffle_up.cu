// expect: pass  (shuffles in one warp, element by element of its lanes)
// launch: 1x32x32
// result: [sum(A[: i + 1]) for i in range(K)]
#include "matmul.cuh"

__global__ void scan(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int lane = threadIdx.x;
    float sum = A[lane];
    for (int distance = 1; distance < 32; distance *= 2) {
        const float before = __shfl_up_sync(0xffffffff, sum, distance);
        sum += lane >= distance ? before : 0.0f;
    }
    C[lane] = sum;
}

LAUNCH_CONFIG(scan, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
