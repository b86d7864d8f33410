// expect: race 19 22  (float4 by value, the first barrier is missing)
#include "matmul.cuh"

static __device__ float dot(float4 a, float4 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float4 As[16][4];
    __shared__ float4 Bs[16][4];  // a column of B is a row here
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty;
    const int col = blockIdx.x * 16 + tx;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += 16) {
        float *a = &As[ty][tx / 4].x + tx % 4;
        float *b = &Bs[tx][ty / 4].x + ty % 4;
        *a = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
        *b = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
        for (int q = 0; q < 4; ++q) {
            acc += dot(As[ty][q], Bs[tx][q]);
        }
        __syncthreads();  // second
    }
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
