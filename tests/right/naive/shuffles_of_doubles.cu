// expect: pass  (shuffles of double, long long and with a width)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int lane = threadIdx.x;
    const int row = blockIdx.y * 4 + threadIdx.y;
    const int col = blockIdx.x;
    double sum = 0.0;
    for (int k = lane; k < K && row < M; k += 32) {
        sum += (double)A[row * K + k] * B[k * N + col];
    }
    for (int step = 4; step > 0; step /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, step, 8);
    }
    const long long bits = __shfl_sync(0xffffffffu, __double_as_longlong(sum), lane / 8 * 8);
    const double head = __longlong_as_double(bits);
    double all = 0.0;
    for (int i = 0; i < 32; i += 8) {
        all += __shfl_sync(0xffffffffu, head, i);
    }
    if (lane == 0 && row < M) {
        C[row * N + col] = (float)all;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(32, 4);
    launch->grid = dim3(N, ceil_div(M, 4));
}
