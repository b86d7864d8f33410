# The first one says what to do; a line for each of the others.
for name in total count; do
    number=$(ls lessons | grep -c '^0')
    cp -r lessons/01_sum "lessons/0$((number + 1))_$name"
    sed "s/matmul_sum/matmul_$name/" reference/sum.cu > "reference/$name.cu"
done
tilegrade stubs > /dev/null
tilegrade test
grep -v @ reference/total.cu > student/total.cu
tilegrade test
