# The first hint after a test is about its verdict; then come the TODOs, of which those that are
# done are left out.
cat >>lessons/01_sum/hints.md <<'END'

## out_of_bounds: the edge

### question

Which elements are there?
END
printf '\n## build_error\n\nIt is no C++.\n\n```\nx\n```\n\nTry: read.\n' >>lessons/verdicts.md
edit() { sed -i "$1" student/sum.cu; }
hint() { tilegrade hint "$@" sum | grep -v '^$'; }
edit 's|// TODO 1.*|&\n        acc += A[row * K + K] * B[col];|'
hint
echo "== tested"
tilegrade test --exercise sum | head -n 1
for i in 1 2 3 4; do hint; done
echo "== changed"
edit 's|// TODO 1.*|&\n|'
hint
echo "== the same verdict again"
tilegrade test --exercise sum | head -n 1
hint
echo "== a verdict without a hint of its own"
edit 's|acc += A.*|acc += A[row * K]|'
tilegrade test --exercise sum | head -n 1
hint
hint
echo "== again"
hint --hint 1 | grep TODO
hint --hint out_of_bounds | head -n 1
tilegrade hint --hint 7 sum
tilegrade hint --hint crash sum
hint --hint 0 | head -n 1
echo "== passed"
cp reference/sum.cu student/sum.cu
tilegrade test --exercise sum | head -n 1
hint
