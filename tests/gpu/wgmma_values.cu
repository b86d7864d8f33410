// Says for each case of wgmma_cases.h whether this card's bits are those of the CPU device; with a
// file's name, it also writes the bits there, by which a difference can be found.
//
//   nvcc -std=c++17 -gencode arch=compute_90a,code=sm_90a -I grader/include -I tests/gpu \
//       tests/gpu/wgmma_values.cu -o wgmma_values && ./wgmma_values
#include <stdio.h>
#include <stdlib.h>

#include "ptx.cuh"
#include "wgmma_cases.h"

static void check(cudaError_t error) {
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

// Puts a factor into shared memory, in pieces of 8 rows of 16 bytes.
template <int K> __device__ void put(unsigned char *to, const unsigned *from, int rows) {
    const int bytes = 32 / K;
    for (int i = threadIdx.x; i < rows * K; i += blockDim.x) {
        int row = i / K, at = i % K * bytes;
        unsigned char *place = to + row / 8 * 256 + at / 16 * 128 + row % 8 * 16 + at % 16;
        if (bytes == 4) {
            *(unsigned *)place = from[i];
        } else {
            *(unsigned short *)place = (unsigned short)from[i];
        }
    }
}

// One block for each product; everything in words.
template <int K, int TYPE>
__global__ void multiply(const unsigned *a, const unsigned *b, const unsigned *c, unsigned *d) {
    __shared__ __align__(128) unsigned char as[64 * 32], bs[WGMMA_N * 32];
    float sums[WGMMA_N / 2];
    put<K>(as, a + blockIdx.x * 64 * K, 64);
    put<K>(bs, b + blockIdx.x * WGMMA_N * K, WGMMA_N);
    int first = (blockIdx.x * 64 + threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4) * WGMMA_N +
                threadIdx.x % 4 * 2;
    for (int i = 0; i < WGMMA_N / 2; i++) {
        sums[i] = __uint_as_float(c[first + i / 2 % 2 * 8 * WGMMA_N + i / 4 * 8 + i % 2]);
    }
    ptx::fence_proxy_async();
    __syncthreads();
    unsigned long long from_a = ptx::wgmma_descriptor(as, 128, 256, 0);
    unsigned long long from_b = ptx::wgmma_descriptor(bs, 128, 256, 0);
    ptx::wgmma_fence();
    if constexpr (TYPE == T_HALF) {
        ptx::wgmma_m64n16k16_f16(sums, from_a, from_b, 1);
    } else if constexpr (TYPE == T_BF16) {
        ptx::wgmma_m64n16k16_bf16(sums, from_a, from_b, 1);
    } else {
        ptx::wgmma_m64n16k8_tf32(sums, from_a, from_b, 1);
    }
    ptx::wgmma_commit_group();
    ptx::wgmma_wait_group<0>();
    for (int i = 0; i < WGMMA_N / 2; i++) {
        d[first + i / 2 % 2 * 8 * WGMMA_N + i / 4 * 8 + i % 2] = __float_as_uint(sums[i]);
    }
}

static unsigned *inputs(int number, int matrix, int elements, int type) {
    size_t bytes = (size_t)elements * TENSOR_PRODUCTS * sizeof(unsigned);
    unsigned *host = (unsigned *)malloc(bytes), *device;
    for (int i = 0; i < elements * TENSOR_PRODUCTS; i++) {
        host[i] = tensor_input(number, i / elements, matrix, i % elements, type);
    }
    check(cudaMalloc(&device, bytes));
    check(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
    free(host);
    return device;
}

// Returns whether they are the same.
template <int K, int TYPE> static bool measure(int number, uint64_t expected, FILE *file) {
    const size_t count = (size_t)TENSOR_PRODUCTS * 64 * WGMMA_N;
    unsigned *host = (unsigned *)malloc(count * sizeof *host), *d;
    uint64_t hash = TENSOR_HASH_START;
    check(cudaMalloc(&d, count * sizeof *d));
    multiply<K, TYPE><<<TENSOR_PRODUCTS, 128>>>(
        inputs(number, 0, 64 * K, TYPE), inputs(number, 1, WGMMA_N * K, TYPE),
        inputs(number, 2, 64 * WGMMA_N, T_FLOAT), d);
    check(cudaGetLastError());
    check(cudaMemcpy(host, d, count * sizeof *d, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < count; i++) {
        hash = tensor_hash(hash, host[i]);
    }
    if (file) {
        fwrite(host, sizeof *host, count, file);
    }
    printf("%d: 0x%016llxull, %s\n", number, (unsigned long long)hash,
           hash == expected ? "the same" : "other bits than those of the CPU device");
    free(host);
    return hash == expected;
}

int main(int count, char **words) {
    FILE *file = count > 1 ? fopen(words[1], "wb") : NULL;
    bool same = true;
    cudaDeviceProp card;
    check(cudaGetDeviceProperties(&card, 0));
    printf("%s\n", card.name);
#define MEASURE(number, k, type, hash) same &= measure<k, type>(number, hash, file);
    WGMMA_CASES(MEASURE)
    if (file) {
        fclose(file);
    }
    return same ? 0 : 1;
}
