// Structs with bytes between their members, copied whole, of which a member was not stored either.
// launch: 8x8x8
// expect: uninitialized @small
// expect: uninitialized @large
// expect: uninitialized @whole
#include "matmul.cuh"

struct Byte {
    float value;
    char mark;
};
struct Both {
    char mark;
    double value;
    short place;
};

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ Byte bytes[32];
    __shared__ Byte none[32];
    __shared__ Both boths[32];
    int i = threadIdx.x;
    bytes[i].value = i;
    boths[i].mark = 1;
    boths[i].place = 2;
    __syncthreads();
    Byte small = bytes[31 - i];  //@small
    Both large = boths[31 - i];  //@large
    Byte whole = none[31 - i];  //@whole
    C[i] = small.value + large.mark + whole.value;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
