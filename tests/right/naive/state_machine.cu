// expect: pass  (one loop, a switch over what to do next)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;

    enum { START, TERM, STORE, DONE } state = row < M && col < N ? START : DONE;
    float sum = 0.0f;
    int k = 0;
    while (state != DONE) {
        switch (state) {
        case START:
            sum = 0.0f;
            k = 0;
            state = TERM;
            break;
        case TERM:
            sum += A[row * K + k] * B[k * N + col];
            state = ++k < K ? TERM : STORE;
            break;
        case STORE:
            C[row * N + col] = sum;
            state = DONE;
            break;
        case DONE:
            break;
        }
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
