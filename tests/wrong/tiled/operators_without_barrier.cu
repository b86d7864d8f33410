// expect: race 32 36  (operators by value, the second barrier is missing)
#include "matmul.cuh"

// A number in two parts, so that no rounding is lost.
struct Num {
    float hi, lo;
};

static __device__ Num num(float x) {
    return Num{x, 0.0f};
}

static __device__ Num operator+(Num a, Num b) {
    const float s = a.hi + b.hi;
    const float v = s - a.hi;
    return Num{s, (a.hi - (s - v)) + (b.hi - v) + a.lo + b.lo};
}

static __device__ Num operator*(Num a, Num b) {
    return Num{a.hi * b.hi, fmaf(a.hi, b.hi, -(a.hi * b.hi))};
}

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ Num As[16][16];
    __shared__ Num Bs[16][16];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty;
    const int col = blockIdx.x * 16 + tx;
    Num acc = num(0.0f);
    for (int k0 = 0; k0 < K; k0 += 16) {
        As[ty][tx] = num(row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f);
        Bs[ty][tx] = num(k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f);
        __syncthreads();
        for (int k = 0; k < 16; ++k) {
            acc = acc + As[ty][k] * Bs[k][tx];
        }
    }
    if (row < M && col < N) {
        C[row * N + col] = acc.hi + acc.lo;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
