// The name that NVIDIA's samples give the dynamic shared memory.
// launch: 8x8x8
#include "matmul.cuh"

template <class T> struct SharedMemory {
    __device__ inline operator T *() {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
};
template <> struct SharedMemory<double> {
    __device__ inline operator double *() {
        extern __shared__ double __smem_d[];
        return (double *)__smem_d;
    }
};

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    float *s = SharedMemory<float>();
    s[threadIdx.x] = A[threadIdx.x];
    __syncthreads();
    C[threadIdx.x] = s[63 - threadIdx.x];
    __syncthreads();
    double *d = SharedMemory<double>();
    d[threadIdx.x] = C[threadIdx.x];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
    launch->shared_bytes = 512;
}
