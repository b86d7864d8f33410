// expect: pass  (float4 groups of As in exchanged places)
#include "matmul.cuh"

// Four neighbours of a row; 0 outside.
static __device__ float4 four(const float *m, int rows, int cols, int r, int c) {
    float v[4] = {};
    for (int i = 0; i < 4; ++i) {
        if (r < rows && c + i < cols) {
            v[i] = m[r * cols + c + i];
        }
    }
    return make_float4(v[0], v[1], v[2], v[3]);
}

__global__ void matmul_register_tiled(const float *A, const float *B, float *C, int M, int N,
                                      int K) {
    __shared__ float4 As[64][4];
    __shared__ float4 Bs[16][16];
    const int tid = threadIdx.y * 16 + threadIdx.x;
    const int row0 = blockIdx.y * 64;
    const int col0 = blockIdx.x * 64;
    float acc[4][4] = {};
    for (int k0 = 0; k0 < K; k0 += 16) {
        const int r = tid / 4;
        const int q = tid % 4;
        As[r][q ^ (r / 4 % 4)] = four(A, M, K, row0 + r, k0 + q * 4);
        Bs[tid / 16][tid % 16] = four(B, K, N, k0 + tid / 16, col0 + tid % 16 * 4);
        __syncthreads();
        for (int g = 0; g < 4; ++g) {
            float4 a[4];
            for (int i = 0; i < 4; ++i) {
                const int ar = threadIdx.y * 4 + i;
                a[i] = As[ar][g ^ (ar / 4 % 4)];
            }
            for (int k = 0; k < 4; ++k) {
                const float4 b = Bs[g * 4 + k][threadIdx.x];
                for (int i = 0; i < 4; ++i) {
                    const float av = (&a[i].x)[k];
                    acc[i][0] += av * b.x;
                    acc[i][1] += av * b.y;
                    acc[i][2] += av * b.z;
                    acc[i][3] += av * b.w;
                }
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            const int row = row0 + threadIdx.y * 4 + i;
            const int col = col0 + threadIdx.x * 4 + j;
            if (row < M && col < N) {
                C[row * N + col] = acc[i][j];
            }
        }
    }
}

LAUNCH_CONFIG(matmul_register_tiled, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 64), ceil_div(M, 64));
}
