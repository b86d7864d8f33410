// expect: pass  (the 16 elements of a thread lie 16 apart, not side by side)
#include "matmul.cuh"

#define EDGE 64             // of the block of C
#define BK   16             // depth of a slice
#define SIDE 16             // threads along an edge
#define EACH (EDGE / SIDE)  // elements of a thread along an edge

__global__ void matmul_register_tiled(const float *A, const float *B, float *C, int M, int N,
                                      int K) {
    __shared__ float As[EDGE][BK];
    __shared__ float Bs[BK][EDGE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * EDGE + ty;
    const int col = blockIdx.x * EDGE + tx;

    float acc[EACH][EACH] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = 0; i < EACH; ++i) {
            const int r = row + i * SIDE;
            const int c = col + i * SIDE;
            As[ty + i * SIDE][tx] = r < M && k0 + tx < K ? A[r * K + k0 + tx] : 0.0f;
            Bs[ty][tx + i * SIDE] = k0 + ty < K && c < N ? B[(k0 + ty) * N + c] : 0.0f;
        }
        __syncthreads();  // the slices are full before anyone reads them

        for (int k = 0; k < BK; ++k) {
            for (int i = 0; i < EACH; ++i) {
                const float a = As[ty + i * SIDE][k];
                for (int j = 0; j < EACH; ++j) {
                    acc[i][j] += a * Bs[k][tx + j * SIDE];
                }
            }
        }
        __syncthreads();  // everyone has read the slices before anyone refills them
    }

    for (int i = 0; i < EACH; ++i) {
        for (int j = 0; j < EACH; ++j) {
            const int r = row + i * SIDE;
            const int c = col + j * SIDE;
            if (r < M && c < N) {
                C[r * N + c] = acc[i][j];
            }
        }
    }
}

LAUNCH_CONFIG(matmul_register_tiled, M, N, K) {
    launch->block = dim3(SIDE, SIDE);
    launch->grid = dim3(ceil_div(N, EDGE), ceil_div(M, EDGE));
}
