tilegrade stubs
grep -v @ reference/sum.cu > student/sum.cu
tilegrade stubs
rm student/sum.cu
tilegrade stubs
echo work > student/sum.cu
tilegrade stubs --force
grep TODO student/sum.cu
