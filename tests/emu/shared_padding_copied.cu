// Structs with bytes between their members, copied whole: no thread writes these bytes, and
// nothing is wrong.
// launch: 8x8x8
#include "matmul.cuh"

struct Byte {
    float value;
    char mark;
};
struct Number {
    double value;
    int place;
};
struct Both {
    char mark;
    double value;
    short place;
};
struct Nested {
    Byte part[3];
    char last;
};
union Either {
    Byte part;
    char mark;
};
struct Bits {
    unsigned low : 3, high : 4;
    float value;
};
struct Derived : Byte {
    double more;
};
struct __align__(16) Three {
    float x, y, z;
};

__device__ Number number(int x)
{
    Number result;
    result.value = x;
    result.place = x;
    return result;
}

__device__ float sum(Both s)
{
    return (float)s.value + s.mark + s.place;
}

// Stores the members one by one and copies the whole to another thread's place.
template <class T> __device__ void moved(T *from, T *to, int i)
{
    to[31 - i] = from[i];
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ Byte bytes[2][32];
    __shared__ Number numbers[2][32];
    __shared__ Both boths[2][32];
    __shared__ Nested nested[2][32];
    __shared__ Either either[2][32];
    __shared__ Bits bits[2][32];
    __shared__ Derived derived[2][32];
    __shared__ Three threes[2][32];
    int i = threadIdx.x;
    bytes[0][i].value = i;
    bytes[0][i].mark = 1;
    numbers[0][i] = number(i);
    boths[0][i].mark = 1;
    boths[0][i].value = i;
    boths[0][i].place = 2;
    for (int part = 0; part < 3; part++) {
        nested[0][i].part[part].value = i;
        nested[0][i].part[part].mark = 1;
    }
    nested[0][i].last = 1;
    either[0][i].part.value = i;
    either[0][i].part.mark = 1;
    bits[0][i].low = 1;
    bits[0][i].high = 2;
    bits[0][i].value = i;
    derived[0][i].value = i;
    derived[0][i].mark = 1;
    derived[0][i].more = i;
    threes[0][i].x = i;
    threes[0][i].y = threes[0][i].z = 1;
    moved(bytes[0], bytes[1], i);
    moved(numbers[0], numbers[1], i);
    moved(boths[0], boths[1], i);
    moved(nested[0], nested[1], i);
    moved(either[0], either[1], i);
    moved(bits[0], bits[1], i);
    moved(derived[0], derived[1], i);
    moved(threes[0], threes[1], i);
    __syncthreads();
    float got = bytes[1][i].value + numbers[1][i].value + nested[1][i].part[2].value +
                either[1][i].part.value + bits[1][i].value + derived[1][i].more + threes[1][i].x;
    assert(got == 7 * (31 - i));
    assert(sum(boths[1][i]) == 31 - i + 3);
    C[i] = got;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
