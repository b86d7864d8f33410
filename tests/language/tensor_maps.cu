// expect: needs_gpu
// row: tensor maps: `tensor_maps`, for bulk tensor copies
#include "matmul.cuh"

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K,
                         float *workspace, const __grid_constant__ tensor_maps maps)  //@here
{
}

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch_tensor(launch, 0, 0, TENSOR_FP32, M, K, K, 128, 32);
    LAUNCH(multiply, dim3(1), dim3(128));
}
