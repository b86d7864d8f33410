// expect: pass  (1056 blocks take turns over tiles)
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
    const int tiles = ceil_div(W, TX);  // in a row

    for (int t = blockIdx.x; t < tiles * ceil_div(H, ROWS); t += gridDim.x) {
        const int row = t / tiles * ROWS;  // of the first pixel of the tile
        const int col = t % tiles * TX;

        for (int i = ty * TX + tx; i < (ROWS + 2 * R) * (TX + 2 * R); i += TX * TY) {
            const int r = i / (TX + 2 * R);
            const int c = i % (TX + 2 * R);
            const int from_row = row + r - R;
            const int from_col = col + c - R;
            const bool there = from_row >= 0 && from_row < H && from_col >= 0 && from_col < W;
            tile[r][c] = there ? image[from_row * W + from_col] : 0.0f;
        }
        __syncthreads();  // the tile and its halo are full

        float acc[EACH] = {};
        #pragma unroll
        for (int r = 0; r < EACH + 2 * R; ++r) {  // rows that my pixels need
            #pragma unroll
            for (int c = 0; c < SIDE; ++c) {
                const float pixel = tile[ty * EACH + r][tx + c];
                #pragma unroll
                for (int e = 0; e < EACH; ++e) {
                    if (r - e >= 0 && r - e < SIDE) {
                        acc[e] += filter[r - e][c] * pixel;
                    }
                }
            }
        }

        for (int e = 0; e < EACH; ++e) {
            const int to_row = row + ty * EACH + e;
            if (to_row < H && col + tx < W) {
                out[to_row * W + col + tx] = acc[e];
            }
        }
        __syncthreads();  // all have read the tile before it is filled again
    }
}

LAUNCH_CONFIG(convolution, H, W) {
    launch->block = dim3(TX, TY);
    launch->grid = dim3(min(1056, ceil_div(W, TX) * ceil_div(H, ROWS)));
}
