// expect: pass  (barriers down to a warp, then __syncwarp)
// launch: 2x1x200
// result: [sum(A[i * K : (i + 1) * K]) for i in range(M)]
#include "matmul.cuh"

#define THREADS 64

__global__ void reduction(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float part[THREADS];

    const int t = threadIdx.x;
    part[t] = 0.0f;
    for (int k = t; k < K; k += THREADS) {
        part[t] += A[blockIdx.x * K + k];
    }
    __syncthreads();  // every part is there before it is added

    if (t < 32) {
        for (int distance = 32; distance > 0; distance /= 2) {
            const float other = part[t + distance];
            __syncwarp();  // all lanes have read before one stores
            part[t] += other;
            __syncwarp();  // all lanes have stored before one reads
        }
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
