// Without the barrier each of these copies races: every pair of lines is reported.
// launch: 8x8x8
// expect: uninitialized twos @from_two
// expect: uninitialized threes @from_three
// expect: uninitialized threes @from_three
// expect: uninitialized fours @from_four
// expect: uninitialized fours @from_four
// expect: uninitialized fives @from_five
// expect: uninitialized fives @from_five
// expect: uninitialized eights @from_eight
// expect: uninitialized eights @from_eight
// expect: race twos @into_two @from_two
// expect: race threes @into_three @from_three
// expect: race threes @into_three @from_three
// expect: race fours @into_four @from_four
// expect: race fours @into_four @from_four
// expect: race fives @into_five @from_five
// expect: race fives @into_five @from_five
// expect: race eights @into_eight @from_eight
// expect: race eights @into_eight @from_eight
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

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ Two twos[32];
    __shared__ Three threes[32];
    __shared__ Four fours[32];
    __shared__ Five fives[32];
    __shared__ Eight eights[32];
    int i = threadIdx.x, other = 31 - i;
    twos[i] = two(i);  //@into_two
    threes[i] = three(i);  //@into_three
    fours[i] = four(i);  //@into_four
    fives[i] = filled<Five>(i);  //@into_five
    eights[i] = filled<Eight>(i);  //@into_eight
    float result = sum(twos[other], 1);  //@from_two
    result += sum(threes[other]);  //@from_three
    result += sum(fours[other]);  //@from_four
    result += sum(fives[other]);  //@from_five
    result += sum(eights[other]);  //@from_eight
    C[i] = result;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
