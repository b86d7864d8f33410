# Races in which a barrier is missing, or would only hide a wrong index: two buffers in the wrong
# phase, one buffer for both phases, barriers that are missing, and two threads that swap one pair.
headline() {
    mkdir -p "$2"
    cp "$1" "$2/${2%%/*}.cu"
    tilegrade --root "$REPOSITORY" test --exercise "${2%%/*}" --submission "$2" \
        --out "$2" >"$2/text"
    echo "$2"
    sed -n 2,3p "$2/text"
    tr -s '\n ' ' ' <"$2/text" | grep -o 'A barrier alone.*wrong\.' || true
}
headline "$REPOSITORY/lessons/assignments/bugs/next_round/two_buffers.cu" two_buffers/wrong_phase
headline "$REPOSITORY/build/wrong/two_buffers/always_buffer_0.cu" two_buffers/always_buffer_0
headline "$REPOSITORY/build/wrong/two_buffers/no_barrier.cu" two_buffers/no_barrier
headline "$REPOSITORY/build/wrong/tiled/one_buffer_one_barrier.cu" tiled/one_buffer_one_barrier
cat >swapped.cu <<EOF
#include "kernel.cuh"

__global__ void transpose(const float *x, float *y, int H, int W)
{
    __shared__ float tile[16][17];
    const int c = threadIdx.x, r = threadIdx.y, row = blockIdx.y * 16, col = blockIdx.x * 16;
    tile[r][c] = row + r < H && col + c < W ? x[(row + r) * W + col + c] : 0.0f;
    __syncthreads();
    if (r != c) {
        const float kept = tile[r][c];
        tile[r][c] = tile[c][r];
        tile[c][r] = kept;
    }
    __syncthreads();
    if (col + r < W && row + c < H) {
        y[(col + r) * H + row + c] = tile[r][c];
    }
}

LAUNCH_CONFIG(transpose, H, W)
{
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(W, 16), ceil_div(H, 16));
}
EOF
headline swapped.cu transpose/swapped
