// expect: wrong_result  (lanes take values from lanes that do not take part)
// launch: 1x32x32
// result: [sum(A[: i + 1]) for i in range(K)]
#include "matmul.cuh"

__global__ void scan(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int lane = threadIdx.x;
    float sum = A[lane];
    for (int distance = 1; distance < 32; distance *= 2) {
        if (lane >= distance) {
            sum += __shfl_up_sync(0xffffffff, sum, distance);
        }
    }
    C[lane] = sum;
}

LAUNCH_CONFIG(scan, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
