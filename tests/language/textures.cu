// expect: needs_gpu
// row: textures: `tex2D` …
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[0] = tex2D<float>((cudaTextureObject_t)K, 0.0f, 0.0f);  //@here
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
