// expect: pass  (restrict pointers moved to the block, size_t indices, unsigned counters)
#include "matmul.cuh"

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    const float *__restrict__ a = A + (size_t)blockIdx.y * 16 * K;
    const float *__restrict__ b = B + (size_t)blockIdx.x * 16;
    float *__restrict__ c = C + ((size_t)blockIdx.y * N + blockIdx.x) * 16;
    const unsigned rows = min(16u, M - blockIdx.y * 16u);
    const unsigned cols = min(16u, N - blockIdx.x * 16u);
    __shared__ float As[16][16];
    __shared__ float Bs[16][16];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    float acc = 0.0f;
    for (unsigned left = K; left > 0; left -= min(left, 16u)) {
        As[y][x] = y < rows && x < left ? a[(size_t)y * K + x] : 0.0f;
        Bs[y][x] = y < left && x < cols ? b[(size_t)y * N + x] : 0.0f;
        __syncthreads();
        for (unsigned k = 0; k < 16; ++k) {
            acc += As[y][k] * Bs[k][x];
        }
        __syncthreads();
        a += 16;
        b += 16 * (size_t)N;
    }
    if (y < rows && x < cols) {
        c[(size_t)y * N + x] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
