// expect: pass  (a template on the tile; the tiles of A and B begin at indices that grow by a step)
#include "matmul.cuh"

template <int TILE>
__device__ void product(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    const int a_first = blockIdx.y * TILE * K;
    const int a_last = a_first + K - 1;
    const int b_step = TILE * N;
    float acc = 0.0f;

    for (int a = a_first, b = blockIdx.x * TILE; a <= a_last; a += TILE, b += b_step) {
        __shared__ float As[TILE][TILE];
        __shared__ float Bs[TILE][TILE];
        const int k = a - a_first;
        As[ty][tx] = row < M && k + tx < K ? A[a + K * ty + tx] : 0.0f;
        Bs[ty][tx] = k + ty < K && col < N ? B[b + N * ty + tx] : 0.0f;
        __syncthreads();  // the tiles are full
        #pragma unroll
        for (int i = 0; i < TILE; ++i) {
            acc += As[ty][i] * Bs[i][tx];
        }
        __syncthreads();  // the tiles are read
    }
    if (row < M && col < N) {
        C[N * TILE * blockIdx.y + TILE * blockIdx.x + N * ty + tx] = acc;
    }
}

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (blockDim.x == 32) {
        product<32>(A, B, C, M, N, K);
    } else {
        product<16>(A, B, C, M, N, K);
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K)
{
    const int tile = M > 64 ? 32 : 16;
    launch->block = dim3(tile, tile);
    launch->grid = dim3(ceil_div(N, tile), ceil_div(M, tile));
}
