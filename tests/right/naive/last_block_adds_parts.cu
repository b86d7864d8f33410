// expect: pass  (for each tile, the block that is done last adds the parts of all)
#include "matmul.cuh"

#define TILE  16
#define PARTS 4

__global__ void clear_tickets(const float *A, const float *B, float *C, int M, int N, int K,
                              float *workspace)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < ceil_div(M, TILE) * ceil_div(N, TILE)) {
        ((unsigned int *)workspace)[i] = 0;
    }
}

__global__ void parts(const float *A, const float *B, float *C, int M, int N, int K,
                      float *workspace)
{
    __shared__ bool last;
    unsigned int *tickets = (unsigned int *)workspace;
    float *sums = workspace + ceil_div(M, TILE) * ceil_div(N, TILE);
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = blockIdx.z; k < K; k += gridDim.z) {
            acc += A[row * K + k] * B[k * N + col];
        }
        sums[(blockIdx.z * M + row) * N + col] = acc;
    }
    __syncthreads();  // all sums of the block are there
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        __threadfence();  // … for other blocks too
        const unsigned int most = gridDim.z - 1;
        last = atomicInc(&tickets[blockIdx.y * gridDim.x + blockIdx.x], most) == most;
        __threadfence();  // the sums of others are read after the ticket
    }
    __syncthreads();  // everyone knows whether this block is the last
    if (last && row < M && col < N) {
        float acc = 0.0f;
        for (int part = 0; part < gridDim.z; ++part) {
            acc += sums[(part * M + row) * N + col];
        }
        C[row * N + col] = acc;
    }
}

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    const int tiles = ceil_div(M, TILE) * ceil_div(N, TILE);
    const int parts_of_tile = M * N > 1 << 22 ? 1 : PARTS;  // the workspace has 128 MiB
    launch->workspace_bytes = sizeof(float) * (tiles + parts_of_tile * M * N);
    LAUNCH(clear_tickets, dim3(ceil_div(tiles, 256)), dim3(256));
    LAUNCH(parts, dim3(ceil_div(N, TILE), ceil_div(M, TILE), parts_of_tile), dim3(TILE, TILE));
}
