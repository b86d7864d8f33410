// Convolution: each pixel becomes a weighted sum of its neighbourhood of 5 x 5 pixels.
//
// Shapes   image and out [H][W], filter [5][5]: row-major; pixels outside the image are 0.
// Launch   blocks of TX x TY threads; a block computes TX x ROWS pixels, a thread EACH of them, one
//          below the other.
// Idea     the block copies its pixels and a border of R pixels around them, the halo, into shared
//          memory.  A pixel that a thread loads from there serves all sums that it belongs to.
// Limit    loads from shared memory, 7.5 for a pixel, and its 25 multiply-adds.
// Source   Victor Podlozhnyuk, "Image Convolution with CUDA" (NVIDIA, 2007).
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
    const int row = blockIdx.y * ROWS;  // of the first pixel of the block
    const int col = blockIdx.x * TX;

    //@cut 1 copy the pixels and the halo; a pixel outside the image is 0; then wait
    for (int i = ty * TX + tx; i < (ROWS + 2 * R) * (TX + 2 * R); i += TX * TY) {
        const int r = i / (TX + 2 * R);
        const int c = i % (TX + 2 * R);
        const int from_row = row + r - R;
        const int from_col = col + c - R;
        const bool there = from_row >= 0 && from_row < H && from_col >= 0 && from_col < W;
        tile[r][c] = there ? image[from_row * W + from_col] : 0.0f;
    }
    __syncthreads();  // the tile and its halo are full
    //@end

    float acc[EACH] = {};
    #pragma unroll
    for (int r = 0; r < EACH + 2 * R; ++r) {  // rows that my pixels need
        #pragma unroll
        for (int c = 0; c < SIDE; ++c) {
            const float pixel = tile[ty * EACH + r][tx + c];
            #pragma unroll
            for (int e = 0; e < EACH; ++e) {
                //@cut 2 if the pixel is in the neighbourhood of my pixel e, add its product
                if (r - e >= 0 && r - e < SIDE) {
                    acc[e] += filter[r - e][c] * pixel;
                }
                //@end
            }
        }
    }

    //@cut 3 store those of my pixels that are inside the image
    for (int e = 0; e < EACH; ++e) {
        const int to_row = row + ty * EACH + e;
        if (to_row < H && col + tx < W) {
            out[to_row * W + col + tx] = acc[e];
        }
    }
    //@end
}

LAUNCH_CONFIG(convolution, H, W) {
    launch->block = dim3(TX, TY);
    launch->grid = dim3(ceil_div(W, TX), ceil_div(H, ROWS));
}
