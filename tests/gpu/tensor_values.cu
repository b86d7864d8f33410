// Prints, for each case of tensor_cases.h, a hash of the bits of all products of this GPU's tensor
// cores, and for each fragment a hash of the places of its elements; with a file's name, it also
// writes the bits there, by which a difference can be found.
//
//   nvcc -std=c++17 -arch=sm_80 -I grader/include -I tests/gpu tests/gpu/tensor_values.cu \
//       -o tensor_values && ./tensor_values
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <type_traits>

#include "ptx.cuh"
#include "tensor_cases.h"

using namespace nvcuda;

template <int TYPE> struct of;
template <> struct of<T_HALF> { typedef half name; typedef half stored; };
template <> struct of<T_BF16> { typedef __nv_bfloat16 name; typedef __nv_bfloat16 stored; };
template <> struct of<T_TF32> { typedef wmma::precision::tf32 name; typedef float stored; };
template <> struct of<T_S8> { typedef signed char name; typedef signed char stored; };
template <> struct of<T_U8> { typedef unsigned char name; typedef unsigned char stored; };
template <> struct of<T_FLOAT> { typedef float name; typedef float stored; };
template <> struct of<T_INT> { typedef int name; typedef int stored; };

static void check(cudaError_t error) {
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

// One warp, one block, for each product.
template <int M, int N, int K, int F, int C, int D>
__global__ void multiply(const typename of<F>::stored *a, const typename of<F>::stored *b,
                         const typename of<C>::stored *c, typename of<D>::stored *d) {
    wmma::fragment<wmma::matrix_a, M, N, K, typename of<F>::name, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, typename of<F>::name, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, M, N, K, typename of<C>::name> fc;
    wmma::fragment<wmma::accumulator, M, N, K, typename of<D>::name> fd;
    wmma::load_matrix_sync(fa, a + blockIdx.x * M * K, K);
    wmma::load_matrix_sync(fb, b + blockIdx.x * K * N, N);
    wmma::load_matrix_sync(fc, c + blockIdx.x * M * N, N, wmma::mem_row_major);
    wmma::mma_sync(fd, fa, fb, fc);
    wmma::store_matrix_sync(d + blockIdx.x * M * N, fd, N, wmma::mem_row_major);
}

#define MMA(name, m, n, k, f, c, d)                                                                \
    template <> struct instruction<m, n, k, f, c, d> {                                             \
        template <class SUM, int S, int A, int B>                                                  \
        static __device__ void call(SUM (&sums)[S], unsigned (&a)[A], unsigned (&b)[B]) {          \
            ptx::name(sums, a, b, sums);                                                           \
        }                                                                                          \
    };
template <int M, int N, int K, int F, int C, int D> struct instruction;
MMA(mma_m16n8k16_f16, 16, 8, 16, T_HALF, T_FLOAT, T_FLOAT)
MMA(mma_m16n8k16_f16, 16, 8, 16, T_HALF, T_HALF, T_HALF)
MMA(mma_m16n8k8_f16, 16, 8, 8, T_HALF, T_FLOAT, T_FLOAT)
MMA(mma_m16n8k8_f16, 16, 8, 8, T_HALF, T_HALF, T_HALF)
MMA(mma_m16n8k16_bf16, 16, 8, 16, T_BF16, T_FLOAT, T_FLOAT)
MMA(mma_m16n8k8_bf16, 16, 8, 8, T_BF16, T_FLOAT, T_FLOAT)
MMA(mma_m16n8k8_tf32, 16, 8, 8, T_TF32, T_FLOAT, T_FLOAT)
MMA(mma_m16n8k4_tf32, 16, 8, 4, T_TF32, T_FLOAT, T_FLOAT)
MMA(mma_m16n8k32_s8, 16, 8, 32, T_S8, T_INT, T_INT)
MMA(mma_m16n8k16_s8, 16, 8, 16, T_S8, T_INT, T_INT)
MMA(mma_m16n8k32_u8, 16, 8, 32, T_U8, T_INT, T_INT)
MMA(mma_m16n8k16_u8, 16, 8, 16, T_U8, T_INT, T_INT)

// The same by mma.sync, with fragments as ptx.cuh describes them.
template <int K, int F, int C, int D>
__global__ void multiply_registers(const typename of<F>::stored *a, const typename of<F>::stored *b,
                                   const typename of<C>::stored *c, typename of<D>::stored *d) {
    constexpr int each = 4 / sizeof *a, count = K / each / 2, sums = 4 * sizeof *c / 4;
    unsigned fa[count] = {}, fb[count / 2] = {};
    typename std::conditional<sizeof *c == 4, typename of<C>::stored, unsigned>::type fc[sums];
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    for (int i = 0; i < count * each; i++) {
        int k = t * each + i % each + i / each / 2 * (each * 4);
        memcpy((char *)fa + i * sizeof *a,
               &a[(blockIdx.x * 16 + g + i / each % 2 * 8) * K + k], sizeof *a);
    }
    for (int i = 0; i < count / 2 * each; i++) {
        int k = t * each + i % each + i / each * (each * 4);
        memcpy((char *)fb + i * sizeof *b, &b[(blockIdx.x * K + k) * 8 + g], sizeof *b);
    }
    for (int i = 0; i < 4; i++) {
        memcpy((char *)fc + i * sizeof *c,
               &c[(blockIdx.x * 16 + g + i / 2 * 8) * 8 + t * 2 + i % 2], sizeof *c);
    }
    instruction<16, 8, K, F, C, D>::call(fc, fa, fb);
    for (int i = 0; i < 4; i++) {
        memcpy(&d[(blockIdx.x * 16 + g + i / 2 * 8) * 8 + t * 2 + i % 2],
               (char *)fc + i * sizeof *d, sizeof *d);
    }
}

// Inputs as an array on the device, from bits.
template <int TYPE> static void *inputs(int number, int matrix, int elements) {
    typedef typename of<TYPE>::stored stored;
    size_t count = (size_t)elements * TENSOR_PRODUCTS;
    stored *host = (stored *)calloc(count, sizeof *host);
    void *device;
    for (int product = 0; product < TENSOR_PRODUCTS; product++) {
        for (int i = 0; i < elements; i++) {
            uint32_t bits = tensor_input(number, product, matrix, i, TYPE);
            memcpy(&host[product * elements + i], &bits, sizeof *host);
        }
    }
    check(cudaMalloc(&device, count * sizeof *host));
    check(cudaMemcpy(device, host, count * sizeof *host, cudaMemcpyHostToDevice));
    free(host);
    return device;
}

template <int M, int N, int K, int F, int C, int D> static void measure(int number, FILE *file) {
    typedef typename of<D>::stored stored;
    const size_t count = (size_t)TENSOR_PRODUCTS * M * N;
    void *a = inputs<F>(number, 0, M * K);
    void *b = inputs<F>(number, 1, K * N);
    void *c = inputs<C>(number, 2, M * N);
    stored *d;
    stored *host = (stored *)malloc(count * sizeof *host);
    uint64_t hash = TENSOR_HASH_START;
    check(cudaMalloc(&d, count * sizeof *d));
    const auto *fa = (typename of<F>::stored *)a, *fb = (typename of<F>::stored *)b;
    const auto *fc = (typename of<C>::stored *)c;
    if constexpr (M == 16 && N == 8) {
        multiply_registers<K, F, C, D><<<TENSOR_PRODUCTS, 32>>>(fa, fb, fc, d);
    } else {
        multiply<M, N, K, F, C, D><<<TENSOR_PRODUCTS, 32>>>(fa, fb, fc, d);
    }
    check(cudaGetLastError());
    check(cudaMemcpy(host, d, count * sizeof *d, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = 0;
        memcpy(&bits, &host[i], sizeof *host);
        hash = tensor_hash(hash, bits);
        if (file) {
            fwrite(&bits, sizeof bits, 1, file);
        }
    }
    printf("    X(%d, 0x%016llxull) \\\n", number, (unsigned long long)hash);
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d);
    free(host);
}

// The row (0) or the column (1) of each element, as the fragment of a matrix that holds them.
template <class FRAGMENT, class STORED, bool SUM>
__global__ void place(const STORED *from, int length, unsigned short *to) {
    FRAGMENT f;
    if constexpr (SUM) {
        wmma::load_matrix_sync(f, from, length, wmma::mem_row_major);
    } else {
        wmma::load_matrix_sync(f, from, length);
    }
    for (int e = 0; e < f.num_elements; e++) {
        to[threadIdx.x * 16 + e] = (unsigned short)(int)(float)f.x[e];
    }
}

template <class FRAGMENT, class STORED, bool SUM>
static void places(int use, int type, int m, int n, int k, int rows, int columns, FILE *file) {
    unsigned short found[2][512] = {};
    uint64_t hash = TENSOR_HASH_START;
    for (int what = 0; what < 2; what++) {
        STORED host[512];
        STORED *from;
        unsigned short *to;
        for (int i = 0; i < rows * columns; i++) {
            host[i] = (STORED)(float)(what == 0 ? i / columns : i % columns);
        }
        check(cudaMalloc(&from, sizeof host));
        check(cudaMalloc(&to, sizeof found[0]));
        check(cudaMemset(to, 0, sizeof found[0]));
        check(cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice));
        place<FRAGMENT, STORED, SUM><<<1, 32>>>(from, columns, to);
        check(cudaGetLastError());
        check(cudaMemcpy(found[what], to, sizeof found[0], cudaMemcpyDeviceToHost));
        cudaFree(from), cudaFree(to);
    }
    for (int i = 0; i < 512; i++) {
        uint32_t word = found[0][i] * 64u + found[1][i];
        hash = tensor_hash(hash, word);
        if (file) {
            fwrite(&word, sizeof word, 1, file);
        }
    }
    printf("    X(%d, %d, %d, %d, %d, 0x%016llxull) \\\n", use, type, m, n, k,
           (unsigned long long)hash);
}

