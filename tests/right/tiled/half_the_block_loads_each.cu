// expect: pass  (a thread that looks at its role after each barrier)
#include "matmul.cuh"

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[1][16][16];
    __shared__ float Bs[1][16][16];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty % 16;
    const int col = blockIdx.x * 16 + tx;
    float acc = 0.0f;
    int role = ty < 16 ? 0 : 1;
    for (int k0 = 0; k0 < K; k0 += 16) {
        if (role == 0) {
            As[0][ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
        } else {
            Bs[0][ty - 16][tx] = k0 + ty - 16 < K && col < N ? B[(k0 + ty - 16) * N + col] : 0.0f;
        }
        __syncthreads();
        if (role == 0) {
            for (int k = 0; k < 16; ++k) {
                acc += As[0][ty][k] * Bs[0][k][tx];
            }
        }
        __syncthreads();
    }
    if (role == 0 && row < M && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(16, 32);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
