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
