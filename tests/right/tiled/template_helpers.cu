// expect: pass  (templates over the tile, a helper for each step)
#include "matmul.cuh"

template <int SIZE>
static __device__ void copy_tile(float (&tile)[SIZE][SIZE], const float *matrix, int rows, int cols,
                                 int row, int col) {
    const bool inside = row < rows && col < cols;
    tile[threadIdx.y][threadIdx.x] = inside ? matrix[row * cols + col] : 0.0f;
}

template <int SIZE>
static __device__ float multiply(const float (&As)[SIZE][SIZE], const float (&Bs)[SIZE][SIZE]) {
    float acc = 0.0f;
    for (int k = 0; k < SIZE; ++k) {
        acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    }
    return acc;
}

template <int SIZE>
static __device__ void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[SIZE][SIZE];
    __shared__ float Bs[SIZE][SIZE];

    const int row = blockIdx.y * SIZE + threadIdx.y;
    const int col = blockIdx.x * SIZE + threadIdx.x;

    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += SIZE) {
        copy_tile<SIZE>(As, A, M, K, row, k0 + threadIdx.x);
        copy_tile<SIZE>(Bs, B, K, N, k0 + threadIdx.y, col);
        __syncthreads();  // the tiles are full before anyone reads them

        acc += multiply<SIZE>(As, Bs);
        __syncthreads();  // everyone has read the tiles before anyone refills them
    }

    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    matmul<16>(A, B, C, M, N, K);
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
