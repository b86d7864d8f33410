# Each sentence is true of every wrong element, and names a cause only if nothing else gives this C.
try() {
    grep -v '@' reference/sum.cu | sed "$2" >student/sum.cu
    echo "== $1"
    tilegrade test --exercise sum --size "$3" | sed -n '/^  again/q; /^  read/q; /^  where/d; 2,$p'
}
try 'A[row, k] is A[k]' 's/A\[row \* K + k\]/A[row, k]/' 3x2x2
try 'B[k, col] is B[col]' 's/B\[k \* N + col\]/B[k, col]/' 2x3x2
try 'two rows of A' 's/A\[row/A[row % 2/' 5x3x2
try 'even rows of A' 's/A\[row/A[(row \& ~1)/' 6x3x2
try 'the next row of A, or none' \
    's/A\[row \* K + k\]/(row + 1 < M ? A[(row + 1) * K + k] : 0.0f)/' 4x3x2
try 'the next k, or the first' 's/A\[row \* K + k\]/A[row * K + (k + 1 < K ? k + 1 : 0)]/' 1x32x17
try 'rows turned round by their number' 's/A\[row \* K + k\]/A[row * K + (k + row) % K]/' 4x3x3
try 'C turned where it can be' \
    's/C\[row \* N + col\]/C[row < N \&\& col < M ? col * N + row : row * N + col]/' 2x3x4
try 'a row of B as long as one of A' \
    's/B\[k \* N + col\]/(k * K + col < K * N ? B[k * K + col] : 0.0f)/' 3x7x5
try 'no sign' 's/= acc;/= acc < 0 ? -acc : acc;/' 4x3x2
try 'the first term again in odd rows' \
    's/acc = 0.0f/acc = row % 2 ? A[row * K] * B[col] : 0.0f/' 4x3x5
try 'one more in one element of many' \
    's/= acc;/= row % 8 == 5 \&\& col == 0 ? acc + 1.0f : acc;/' 16x18x257
try 'every sixteenth term left out' 's/acc += /acc += k % 16 == 0 ? 0.0f : /' 3x4x40
try 'the next row but in one column' \
    's/A\[row \* K/A[(row + 1 < M \&\& col != 40 ? row + 1 : row) * K/' 70x70x3
# A formula that fits two terms alone; one that the map of what was read denies; a true one.
try 'the largest term' 's/acc = 0.0f/acc = -1e30f/; s/acc += \(.*\);/acc = fmaxf(acc, \1);/' 1x1x2
try 'all of A read, its first column used' \
    's/A\[row \* K + k\]/(A[row * K] + 0.0f * A[row * K + k])/' 4x3x5
try 'the first column of A' 's/A\[row \* K + k\]/A[row * K]/' 4x3x5
