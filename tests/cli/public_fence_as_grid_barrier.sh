# A `__threadfence()` taken for a barrier of all blocks: it makes no block wait. Without a fence
# between the addition and the read, nothing is said of one.
mkdir -p lessons/02_normalize
cat >lessons/02_normalize/exercise.ini <<EOF
title = normalize
points = 10
speed_points = 0
optional = yes
sizes = N
tile = 256
[parameters]
x = in float [N]
y = out float [N]
total = inout float [1]
N = int
[work]
flop = 3*N
bytes = 8*N
[inputs]
x = positive
total = 0..0
[cases]
odd = 1001
EOF
cat >lessons/02_normalize/expected.c <<EOF
void normalize(const number *x, number *y, number *total, int N) {
    for (int i = 0; i < N; ++i) {
        *total += x[i];
    }
    for (int i = 0; i < N; ++i) {
        y[i] = x[i] / *total;
    }
}
EOF
echo '__global__ void normalize(const float *x, float *y, float *total, int N) {}' \
    >lessons/02_normalize/stub.cu
judge() { # NAME LANGUAGE < the lines after the sum of a block
    mkdir -p "$1"
    {
        cat <<EOF
#include "kernel.cuh"

__global__ void clear(const float *x, float *y, float *total, int N)
{
    *total = 0.0f;
}

__global__ void normalize(const float *x, float *y, float *total, int N)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    const float mine = i < N ? x[i] : 0.0f;
    __shared__ float sum;
    if (threadIdx.x == 0) {
        sum = 0.0f;
    }
    __syncthreads();
    atomicAdd(&sum, mine);
    __syncthreads();
EOF
        cat
        cat <<EOF
}

LAUNCH_CONFIG(normalize, N)
{
    LAUNCH(clear, dim3(1), dim3(1));
    LAUNCH(normalize, dim3(ceil_div(N, 256)), dim3(256));
}
EOF
    } >"$1/normalize.cu"
    echo "$1"
    tilegrade test --exercise normalize --submission "$1" --out "$1" \
        --language "$2" --device emu | sed -n '/^  where/q; /^  位置/q; s/^  //; 2,$p'
}
sum='    if (threadIdx.x == 0) {
        atomicAdd(total, sum);
    }'
divide='    if (i < N) {
        y[i] = mine / *total;
    }'
judge fence en <<EOF
$sum
    __threadfence();
$divide
EOF
judge fence zh <<EOF
$sum
    __threadfence();
$divide
EOF
judge fence_before en <<EOF
    __threadfence();
$sum
$divide
EOF
