// The kernels of reference/naive.cu and reference/tiled.cu in OpenCL, line by line, for Oclgrind and
// PoCL.
#define TILE 16

__kernel void matmul_naive(__global const float *A, __global const float *B, __global float *C,
                           int M, int N, int K) {
    const int row = get_global_id(1);
    const int col = get_global_id(0);
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = acc;
    }
}

__kernel void matmul_tiled(__global const float *A, __global const float *B, __global float *C,
                           int M, int N, int K) {
    __local float As[TILE][TILE];
    __local float Bs[TILE][TILE];
    const int tx = get_local_id(0);
    const int ty = get_local_id(1);
    const int row = get_group_id(1) * TILE + ty;
    const int col = get_group_id(0) * TILE + tx;

    float acc = 0.0f;
    for (int t = 0; t < (K + TILE - 1) / TILE; ++t) {
        const int a_col = t * TILE + tx;
        const int b_row = t * TILE + ty;
        As[ty][tx] = row < M && a_col < K ? A[row * K + a_col] : 0.0f;
        Bs[ty][tx] = b_row < K && col < N ? B[b_row * N + col] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; ++k) {
            acc += As[ty][k] * Bs[k][tx];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}
