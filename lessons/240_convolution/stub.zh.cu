// 卷积：每个像素变成它周围 5 x 5 个像素的加权和。
//
// 形状     image 和 out [H][W]、filter [5][5]：按行优先存放；图像之外的像素取 0。
// 启动     每个线程块 TX x TY 个线程；一个线程块计算 TX x ROWS 个像素，
//          一个线程计算其中上下相邻的 EACH 个。
// 思路     线程块把自己的像素，连同四周宽 R 个像素的边（光环），复制到共享内存。
//          线程从那里加载的一个像素，供它所属的所有和使用。
// 瓶颈     对共享内存的加载，每个像素 7.5 次，还有它的 25 次乘加。
// 来源     Victor Podlozhnyuk，“Image Convolution with CUDA”（NVIDIA，2007）。
#include "kernel.cuh"

#define R    2
#define SIDE (2 * R + 1)
#define TX   32
#define TY   8
#define EACH 8
#define ROWS (TY * EACH)

__constant__ float filter[SIDE][SIDE];

__global__ void convolution(const float *image, float *out, int H, int W) {
    __shared__ float tile[ROWS + 2 * R][TX + 2 * R];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * ROWS;  // 线程块的第一个像素的位置
    const int col = blockIdx.x * TX;

    // TODO 1（约 8 行）：复制这些像素和光环；图像之外的像素取 0；然后等待

    float acc[EACH] = {};
    #pragma unroll
    for (int r = 0; r < EACH + 2 * R; ++r) {  // 我的像素需要的各行
        #pragma unroll
        for (int c = 0; c < SIDE; ++c) {
            const float pixel = tile[ty * EACH + r][tx + c];
            #pragma unroll
            for (int e = 0; e < EACH; ++e) {
                // TODO 2（约 2 行）：如果这个像素在我的像素 e 的邻域之内，就加上它的乘积
            }
        }
    }

    // TODO 3（约 4 行）：我的像素中，在图像之内的，存入 out
}

LAUNCH_CONFIG(convolution, H, W) {
    launch->block = dim3(TX, TY);
    launch->grid = dim3(ceil_div(W, TX), ceil_div(H, ROWS));
}
