// A number that an integer cannot hold is the nearest one on a GPU, and another on other machines.
// launch: 8x8x8
// expect: crash conversion out of range @convert
// end: finished
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    const float x = (float)(int)threadIdx.x;
    float sum = (int)(x + 2147483520.0f - x) + (int)(-2147483648.0f - x);
    sum += (unsigned char)(x + 300.0f) + (unsigned int)(x * 0.01f - 0.5f);
    sum += __float2int_rz(x * 1e30f) + (int)__float2uint_rz(-x);
    assert(__float2int_rn(1e30f) == 2147483647 && __float2int_rd(-1e30f) == -2147483647 - 1);
    assert(__float2uint_rz(-x) == 0 && __float2int_rn(2.5f) == 2 && __float2ull_rz(3e19f) == ~0ull);
    assert(__float2uint_ru(4294967040.0f) == 4294967040u && __double2int_rz(2147483646.5) > 0);
    C[threadIdx.x] = sum + (float)(unsigned int)(x - 40.0f);  //@convert
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
