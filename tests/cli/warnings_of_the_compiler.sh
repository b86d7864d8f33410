# They help with a kernel that is wrong, the nearest first and at most two; of a right one none.
try() {
    grep -v '@' reference/sum.cu | sed "$2" >student/sum.cu
    echo "== $1"
    tilegrade test --exercise sum --size "$3" | sed -n '/^$/q; /^  read/q; /^  where/d; p'
}
try 'one | for ||' 's/row < M && col/row < M | col/' 1x1x1
try 'three at once' \
    's/float acc/int acc/; s/A\[row \* K + k\]/A[row, k]/; s/row < M/& \&\& &/' 2x2x2
try 'an unused variable' 's/acc += /int spare; acc -= /' 2x2x2
try 'a right kernel' 's/acc += /int spare; acc + 1; acc += /' 2x2x2
