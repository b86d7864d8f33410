// Structs that calls take by value and give back, straight from and into memory: all in order.
// row: structs as parameters and return values
// launch: 8x8x8
#include "matmul.cuh"

struct Two {
    float value;
    int place;
};
struct Three {
    float x, y, z;
};
struct Four {
    double value;
    int place[2];
};
struct Five {
    float part[5];
};
struct Eight {
    double part[4];
};
struct Many {
    float part[40];
};

__device__ Two two(int x)
{
    return Two{(float)x, x};
}
__device__ Three three(int x)
{
    return Three{(float)x, 1.0f, 2.0f};
}
__device__ Four four(int x)
{
    return Four{(double)x, {x, x}};
}
template <class T> __device__ T filled(int x)
{
    T result;
    for (auto &part : result.part) {
        part = x;
    }
    return result;
}
__device__ float sum(Two s, int one)
{
    return s.value + s.place * one;
}
__device__ float sum(Three s)
{
    return s.x + s.y + s.z;
}
__device__ float sum(Four s)
{
    return (float)s.value + s.place[1];
}
__device__ float sum(Five s)
{
    return s.part[0] + s.part[4];
}
__device__ float sum(Eight s)
{
    return (float)(s.part[0] + s.part[3]);
}
__device__ float sum(Many s)
{
    return s.part[0] + s.part[39];
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ Two twos[32];
    __shared__ Three threes[32];
    __shared__ Four fours[32];
    __shared__ Five fives[32];
    __shared__ Eight eights[32];
    __shared__ Many many[32];
    __shared__ int ones[32];
    int i = threadIdx.x, other = 31 - i;
    ones[i] = 1;
    twos[i] = two(i);
    threes[i] = three(i);
    fours[i] = four(i);
    fives[i] = filled<Five>(i);
    eights[i] = filled<Eight>(i);
    many[i] = filled<Many>(i);
    __syncthreads();
    float result = sum(twos[other], ones[other]);
    assert(result == 2 * other);
    result += sum(threes[other]) + sum(fours[other]);
    assert(result == 5 * other + 3);
    result += sum(fives[other]) + sum(eights[other]) + sum(many[other]);
    assert(result == 11 * other + 3);
    C[i] = result;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
