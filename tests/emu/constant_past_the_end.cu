// One element past the end of a __constant__ array, through a pointer.
// launch: 8x8x8
// expect: out_of_bounds @past
// expect: out_of_bounds @before
// expect: out_of_bounds @half
#include "matmul.cuh"

__constant__ float filter[3][3] = {{1.0f, 2.0f, 1.0f}, {2.0f, 4.0f, 2.0f}, {1.0f, 2.0f, 1.0f}};
__constant__ float first[5], second[5];
__constant__ __align__(256) char letters[3];
__constant__ const float4 four[2] = {{1.0f, 1.0f, 1.0f, 1.0f}, {2.0f, 2.0f, 2.0f, 2.0f}};
__constant__ float scale = 2.0f;
__constant__ float large[16000];

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    const float *f = &filter[0][0], *s = second, *most = large;
    const char *letter = letters;
    float sum = scale + four[N - 7].w;
    for (int k = 0; k < N + 1; ++k) {
        sum += f[k];
    }
    sum += s[N - 8] + s[N - 4] + first[N - 4] + letter[N - 6] + most[K + 15991];
    C[0] = sum;
    C[1] = f[N + 1];  //@past
    C[2] = s[N - 9];  //@before
    C[3] = *(const unsigned short *)(letter + N - 6);  //@half
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(1);
    launch->grid = dim3(1);
}
