#include "kernel.cuh"
__constant__ float filter[5][5];
__global__ void convolution(const float *image, float *out, int H, int W) {
    __shared__ float tile[20][21];
    const int r0 = blockIdx.y * 16 - 2, c0 = blockIdx.x * 16 - 2;
    for (int i = threadIdx.y * 16 + threadIdx.x; i < 400; i += 256) {
        const int r = r0 + i / 20, c = c0 + i % 20;
        tile[i / 20][i % 20] = r >= 0 && r < H && c >= 0 && c < W ? image[r * W + c] : 0.0f;
    }
    __syncthreads();
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j)
            sum += tile[threadIdx.y + i][threadIdx.x + j] * filter[i][j];
    if (row < H && col < W)
        out[row * W + col] = sum;
}
LAUNCH_CONFIG(convolution, H, W) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(W, 16), ceil_div(H, 16));
}
