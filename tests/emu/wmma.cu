// Fragments are loaded and stored as they are in memory, in rows and in columns, in all shapes.
// row: `<mma.h>`: `wmma` with factors of `half`, bfloat16, TF32 and 8 bits
// launch: 8x8x8
#include <assert.h>
#include <mma.h>
#include "matmul.cuh"

using namespace nvcuda;

#define EDGE 40  // elements of a row or column in memory: no matrix is so long

// Each element of the matrix is held by some lane, with its value; nothing else is.
template <class FRAGMENT, class T>
__device__ void factor(T *memory, int lines, int length)
{
    FRAGMENT fragment;
    int found = 0;
    int wanted = 0;
    for (int i = threadIdx.x; i < 32 * EDGE; i += 32) {
        memory[i] = (T)(float)(i % EDGE < length && i / EDGE < lines ? 1 + (i / EDGE * 3 + i) % 7
                                                                     : 99);
    }
    __syncwarp();
    wmma::load_matrix_sync(fragment, memory, EDGE);
    for (int e = 0; e < fragment.num_elements; e++) {
        assert((float)fragment.x[e] != 99.0f);
        found += (int)(float)fragment.x[e];
    }
    for (int i = threadIdx.x; i < lines * length; i += 32) {
        wanted += (int)(float)memory[i / length * EDGE + i % length];
    }
    found = __reduce_add_sync(0xffffffffu, found);
    wanted = __reduce_add_sync(0xffffffffu, wanted);
    int copies = fragment.num_elements * 32 / (lines * length);
    assert(found == copies * wanted);
    __syncwarp();
}

// What is stored by rows and loaded by columns is the other matrix.
template <int M, int N, int K, class T>
__device__ void sums(T *memory)
{
    wmma::fragment<wmma::accumulator, M, N, K, T> from, to;
    for (int i = threadIdx.x; i < 32 * EDGE; i += 32) {
        memory[i] = (T)(float)(i % 101);
    }
    __syncwarp();
    wmma::load_matrix_sync(from, memory, EDGE, wmma::mem_row_major);
    __syncwarp();
    wmma::store_matrix_sync(memory, from, EDGE, wmma::mem_col_major);
    __syncwarp();
    wmma::load_matrix_sync(to, memory, EDGE, wmma::mem_col_major);
    for (int i = threadIdx.x; i < M * N; i += 32) {
        assert((float)memory[i % N * EDGE + i / N] == (float)((i / N * EDGE + i % N) % 101));
    }
    for (int e = 0; e < from.num_elements; e++) {
        assert(from.x[e] == to.x[e]);
    }
    __syncwarp();
}

template <int M, int N, int K, class T, class STORED>
__device__ void factors(STORED *memory)
{
    factor<wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major>>(memory, M, K);
    factor<wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::col_major>>(memory, K, M);
    factor<wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::row_major>>(memory, K, N);
    factor<wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::col_major>>(memory, N, K);
}

template <class T>
__device__ void shapes(T *memory)
{
    factors<16, 16, 16, T>(memory);
    factors<32, 8, 16, T>(memory);
    factors<8, 32, 16, T>(memory);
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(32) float floats[32 * EDGE];
    __shared__ __align__(32) int ints[32 * EDGE];
    __shared__ __align__(32) half halves[32 * EDGE];
    __shared__ __align__(32) nv_bfloat16 bfloats[32 * EDGE];
    __shared__ __align__(32) signed char chars[32 * 48];
    shapes(halves);
    shapes(bfloats);
    factors<16, 16, 8, wmma::precision::tf32>(floats);
    sums<16, 16, 16>(floats);
    sums<16, 16, 8>(floats);
    sums<32, 8, 16>(floats);
    sums<8, 32, 16>(halves);
    sums<16, 16, 16>(halves);
    sums<8, 32, 16>(ints);
    chars[threadIdx.x] = 0;
    // To the nearest of 11 digits; of two, the one farther from 0.
    assert(wmma::__float_to_tf32(1.00048828125f) == 1.0009765625f);
    assert(wmma::__float_to_tf32(-1.000244140625f) == -1.0f);
    if (threadIdx.x < 8) {
        for (int row = 0; row < 8; row++) {
            C[row * N + threadIdx.x] = 0.0f;
        }
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
