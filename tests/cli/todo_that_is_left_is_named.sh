# A half-written kernel gives a wrong product, and the message says which part is missing.
sed -i -e 's|^        C\[row|        //@cut 2 store\n        C[row|' \
    -e 's|= acc;|&\n        //@end|' reference/sum.cu
tilegrade stubs --force > /dev/null
cp student/sum.cu stub
sum='for (int k = 0; k < K; ++k) acc += A[row * K + k] * B[k * N + col];'
sed -i "s|^ *// TODO 1.*|&\n        $sum|" student/sum.cu
tilegrade test --exercise sum
sed 's|^ *// TODO 2.*|&\n        C[row * N + col] = acc;|' stub > student/sum.cu
tilegrade test --exercise sum
echo 'struct touched;' >> stub; cp stub student/sum.cu
tilegrade test --exercise sum
