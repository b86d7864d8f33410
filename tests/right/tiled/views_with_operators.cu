// expect: pass  (a view with operators, passed to a template by value)
#include "matmul.cuh"

struct View {
    const float *data;
    int rows;
    int cols;

    __device__ float operator()(int r, int c) const {
        return r < rows && c < cols ? data[r * cols + c] : 0.0f;
    }
};

template <int T> struct Tile {
    float cell[T][T];

    __device__ float &operator()(int r, int c) {
        return cell[r][c];
    }

    __device__ void fill(View from, int r0, int c0) {
        (*this)(threadIdx.y, threadIdx.x) = from(r0 + threadIdx.y, c0 + threadIdx.x);
    }
};

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ Tile<16> a;
    __shared__ Tile<16> b;
    const View left = {A, M, K};
    const View right = {B, K, N};
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += 16) {
        a.fill(left, blockIdx.y * 16, k0);
        b.fill(right, k0, blockIdx.x * 16);
        __syncthreads();
        for (int k = 0; k < 16; ++k) {
            acc += a(threadIdx.y, k) * b(k, threadIdx.x);
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
