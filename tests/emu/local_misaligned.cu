// A float of a local array is at a multiple of its size, as on a GPU.
// launch: 8x8x8
// expect: misaligned @odd
// end: stopped
#include "matmul.cuh"

struct __attribute__((packed)) record {
    char kind;
    float value;
};

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __align__(16) unsigned char bytes[64];
    record own[2] = {{1, A[0]}, {2, A[1]}};
    float4 four = {A[0], A[1], A[2], A[3]};
    unsigned short halves[4] = {1, 2, 3, 4};
    unsigned int *both = (unsigned int *)(halves + 2 * (threadIdx.x % 2));
    float *even = (float *)(bytes + 4 * threadIdx.x % 32);
    float *odd = (float *)(bytes + 1 + threadIdx.x % 3);
    own[threadIdx.x % 2].value += 1.0f;
    ((float *)&four)[threadIdx.x % 4] = *both;
    even[0] = own[0].value + own[1].value;
    C[threadIdx.x] = even[0] + four.x;
    odd[0] = A[threadIdx.x];  //@odd
    C[threadIdx.x] += odd[0];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
