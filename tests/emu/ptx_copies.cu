// Copies of all sizes that are waited for, by group or all of them, some filled up with zeros.
// row: `ptx.cuh`: `cp.async`
// launch: 8x8x8
#include <assert.h>
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float ones[2][32];
    __shared__ float2 twos[2][32];
    __shared__ float4 fours[4][32];
    int i = threadIdx.x, other = 31 - i;
    ptx::cp_async_ca_4(&ones[0][i], &A[i]);
    ptx::cp_async_ca_8(&twos[0][i], &A[2 * i]);
    ptx::cp_async_commit_group();
    ptx::cp_async_ca_16(&fours[0][i], &B[i % 16 * 4]);
    ptx::cp_async_cg_16(&fours[1][i], &B[i % 16 * 4]);
    ptx::cp_async_commit_group();
    ptx::cp_async_wait_group<1>();
    __syncwarp();
    assert(ones[0][other] == A[other] && twos[0][other].y == A[2 * other + 1]);
    ptx::cp_async_wait_group<0>();
    __syncwarp();
    assert(fours[0][other].z == B[other % 16 * 4 + 2]);
    assert(fours[1][other].w == B[other % 16 * 4 + 3]);

    // The rest is zero.  Where nothing is read, the address may be outside.
    ptx::cp_async_ca_4(&ones[1][i], &A[i < 16 ? i : 64 + i], i < 16 ? 4 : 0);
    ptx::cp_async_ca_8(&twos[1][i], &A[2 * i], i % 3 * 4);
    ptx::cp_async_ca_16(&fours[2][i], &A[i % 16 * 4], i % 5 * 4);
    ptx::cp_async_cg_16(&fours[3][i], &A[i % 16 * 4], i % 5 * 4);
    ptx::cp_async_wait_all();  // the copies are in no group
    __syncwarp();
    assert(ones[1][other] == (other < 16 ? A[other] : 0.0f));
    assert(twos[1][other].y == (other % 3 == 2 ? A[2 * other + 1] : 0.0f));
    assert(fours[2][other].x == (other % 5 != 0 ? A[other % 16 * 4] : 0.0f));
    assert(fours[3][other].w == (other % 5 == 4 ? A[other % 16 * 4 + 3] : 0.0f));
    C[i] = 0.0f;
    C[32 + i] = 0.0f;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
