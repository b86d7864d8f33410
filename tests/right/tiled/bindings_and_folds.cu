// expect: pass  (structured bindings, if constexpr, fold expressions, enum class, alignas)
#include "matmul.cuh"

struct Here {
    int x, y;
};

static __device__ Here here() {
    return {static_cast<int>(threadIdx.x), static_cast<int>(threadIdx.y)};
}

enum class Way { FMA, PLAIN };

template <Way way> __device__ constexpr float add(float sum, float a, float b) {
    if constexpr (way == Way::FMA) {
        return fmaf(a, b, sum);
    } else {
        return sum + a * b;
    }
}

template <typename... T> __device__ bool all(T... each) {
    return (each && ...);
}

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    alignas(16) __shared__ float As[16][16];
    __shared__ float Bs[16][16];
    const auto [tx, ty] = here();
    const int row = blockIdx.y * 16 + ty;
    const int col = blockIdx.x * 16 + tx;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += 16) {
        As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
        Bs[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; ++k) {
            acc = add<Way::FMA>(acc, As[ty][k], Bs[k][tx]);
        }
        __syncthreads();
    }
    if (all(row < M, col < N, row >= 0)) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
