// expect: uninitialized 31  (only one of four elements of A is copied)
#include "matmul.cuh"

#define TILE 16         // rows and columns of threads, columns of C in a block, depth of a slice
#define TM 4            // results of a thread, TILE rows apart
#define BM (TM * TILE)  // rows of C in a block

__global__ void matmul_coarsened(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[BM][TILE];
    __shared__ float Bs[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * BM + ty;  // of my first result; the next one is TILE rows below
    const int col = blockIdx.x * TILE + tx;

    float acc[TM] = {};
    for (int t = 0; t < ceil_div(K, TILE); ++t) {
        const int a_col = t * TILE + tx;
        const int b_row = t * TILE + ty;
        {
            const int a_row = row;
            As[ty][tx] = a_row < M && a_col < K ? A[a_row * K + a_col] : 0.0f;
        }
        Bs[ty][tx] = b_row < K && col < N ? B[b_row * N + col] : 0.0f;
        __syncthreads();  // the slices are full before anyone reads them

        for (int k = 0; k < TILE; ++k) {
            const float b = Bs[k][tx];
            for (int i = 0; i < TM; ++i) {
                acc[i] += As[ty + i * TILE][k] * b;
            }
        }
        __syncthreads();  // everyone has read the slices before anyone refills them
    }

    for (int i = 0; i < TM; ++i) {
        if (row + i * TILE < M && col < N) {
            C[(row + i * TILE) * N + col] = acc[i];
        }
    }
}

LAUNCH_CONFIG(matmul_coarsened, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, BM));
}
