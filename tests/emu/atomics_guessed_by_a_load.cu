// The sum of doubles of the CUDA C++ Programming Guide: its first load is only a guess, which
// atomicCAS then decides about, also where 0 is added, so that it exchanges a value for the same.
// launch: 8x8x8
#include "matmul.cuh"

__device__ void add(double *sum, double value)
{
    unsigned long long *bits = (unsigned long long *)sum;
    unsigned long long old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed,
                        (unsigned long long)__double_as_longlong(
                            value + __longlong_as_double((long long)assumed)));
    } while (assumed != old);
}

__device__ void count(volatile float *sum)
{
    int old;
    do {
        old = __float_as_int(*sum);
    } while (atomicCAS((int *)sum, old, __float_as_int(1.0f + __int_as_float(old))) != old);
}

__global__ void clear(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[0] = 0.0f;
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ double sum;
    if (threadIdx.x == 0) {
        sum = 0.0;
    }
    __syncthreads();
    add(&sum, threadIdx.x % 2 * threadIdx.x);
    count(&C[0]);
    __syncthreads();
    assert(sum == 32 * 32);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    LAUNCH(clear, 1, 1);
    LAUNCH(matmul_test, 2, 64);
}
