// Matrices of ldmatrix and fragments of mma.sync are where PTX says, in all shapes.
// row: `ptx.cuh`: `ldmatrix`, `mma.sync` with factors of `half`, bfloat16, TF32 and 8 bits
// launch: 8x8x8
#include <assert.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "matmul.cuh"
#include "ptx.cuh"

// Small whole numbers of both signs, so that every type and every sum holds them.
__device__ int a_of(int row, int k)
{
    return (row * 5 + k * 3) % 7 - 3;
}

__device__ int b_of(int k, int column)
{
    return (k * 2 + column * 3) % 5 - 2;
}

__device__ int c_of(int row, int column)
{
    return row - column;
}

__device__ unsigned bits_of(half x)
{
    return __half_as_ushort(x);
}

__device__ unsigned bits_of(nv_bfloat16 x)
{
    return __bfloat16_as_ushort(x);
}

__device__ unsigned bits_of(float x)
{
    return ptx::cvt_rna_tf32(x);
}

__device__ unsigned bits_of(signed char x)
{
    return (unsigned char)x;
}

// Registers of a lane: `count` of A, of rows g and g+8 and then further along k; half as many of B.
template <class T, int K, int COUNT>
__device__ void factors(unsigned (&a)[COUNT], unsigned (&b)[COUNT / 2])
{
    const int each = 4 / (int)sizeof(T);  // elements of a register
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    for (int i = 0; i < COUNT; i++) {
        a[i] = 0;
        for (int e = 0; e < each; e++) {
            int k = t * each + e + i / 2 * (K * 2 / COUNT);
            a[i] |= bits_of((T)(float)a_of(g + i % 2 * 8, k)) << e * (32 / each);
        }
    }
    for (int i = 0; i < COUNT / 2; i++) {
        b[i] = 0;
        for (int e = 0; e < each; e++) {
            int k = t * each + e + i * (K * 2 / COUNT);
            b[i] |= bits_of((T)(float)b_of(k, g)) << e * (32 / each);
        }
    }
}

__device__ int wanted(int i, int depth)
{
    int row = threadIdx.x / 4 + i / 2 * 8, column = threadIdx.x % 4 * 2 + i % 2;
    int sum = c_of(row, column);
    for (int k = 0; k < depth; k++) {
        sum += a_of(row, k) * b_of(k, column);
    }
    return sum;
}

template <class T>
__device__ void sums(T (&c)[4])
{
    for (int i = 0; i < 4; i++) {
        c[i] = (T)c_of(threadIdx.x / 4 + i / 2 * 8, threadIdx.x % 4 * 2 + i % 2);
    }
}

#define SHAPE(name, factor, sum, depth, count)                                                     \
    {                                                                                              \
        unsigned a[count], b[count / 2];                                                           \
        sum c[4], d[4];                                                                            \
        factors<factor, depth>(a, b);                                                              \
        sums(c);                                                                                   \
        ptx::name(d, a, b, c);                                                                     \
        for (int i = 0; i < 4; i++) {                                                              \
            assert(d[i] == (sum)wanted(i, depth));                             \
        }                                                                                          \
        ptx::name(c, a, b, c);                                                                     \
        assert(c[3] == d[3]);                                                                      \
    }

#define SHAPE_OF_HALVES(name, depth, count)                                                        \
    {                                                                                              \
        unsigned a[count], b[count / 2], d[2];                                                     \
        float c[4];                                                                                \
        factors<half, depth>(a, b);                                                                \
        sums(c);                                                                                   \
        for (int i = 0; i < 2; i++) {                                                              \
            d[i] = bits_of(__float2half(c[i * 2])) | bits_of(__float2half(c[i * 2 + 1])) << 16;    \
        }                                                                                          \
        ptx::name(d, a, b, d);                                                                     \
        for (int i = 0; i < 4; i++) {                                                              \
            unsigned short bits = (unsigned short)(d[i / 2] >> i % 2 * 16);                        \
            assert(__half2float(__ushort_as_half(bits)) == (float)wanted(i, depth));               \
        }                                                                                          \
    }

// The matrices begin 8 rows after each other; columns 8 to 15 are not theirs.
template <int COUNT, bool TRANS>
__device__ void matrices(const unsigned short (*from)[16])
{
    unsigned d[COUNT];
    int lane = threadIdx.x;
    // The other lanes' addresses do not matter.
    const void *row = lane < COUNT * 8 ? &from[lane][0] : nullptr;
    if constexpr (COUNT == 1) {
        TRANS ? ptx::ldmatrix_x1_trans(d, row) : ptx::ldmatrix_x1(d, row);
    } else if constexpr (COUNT == 2) {
        TRANS ? ptx::ldmatrix_x2_trans(d, row) : ptx::ldmatrix_x2(d, row);
    } else {
        TRANS ? ptx::ldmatrix_x4_trans(d, row) : ptx::ldmatrix_x4(d, row);
    }
    for (int i = 0; i < COUNT * 2; i++) {
        int line = lane / 4, at = lane % 4 * 2 + i % 2;
        int wanted = TRANS ? from[i / 2 * 8 + at][line] : from[i / 2 * 8 + line][at];
        assert((d[i / 2] >> i % 2 * 16 & 0xffff) == wanted);
    }
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) unsigned short rows[32][16];
    SHAPE(mma_m16n8k16_f16, half, float, 16, 4)
    SHAPE(mma_m16n8k8_f16, half, float, 8, 2)
    SHAPE(mma_m16n8k16_bf16, nv_bfloat16, float, 16, 4)
    SHAPE(mma_m16n8k8_bf16, nv_bfloat16, float, 8, 2)
    SHAPE(mma_m16n8k8_tf32, float, float, 8, 4)
    SHAPE(mma_m16n8k4_tf32, float, float, 4, 2)
    SHAPE(mma_m16n8k32_s8, signed char, int, 32, 4)
    SHAPE(mma_m16n8k16_s8, signed char, int, 16, 2)
    SHAPE_OF_HALVES(mma_m16n8k16_f16, 16, 4)
    SHAPE_OF_HALVES(mma_m16n8k8_f16, 8, 2)
    {
        unsigned a[4] = {0xffffffff, 0xffffffff, 0, 0}, b[2] = {0xffffffff, 0};
        unsigned half_of_a[2] = {1, 2}, half_of_b[1] = {200};
        int d[4] = {1, 2, 3, 4};
        ptx::mma_m16n8k32_u8(d, a, b, d);
        assert(d[0] == 1 + 16 * 255 * 255 && d[3] == 4 + 16 * 255 * 255);
        ptx::mma_m16n8k16_u8(d, half_of_a, half_of_b, d);
        assert(d[0] == 1 + 16 * 255 * 255 + 4 * 200 && d[3] == 4 + 16 * 255 * 255 + 4 * 400);
    }
    for (int column = 0; column < 8; column++) {
        rows[threadIdx.x][column] = (unsigned short)(threadIdx.x * 100 + column);
    }
    __syncwarp();
    matrices<1, false>(rows);
    matrices<2, false>(rows);
    matrices<4, false>(rows);
    matrices<1, true>(rows);
    matrices<2, true>(rows);
    matrices<4, true>(rows);
    // To the nearest of 11 digits; of two, the one farther from 0.
    assert(ptx::cvt_rna_tf32(1.00048828125f) == __float_as_uint(1.0009765625f));
    assert(ptx::cvt_rna_tf32(-1.000244140625f) == __float_as_uint(-1.0f));
    assert(ptx::cvt_rna_tf32(__uint_as_float(0x7fc01fff)) == 0x7fc00000);
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
