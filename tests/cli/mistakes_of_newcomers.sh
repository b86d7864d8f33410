# What newcomers did, each with a near miss of which the sentence is not said.
judge() { # LANGUAGE NAME EXERCISE SED…
    echo "== $2"
    mkdir -p sub
    sed "${@:4}" "$REPOSITORY/reference/$3.cu" | grep -v '//@' >sub/$3.cu
    tilegrade --root "$REPOSITORY" test --exercise "$3" --submission sub --out out \
        --language "$1" --device emu | sed -n '/^  read/q; /^  阅/q; /^$/q; p'
}
shuffle='s/sum += __shfl_down_sync(0xffffffff, sum, step);/if (threadIdx.x % 32 >= step) &/'
judge en 'a shuffle in a branch' reduction -e "$shuffle"
judge zh 'a shuffle in a branch' reduction -e "$shuffle"
judge en 'a barrier in a branch' reduction \
    -e 's/__syncthreads();  \/\/ every warp/if (lane < 16) &/'
call='s/most = f\(.*\)xor\(_sync(0xf.*\)/if (threadIdx.x % 32 >= step) most = f\1up\2/'
judge en 'a shuffle in a branch, another after it' softmax -e "$call"
judge zh 'a shuffle in a branch, another after it' softmax -e "$call"
judge en 'no bytes of the workspace' reduction -e '/launch->workspace_bytes/d'
judge zh 'no bytes of the workspace' reduction -e '/launch->workspace_bytes/d'
judge en 'a null pointer of another kind' reduction -e 's/= (unsigned \*)workspace/= nullptr/'
judge en 'the elements of a thread are forgotten' vector_add \
    -e 's/blockIdx.x \* (EACH \* THREADS)/blockIdx.x * THREADS/'
judge zh 'the elements of a thread are forgotten' vector_add \
    -e 's/blockIdx.x \* (EACH \* THREADS)/blockIdx.x * THREADS/'
judge en 'too few blocks' vector_add \
    -e 's/ceil_div(N, EACH \* THREADS)/max(1, N \/ (EACH * THREADS))/'
unset='s/int sum = 0;/int sum; begin(\&sum);/
    s/^__global__ void clear/__noinline__ __device__ void begin(int *sum) {\n}\n&/'
judge en 'a count without a first value' histogram -e "$unset"
judge zh 'a count without a first value' histogram -e "$unset"
judge en 'a count that is 1 too large' histogram -e 's/int sum = 0;/int sum = 1;/'
index='s/z\[i\] = x\[i\] + y\[i\]/z[first] = x[first]/'
judge en 'the index forgets the loop' vector_add -e "$index"
judge zh 'the index forgets the loop' vector_add -e "$index"
judge en 'a ticket that nobody draws' reduction -e 's/== gridDim.x - 1/== gridDim.x/'
judge zh 'a ticket that nobody draws' reduction -e 's/== gridDim.x - 1/== gridDim.x/'
zero='s/As\[ty\]\[tx\] = \(.*\) ? \(.*\) : 0.0f/if (\1) As[ty][tx] = \2/'
judge en 'no zero at the edge' tiled -e "$zero"
judge zh 'no zero at the edge' tiled -e "$zero"
mixed='s/row = blockIdx.y/row = blockIdx.x/; s/col = blockIdx.x/col = blockIdx.y/'
judge en 'x of the blocks for the rows' naive -e "$mixed"
judge zh 'x of the blocks for the rows' naive -e "$mixed"
judge en 'x of the blocks for the rows, and a last row that is left out' naive -e "$mixed" \
    -e 's/row < M/row < M - 1/'
turned='s,blockIdx.x \* (\(.*\)) + threadIdx.x,threadIdx.x * (\1) + blockIdx.x,'
judge zh 'the numbers of block and thread are exchanged' vector_add -e "$turned"
judge zh 'the number of blocks for that of the block' naive -e 's/blockIdx/gridDim/'
assigned='s/sum += __shfl/sum = __shfl/'
judge zh 'the value of a lane is assigned' reduction -e "$assigned"
judge en 'the value of a lane is assigned, and doubled' reduction -e "$assigned" \
    -e 's/y\[0\] = sum/y[0] = 2 * sum/'
judge zh 'the last round is missing' reduction -e 's/step > 0; step/step > 1; step/'
judge en 'the last two rounds are missing' reduction -e 's/step > 0; step/step > 2; step/'
judge zh 'down in place of xor' softmax -e 's/most, __shfl_xor/most, __shfl_down/'
judge zh 'an index in a short' naive \
    -e 's/acc += A\[row \* K + k\]/short at = row * K + k; acc += A[at]/'
judge en 'an index in an int' naive \
    -e 's/acc += A\[row \* K + k\]/int at = row * K + k - 70000; acc += A[at]/'
judge zh 'an index of fours' register_tiled \
    -e 's/\*(const float4 \*)&matrix\[\(.*\)\];/((const float4 *)matrix)[\1];/'
judge zh 'a number in place of an address' histogram -e 's/&mine\[key\]/mine[key]/'
judge en 'the check of x for y' transpose \
    -e 's/if (col + ty + i < W \&\& row + tx < H)/if (row + ty + i < H \&\& col + tx < W)/'
judge en 'rows of y as long as those of x' transpose -e 's/y\[\(.*\) \* H + row/y[\1 * W + row/'
