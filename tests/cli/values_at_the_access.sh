# Nine mistakes that leave the same arrays, told apart by the values of the thread that did it.
try() {
    grep -v '@' reference/sum.cu | sed "$2" >student/sum.cu
    echo "== $1"
    tilegrade test --exercise sum | sed -n '/^  where/q; 2,$p'
}
try 'no check' 's/if (row < M && col < N)//'
try 'or' 's/&&/||/'
try 'one too many' 's/row < M && col < N/row <= M \&\& col <= N/'
try 'assigned' 's/row < M/row = M/'
try 'ends at once' 's/col < N) {/col < N); {/'
try 'columns unchecked' 's/ && col < N//'
try 'sizes swapped' 's/row < M && col < N/row < N \&\& col < M/'
try 'parameters in another order' '/__global__/s/int M, int N/int N, int M/'
try 'K shadowed' 's/acc = 0.0f;/acc = 0.0f; int K = 8;/'
# Nothing is said where a second look may differ: the index changes a variable.
try 'the index counts' 's/A\[row \* K + k\]/A[row * K + K * k++]/'
# Not only bounds: a chosen element, a divisor.
try 'chosen' 's/A\[row \* K + k\]/(k <= K ? A[row * K + k + 1] : 0.0f)/'
try 'divided' 's/acc = 0.0f;/acc = 0.0f; int part = row \/ (M - 1); acc += part;/'
try 'past an array' \
    's/acc = 0.0f;/acc = 0.0f; __shared__ float s[8], t[8]; s[0] = acc; acc += s[0] + t[col];/'
# A helper, and a helper of a helper: where the kernel calls it.
helper='__device__ float at(const float *X, int i) { return X[i]; }'
try 'in a helper' "s/__global__/$helper\n&/; s/A\[row \* K + k\]/at(A, row * K + k + 1)/"
try 'two calls' "s/__global__/$helper\n&/
    s/A\[row \* K + k\]/(at(A, row * K) +\nat(A, row * K + k + 1))/"
outer='__device__ float get(const float *X, int i) { return at(X, i); }'
try 'called by a helper' "s/__global__/$helper\n$outer\n&/
    s/A\[row \* K + k\]/get(A, row * K + k + 1)/"
