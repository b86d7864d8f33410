// expect: race 17 19  (rows of a tile are copied as structs, and the barrier before is missing)
#include "matmul.cuh"

struct Line {
    float v[16];
};

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ Line As[16];
    __shared__ Line Bs[16];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty;
    const int col = blockIdx.x * 16 + tx;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += 16) {
        As[ty].v[tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
        Bs[tx].v[ty] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
        const Line a = As[ty];
        const Line b = Bs[tx];
        __syncthreads();
        for (int k = 0; k < 16; ++k) {
            acc += a.v[k] * b.v[k];
        }
    }
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
