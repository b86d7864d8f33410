// Numbers of 16 bits may be in a union, and in a struct there, as on a GPU.
// launch: 8x8x8
#include <assert.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "matmul.cuh"

union Eight {
    float4 all;
    half each[8];
    half2 pair[4];
    struct {
        nv_bfloat16 first;
        nv_bfloat162 others[3];
    } rough;
};

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ Eight rows[32];
    int i = threadIdx.x;
    Eight mine;
    for (int k = 0; k < 8; k++) {
        mine.each[k] = half(i + k);
    }
    rows[i].all = mine.all;
    __syncwarp();
    assert(__half2float(rows[31 - i].each[7]) == 38 - i);
    assert(__high2float(rows[31 - i].pair[1]) == 34 - i);
    C[i] = C[32 + i] = 0.0f;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
