// expect: pass  (whoever exchanges first adds the term, in a loop that tries again)
#include "matmul.cuh"

#define TERMS 32
#define TRIES 4  // terms that a thread tries to claim; each term has 8 threads

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int taken[TERMS];
    __shared__ unsigned sum;
    const int t = threadIdx.x;
    if (t == 0) {
        sum = __float_as_uint(0.0f);
    }
    for (int first = 0; first < K; first += TERMS) {
        if (t < TERMS) {
            taken[t] = 0;
        }
        __syncthreads();
        for (int i = 0; i < TRIES; ++i) {
            const int k = first + (t + i) % TERMS;
            if (k < K && atomicExch(&taken[k - first], 1) == 0) {
                const float term = A[blockIdx.y * K + k] * B[k * N + blockIdx.x];
                unsigned seen = atomicCAS(&sum, 0u, 0u);
                unsigned before;
                do {
                    before = seen;
                    const float more = __uint_as_float(before) + term;
                    seen = atomicCAS(&sum, before, __float_as_uint(more));
                } while (seen != before);
            }
        }
        __syncthreads();
    }
    if (t == 0) {
        C[blockIdx.y * N + blockIdx.x] = __uint_as_float(sum);
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(N, M);
}
