# The block of the first stub says what to do; each of the others gets one line.
for name in total count; do
    number=$(ls lessons | grep -c '^0')
    cp -r lessons/01_sum "lessons/0$((number + 1))_$name"
    sed "s/matmul_sum/matmul_$name/" reference/sum.cu > "reference/$name.cu"
done
tilegrade stubs > /dev/null
tilegrade test
grep -v @ reference/total.cu > student/total.cu
tilegrade test
