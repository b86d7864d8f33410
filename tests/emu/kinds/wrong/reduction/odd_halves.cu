// expect: wrong_result  (96 threads: halves of 3 leave one part out)
// launch: 3x1x300
// result: [sum(A[i * K : (i + 1) * K]) for i in range(M)]
#include "matmul.cuh"

#define THREADS 96

__global__ void reduction(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float part[THREADS];

    const int t = threadIdx.x;
    const float *row = A + blockIdx.x * K;
    float sum = 0.0f;
    for (int k = t; k < K; k += THREADS) {
        sum += row[k];
    }
    part[t] = sum;
    __syncthreads();  // every part is there before it is added

    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) {
            part[t] += part[t + half];
        }
        __syncthreads();  // this step is done before the next reads its sums
    }

    if (t == 0) {
        C[blockIdx.x] = part[0];
    }
}

LAUNCH_CONFIG(reduction, M, N, K)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(M);
}
