// expect: pass  (the textbook reduction, unrolled by a template on the block)
#include "matmul.cuh"

template <unsigned threads> __device__ void tree(volatile float *sdata, unsigned tid)
{
    if (threads >= 128) {
        if (tid < 64) {
            sdata[tid] += sdata[tid + 64];
        }
        __syncthreads();
    }
    if (tid < 32) {
        float v = sdata[tid] + sdata[tid + 32];
        for (int step = 16; step > 0; step /= 2) {
            v += __shfl_down_sync(0xffffffffu, v, step);
        }
        sdata[tid] = v;
    }
}

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float sdata[128];
    const unsigned tid = threadIdx.x;
    const int row = blockIdx.y;
    const int col = blockIdx.x;
    float sum = 0.0f;
    for (int k = tid; k < K; k += 128) {
        sum += A[row * K + k] * B[k * N + col];
    }
    sdata[tid] = sum;
    __syncthreads();
    tree<128>(sdata, tid);
    if (tid == 0) {
        C[row * N + col] = sdata[0];
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(128);
    launch->grid = dim3(N, M);
}
