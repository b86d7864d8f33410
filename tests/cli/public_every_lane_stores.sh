# Every lane stores what `__shfl_down_sync` gives to the first lane alone.  The sentence is not said
# of the first lanes of two warps, of another variable, or of lanes that all have the sum.
judge() { # NAME LANGUAGE THREADS < the lines after the sum of a thread
    mkdir -p "$1"
    {
        cat <<EOF
#include "kernel.cuh"

__global__ void clear(const float *x, float *y, int N)
{
    y[0] = 0.0f;
}

__device__ float warp_sum(float v)
{
    for (int d = 16; d > 0; d /= 2) {
        v += __shfl_down_sync(0xffffffffu, v, d);
    }
    return v;
}

__global__ void reduction(const float *x, float *y, int N)
{
    float sum = 0.0f;
    for (int i = threadIdx.x; i < N; i += blockDim.x) {
        sum += x[i];
    }
EOF
        cat
        cat <<EOF
}

LAUNCH_CONFIG(reduction, N)
{
    LAUNCH(clear, dim3(1), dim3(1));
    LAUNCH(reduction, dim3(1), dim3($3));
}
EOF
    } >"$1/reduction.cu"
    echo "$1"
    tilegrade --root "$REPOSITORY" test --exercise reduction --submission "$1" --out "$1" \
        --language "$2" --device emu | sed -n '/^  where/q; /^  位置/q; s/^  //; 2,$p'
}
loop='    for (int d = 16; d > 0; d /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    }'
judge every_lane en 32 <<EOF
$loop
    y[0] = sum;
EOF
judge by_a_function zh 32 <<EOF
    const float all = warp_sum(sum);
    y[0] = all;
EOF
judge first_lanes_of_two_warps en 64 <<EOF
$loop
    if (threadIdx.x % 32 == 0) {
        y[0] = sum;
    }
EOF
judge another_variable en 32 <<EOF
    const float all = warp_sum(sum);
    y[0] = all * 0.0f + sum;
EOF
judge all_lanes_have_it en 32 <<EOF
$loop
    sum = __shfl_sync(0xffffffffu, sum, 0);
    y[0] = sum;
EOF
