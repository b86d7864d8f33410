# Rows, columns and borders of wrong elements, and values of other places, of any exercise; and near
# misses of which nothing of the kind is said.
show() {
    tilegrade "$@" --device emu | sed -n '/^  read/q; /^  阅/q; /^$/q; p'
}
judge() { # LANGUAGE NAME EXERCISE SED…
    echo "== $2"
    mkdir -p sub
    sed "${@:4}" "$REPOSITORY/reference/$3.cu" | grep -v '//@' >sub/$3.cu
    show --root "$REPOSITORY" test --exercise "$3" --submission sub --out out --language "$1"
}
clamp='s/const bool there = .*/const bool there = true;/
    s/from_row = .*/from_row = min(max(row + r - R, 0), H - 1);/
    s/from_col = .*/from_col = min(max(col + c - R, 0), W - 1);/'
judge en 'pixels at the edge for those outside' convolution -e "$clamp"
judge zh 'pixels at the edge for those outside' convolution -e "$clamp"
inner='s/if (to_row < H \&\& col + tx < W)/if (to_row >= R \&\& to_row < H - R \&\& col + tx < W)/
    s/col + tx < W)/col + tx >= R \&\& col + tx < W - R)/'
judge en 'only the inner pixels are stored' convolution -e "$inner"
judge en 'each pixel is off by one' convolution -e 's/= acc\[e\];/= acc[e] + 1.0f;/'
last='s/< W \&\& row + tx < H)/< W - 1 \&\& row + tx < H - 1)/'
judge en 'neither the last row nor the last column' transpose -e "$last"
judge zh 'neither the last row nor the last column' transpose -e "$last"
judge en 'other elements of x' transpose -e 's/= x\[(row + ty + i) \* W/= x[(row + ty + i)/'
judge zh 'other elements of x' transpose -e 's/= x\[(row + ty + i) \* W/= x[(row + ty + i)/'
judge en 'sums of elements of x' transpose \
    -e 's/= x\[\(.*\)\];/= x[\1] + (col + tx == 1 ? x[0] : 0.0f);/'
judge en 'the first four elements again' vector_add -e 's/x\[i\] + y\[i\]/x[i % 4] + y[i % 4]/'
judge zh 'the first four elements again' vector_add -e 's/x\[i\] + y\[i\]/x[i % 4] + y[i % 4]/'
judge en 'the first four elements of x again' vector_add -e 's/x\[i\] +/x[i % 4] +/'

folder=lessons/900_weigh
mkdir -p $folder
cat >$folder/exercise.ini <<'INI'
title = Weigh
points = 10
speed_points = 0
optional = yes
sizes = N
tile = 64

[parameters]
x = in float [27*N]
w = in float [3][3][3]
y = out float [N]
N = int

[work]
bytes = 112*N

[cases]
middle = 300
one = 1
INI
cat >$folder/expected.c <<'C'
void weigh(const number *x, const number *w, number *y, int N) {
    EACH(i, N) {
        number sum = 0;
        for (int k = 0; k < 27; ++k) {
            sum += w[k] * x[27 * i + k];
        }
        y[i] = sum;
    }
}
C
echo '__global__ void weigh(const float *x, const float *w, float *y, int N) {}' >$folder/stub.cu
weigh() { # LANGUAGE NAME INDEX
    echo "== $2"
    cat >student/weigh.cu <<CU
#include "kernel.cuh"
__global__ void weigh(const float *x, const float *w, float *y, int N) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < N) {
        float sum = 0.0f;
        for (int a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b) {
                for (int c = 0; c < 3; ++c) {
                    sum += w[$3] * x[27 * i + a * 9 + b * 3 + c];
                }
            }
        }
        y[i] = sum;
    }
}
LAUNCH_CONFIG(weigh, N) {
    launch->block = dim3(64);
    launch->grid = dim3(ceil_div(N, 64));
}
CU
    show test --exercise weigh --language "$1"
}
weigh en 'the last index first' 'c * 9 + b * 3 + a'
weigh zh 'the last index first' 'c * 9 + b * 3 + a'
weigh en 'the second index first' 'b * 9 + a * 3 + c'
weigh en 'the last index second' 'a * 9 + c * 3 + b'
weigh en 'no plane but the first' 'b * 3 + c'
weigh en 'as it should be' 'a * 9 + b * 3 + c'
