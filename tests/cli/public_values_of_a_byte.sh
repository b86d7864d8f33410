# A wrong value of an 8-bit output may be any value, also the one that memory held before.
folder=lessons/900_invert
mkdir -p $folder
cat >$folder/exercise.ini <<'INI'
title = Negative of an image
points = 10
speed_points = 0
optional = yes
sizes = N
tile = 64

[parameters]
in = in uint8 [N]
out = out uint8 [N]
N = int

[work]
bytes = 2*N

[cases]
middle = 300
one = 1
more = 1000
INI
cat >$folder/expected.c <<'C'
void invert(const uint8_t *in, uint8_t *out, int N) {
    EACH(i, N) {
        out[i] = 255 - in[i];
    }
}
C
kernel() {
    cat <<CU
#include "kernel.cuh"
__global__ void invert(const uint8_t *in, uint8_t *out, int N) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if ($1) {
        out[i] = $2 - in[i];
    }
}
LAUNCH_CONFIG(invert, N) {
    launch->block = dim3(64);
    launch->grid = dim3(ceil_div(N, 64));
}
CU
}
kernel 'i < 0' 255 >$folder/stub.cu
try() {
    echo "== $1"
    kernel "$2" "$3" >student/invert.cu
    tilegrade test --exercise invert | sed -n '/^  again/q; /^  read/q; /^$/q; /sum:/d; p'
}
try 'each value is stored, and all are wrong' 'i < N' 256
try 'no value is stored where it would be 222, nor 33' 'i < N && in[i] != 33 && in[i] != 222' 255
try 'the last value is not stored, and the others are wrong' 'i + 1 < N' 256
try 'each value is stored' 'i < N' 255

# Whole numbers made from sums of floats: rounding decides some of them, and both values are right.
folder=lessons/901_luma
mkdir -p $folder
sed 's/^title.*/title = Brightness of an image/; s/^in = .*/in = in uint8 [3*N]/
    s/2\*N/4*N/; s/1000/9000/' lessons/900_invert/exercise.ini >$folder/exercise.ini
cat >$folder/expected.c <<'C'
void luma(const uint8_t *in, uint8_t *out, int N) {
    EACH(i, N) {
        out[i] = (uint8_t)(0.3f * in[3 * i] + 0.59f * in[3 * i + 1] + 0.11f * in[3 * i + 2]);
    }
}
C
kernel() {
    cat <<CU
#include "kernel.cuh"
__global__ void luma(const uint8_t *in, uint8_t *out, int N) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if ($1) {
        const float r = in[3 * i], g = in[3 * i + 1], b = in[3 * i + 2];
        out[i] = (uint8_t)($2);
    }
}
LAUNCH_CONFIG(luma, N) {
    launch->block = dim3(64);
    launch->grid = dim3(ceil_div(N, 64));
}
CU
}
kernel 'i < 0' 0 >$folder/stub.cu
try() {
    echo "== $1"
    kernel 'i < N' "$2" >student/luma.cu
    tilegrade test --exercise luma | sed -n '/^  again/q; /^  read/q; /^$/q; /warns/,/lost/d; p'
}
try 'in the order of expected.c' '0.3f * r + 0.59f * g + 0.11f * b'
try 'in another order' '0.3f * r + (0.11f * b + 0.59f * g)'
try 'with fewer roundings' 'fmaf(0.11f, b, fmaf(0.59f, g, 0.3f * r))'
try 'rounded to the nearest' '0.3f * r + 0.59f * g + 0.11f * b + 0.5f'
try 'with a weight that is too small' '0.3f * r + 0.589f * g + 0.11f * b'
