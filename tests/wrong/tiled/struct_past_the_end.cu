// expect: out_of_bounds 20  (a struct of 16 floats is read from A in one piece, past the end of the
// last row)
#include "matmul.cuh"

struct Line {
    float v[16];
};

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float Bs[16][16];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty;
    const int col = blockIdx.x * 16 + tx;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += 16) {
        Bs[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        if (row < M) {
            const Line a = *(const Line *)&A[row * K + k0];
            for (int k = 0; k < 16 && k0 + k < K; ++k) {
                acc += a.v[k] * Bs[k][tx];
            }
        }
        __syncthreads();
    }
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
