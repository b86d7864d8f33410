# The thread that does not come to a barrier, and the values of the condition that keeps it away.
try() {
    grep -v '@' reference/sum.cu | sed "$2" >student/sum.cu
    echo "== $1"
    tilegrade test --exercise sum | sed -n '/^  where/q; 2,$p'
}
try 'in a branch' 's/float acc = 0.0f;/& __syncthreads();/'
try 'in the other branch' 's/if (row < M && col < N) {/\
    if (row < M) {} else { __syncthreads(); }\n&/'
try 'left before' 's/if (row < M && col < N) {/\
    for (;;) { if (col >= N) break; __syncthreads(); break; }\n&/'
try 'in a loop' 's/if (row < M && col < N) {/\
    for (int t = row; t < M; ++t) { __syncthreads(); }\n&/'
# Near misses: a condition that changes something, and one that has another value by now.
try 'changes' 's/if (row < M && col < N) {/int n = row; if (n++ < M) { __syncthreads(); }\n&/'
try 'another value' 's/if (row < M && col < N) {/\
    for (int t = 0; t < 2; ++t) { if (row + t < M) { __syncthreads(); } }\n&/'
