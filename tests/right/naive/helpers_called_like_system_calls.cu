// expect: pass  (functions of the file have names that the C library has too)
#include "matmul.cuh"

static __device__ float read(const float *from, int place) {
    return from[place];
}

static __device__ void write(float *to, int place, float value) {
    to[place] = value;
}

static __device__ int fork(int road) {
    return road + 1;
}

static __device__ void kill(float *to, int place) {
    to[place] = 0.0f;
}

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += read(A, row * K + k) * read(B, k * N + col);
        }
        write(C, row * N + col, acc);
        if (fork(row) < 0) {
            kill(C, row * N + col);
        }
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
