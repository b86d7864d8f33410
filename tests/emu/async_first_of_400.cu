// The first of 400 copies is read while all of them are in flight.
// launch: 1x1x400
// expect: race tile @copy @read
#include "matmul.cuh"
#include <cuda_pipeline.h>

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile[400];
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) {
        __pipeline_memcpy_async(&tile[k], &A[k], 4);  //@copy
        __pipeline_commit();
    }
    for (int k = 0; k < K; ++k) {
        if (k > 0) {
            __pipeline_wait_prior(0);
        }
        sum += tile[k] * B[k];  //@read
    }
    C[0] = sum;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(1);
    launch->grid = dim3(1);
}
