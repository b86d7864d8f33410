#include "matmul.cuh"

__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = acc;
    }
}

#ifdef __TILEGRADE_EMU__
LAUNCH_CONFIG(matmul_sum, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
#else
extern "C" __global__ void matmul_sum_launch_config(struct launch_config *launch, 
    long p0, long p1, long p2, long p3, long p4, long p5, long p6, long p7,
    long p8, long p9, long p10, long p11, long p12, long p13, long p14, long p15,
    long p16, long p17, long p18, long p19, long p20, long p21, long p22, long p23,
    long p24, long p25, long p26, long p27, long p28, long p29, long p30, long p31,
    long p32, long p33, long p34, long p35, long p36, long p37, long p38) {
    launch->block = dim3(p0, p38);
}
#endif
