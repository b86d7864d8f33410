// expect: pass  (objects made on the device, called through their base)
#include "matmul.cuh"

#define TILE 16

struct Loader {
    __device__ virtual float load(int row, int col) const = 0;
};

struct Whole : Loader {
    const float *from;
    int rows, cols;
    __device__ Whole(const float *from, int rows, int cols) : from(from), rows(rows), cols(cols) {}
    __device__ float load(int row, int col) const override
    {
        return row < rows && col < cols ? from[row * cols + col] : 0.0f;
    }
};

struct Inverse : Whole {
    __device__ Inverse(const float *from, int rows, int cols) : Whole(from, rows, cols) {}
    __device__ float load(int row, int col) const final { return -Whole::load(row, col); }
};

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    const Whole a(A, M, K);
    const Inverse b(B, K, N);
    const Loader *loaders[2] = {&a, &b};
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;

    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        As[threadIdx.y][threadIdx.x] = loaders[0]->load(row, k0 + threadIdx.x);
        Bs[threadIdx.y][threadIdx.x] = -loaders[1]->load(k0 + threadIdx.y, col);
        __syncthreads();  // the tiles are full before anyone reads them
        for (int k = 0; k < TILE; k++) {
            acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        }
        __syncthreads();  // nobody reads the tiles any more
    }
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K)
{
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}