template <int M, int N, int K, int F> static void factor_places(FILE *file) {
    typedef typename of<F>::name name;
    typedef typename of<F>::stored stored;
    places<wmma::fragment<wmma::matrix_a, M, N, K, name, wmma::row_major>, stored, false>(
        0, F, M, N, K, M, K, file);
    places<wmma::fragment<wmma::matrix_b, M, N, K, name, wmma::row_major>, stored, false>(
        1, F, M, N, K, K, N, file);
}

template <int M, int N, int K, int C> static void sum_places(FILE *file) {
    typedef typename of<C>::stored stored;
    places<wmma::fragment<wmma::accumulator, M, N, K, stored>, stored, true>(2, C, M, N, K, M, N,
                                                                             file);
}

int main(int count, char **words) {
    FILE *file = count > 1 ? fopen(words[1], "wb") : NULL;
    cudaDeviceProp card;
    check(cudaGetDeviceProperties(&card, 0));
    printf("// %s\n#define TENSOR_VALUES(X) \\\n", card.name);
#define MEASURE(number, m, n, k, f, c, d) measure<m, n, k, f, c, d>(number, file);
    TENSOR_CASES(MEASURE)
    TENSOR_MMA_CASES(MEASURE)
    printf("\n#define TENSOR_PLACES(X) \\\n");
#define SHAPES(what, type) \
    what<16, 16, 16, type>(file); \
    what<32, 8, 16, type>(file); \
    what<8, 32, 16, type>(file);
    SHAPES(factor_places, T_HALF)
    SHAPES(factor_places, T_BF16)
    SHAPES(factor_places, T_S8)
    SHAPES(factor_places, T_U8)
    factor_places<16, 16, 8, T_TF32>(file);
    SHAPES(sum_places, T_FLOAT)
    SHAPES(sum_places, T_HALF)
    SHAPES(sum_places, T_INT)
    printf("\n");
    if (file) {
        fclose(file);
    }
    return 0;
}
