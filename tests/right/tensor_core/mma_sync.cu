// The same in PTX: copies in the background, ldmatrix for A, and mma.sync on registers.
#include "matmul.cuh"
#include "ptx.cuh"

#define BLOCK   64   // edge of the block of C; each of 4 warps computes 32 x 32 of it
#define THREADS 128  // 4 warps
#define DEPTH   32   // terms that are in shared memory at a time, twice
#define PIECES  2    // of 16 rows and …
#define STRIPS  4    // … of 8 columns that a warp computes
#define TERMS   8    // of one mma

// Starts the copies of both tiles from column or row k0 on; what lies outside is 0.
__device__ void tiles_copy(float (*As)[DEPTH + 4], float (*Bs)[BLOCK + 8], const float *A,
                           const float *B, int M, int N, int K, int k0)
{
    for (int i = threadIdx.x; i < BLOCK * DEPTH; i += THREADS) {
        int row = blockIdx.y * BLOCK + i / DEPTH, k = k0 + i % DEPTH;
        bool inside = row < M && k < K;
        ptx::cp_async_ca_4(&As[i / DEPTH][i % DEPTH], inside ? &A[row * K + k] : A, inside ? 4 : 0);
    }
    for (int i = threadIdx.x; i < DEPTH * BLOCK; i += THREADS) {
        int k = k0 + i / BLOCK, column = blockIdx.x * BLOCK + i % BLOCK;
        bool inside = k < K && column < N;
        ptx::cp_async_ca_4(&Bs[i / BLOCK][i % BLOCK], inside ? &B[k * N + column] : B,
                           inside ? 4 : 0);
    }
    ptx::cp_async_commit_group();
}

__global__ void __launch_bounds__(THREADS)
    matmul_tensor_core(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) float As[2][BLOCK][DEPTH + 4];
    __shared__ __align__(16) float Bs[2][DEPTH][BLOCK + 8];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row0 = warp / 2 * 32, column0 = warp % 2 * 32;
    float acc[PIECES][STRIPS][4] = {};

    tiles_copy(As[0], Bs[0], A, B, M, N, K, 0);
    for (int k0 = 0, now = 0; k0 < K; k0 += DEPTH, now ^= 1) {
        if (k0 + DEPTH < K) {
            tiles_copy(As[now ^ 1], Bs[now ^ 1], A, B, M, N, K, k0 + DEPTH);
        } else {
            ptx::cp_async_commit_group();  // an empty one, so that the wait is the same
        }
        ptx::cp_async_wait_group<1>();
        __syncthreads();  // the tiles are full
#pragma unroll
        for (int k = 0; k < DEPTH; k += TERMS) {
            unsigned a[PIECES][4], b[STRIPS][2];
#pragma unroll
            for (int i = 0; i < PIECES; i++) {
                // Matrices of 8 rows of 4 floats: rows 0 and 8 of columns k, then of k + 4.
                ptx::ldmatrix_x4(a[i], &As[now][row0 + i * 16 + lane % 16][k + lane / 16 * 4]);
#pragma unroll
                for (int e = 0; e < 4; e++) {
                    a[i][e] = ptx::cvt_rna_tf32(__uint_as_float(a[i][e]));
                }
            }
#pragma unroll
            for (int j = 0; j < STRIPS; j++) {
                int column = column0 + j * 8 + lane / 4;
                b[j][0] = ptx::cvt_rna_tf32(Bs[now][k + lane % 4][column]);
                b[j][1] = ptx::cvt_rna_tf32(Bs[now][k + lane % 4 + 4][column]);
            }
#pragma unroll
            for (int i = 0; i < PIECES; i++) {
#pragma unroll
                for (int j = 0; j < STRIPS; j++) {
                    ptx::mma_m16n8k8_tf32(acc[i][j], a[i], b[j], acc[i][j]);
                }
            }
        }
        __syncthreads();  // all have read the tiles before the next copies fill them
    }

#pragma unroll
    for (int i = 0; i < PIECES; i++) {
#pragma unroll
        for (int j = 0; j < STRIPS; j++) {
#pragma unroll
            for (int e = 0; e < 4; e++) {
                int row = blockIdx.y * BLOCK + row0 + i * 16 + lane / 4 + e / 2 * 8;
                int column = blockIdx.x * BLOCK + column0 + j * 8 + lane % 4 * 2 + e % 2;
                if (row < M && column < N) {
                    C[row * N + column] = acc[i][j][e];
                }
            }
        }
    }
}

LAUNCH_CONFIG(matmul_tensor_core, M, N, K)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(N, BLOCK), ceil_div(M, BLOCK));
}
