# A sum by halves whose rounds no barrier separates: the barrier belongs at the end of the round,
# not between the read and the store, which a trial proves. In an inclusive scan it belongs between.
judge() { # NAME LANGUAGE RESULT < the loop
    mkdir -p "$1"
    {
        cat <<EOF
#include "kernel.cuh"

__global__ void clear(const float *x, float *y, int N)
{
    y[0] = 0.0f;
}

__global__ void reduction(const float *x, float *y, int N)
{
    __shared__ float s[256];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < N ? x[i] : 0.0f;
    __syncthreads();
EOF
        cat
        cat <<EOF
    if (t == $3) {
        atomicAdd(y, s[$3]);
    }
}

LAUNCH_CONFIG(reduction, N)
{
    LAUNCH(clear, dim3(1), dim3(1));
    LAUNCH(reduction, dim3(ceil_div(N, 256)), dim3(256));
}
EOF
    } >"$1/reduction.cu"
    echo "$1"
    tilegrade --root "$REPOSITORY" test --exercise reduction --submission "$1" --out "$1" \
        --language "$2" --device emu | sed -n '/^  where/q; /^  位置/q; s/^  //; 2,$p'
}
judge one_line en 0 <<EOF
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) {
            s[t] += s[t + half];
        }
    }
EOF
judge two_lines zh 0 <<EOF
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) {
            const float other = s[t + half];
            s[t] = s[t] + other;
        }
    }
EOF
judge without_braces en 0 <<EOF
    for (int half = 1; half < 256; half *= 2)
        if (t % (2 * half) == 0)
            s[t] += s[t + half];
EOF
judge inside_the_line en 255 <<EOF
    for (int d = 1; d < 256; d *= 2) {
        if (t >= d) {
            s[t] += s[t - d];
        }
        __syncthreads();
    }
EOF
judge inside_the_branch en 255 <<EOF
    for (int d = 1; d < 256; d *= 2) {
        if (t >= d) {
            const float other = s[t - d];
            s[t] += other;
        }
        __syncthreads();
    }
EOF
judge inside_the_branch zh 255 <<EOF
    for (int d = 1; d < 256; d *= 2) {
        if (t >= d) {
            const float other = s[t - d];
            s[t] += other;
        }
        __syncthreads();
    }
EOF
judge with_barrier en 0 <<EOF
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) {
            s[t] += s[t + half];
        }
        __syncthreads();
    }
EOF
