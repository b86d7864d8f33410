# gdb stops in the thread of the last finding, at its line and where the checkers report it, with
# the inputs of the failing case; `run` begins again.
gdb -batch -ex run --args /bin/true 2>/dev/null | grep -q 'exited normally' ||
    { echo "skip: needs gdb"; exit; }
grep -v '@' reference/sum.cu | sed 's/int row = /__shared__ int tile[4]; &/
    s/if (row < M && col < N)/if (row == 0 \&\& col == 4) tile[2] = 7;/' >student/sum.cu
# debug WORDS COMMAND…: what our own command says, the places where it stops, and values.
debug() {
    local words=$1
    shift
    # shellcheck disable=SC2086
    printf '%s\n' "$@" | HOME=$PWD tilegrade debug sum $words 2>&1 |
        sed -n "s|$PWD/||; s/^\((gdb) \)*//
            /^size\|^Break.* at student\|^#.* at student\|^mistake\|^.[0-9]* = /p" |
        sed 's/0x[0-9a-f]*/ADDRESS/g; s/^#[0-9]*/#/'
}
echo 'set width 0' >.gdbinit  # long lines are not broken
tilegrade test --exercise sum | sed -n '1,3p; /where/p'
echo '== the finding'
debug '' 'print threadIdx' 'print row' 'print col' 'print tile' 'print A[0]' continue 'print k' \
    'disable 2' continue 'print k' 'enable 2' run 'print blockDim'
echo '== another size'
debug '--size 9x16x1' 'print threadIdx' 'print row' 'print col'
echo '== no such thing'
PATH=$PWD "$(command -v tilegrade)" debug sum
tilegrade debug
echo 'void' >student/sum.cu
tilegrade debug sum
