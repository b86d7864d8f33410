// expect: pass  (static shared memory in a template function, used with two sizes)
#include "matmul.cuh"

// The tile is D deep.
template <int D>
static __device__ void run(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[16][D];
    __shared__ float Bs[D][16];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty;
    const int col = blockIdx.x * 16 + tx;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += D) {
        if (tx < D) {
            As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
        }
        if (ty < D) {
            Bs[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < D; ++k) {
            acc += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    if (K > 8) {
        run<16>(A, B, C, M, N, K);
    } else {
        run<8>(A, B, C, M, N, K);
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
