# The compiler's pattern shows sums that were never set, which tests/emu compiles without.  With a
# scale_d of 0 they need not be.
mkdir kernels
sed 's/acc\[BLOCK \/ 2\] = {};/acc[BLOCK \/ 2];/' \
    "$REPOSITORY/tests/right/tensor_core/wgmma_tf32.cu" >kernels/tensor_core.cu
run() {
    tilegrade --root "$REPOSITORY" test --exercise tensor_core --submission kernels --out kernels \
        --size 8x8x40
}
run
echo "exit $?"
sed -i 's/b + k \/ 4, 1);/b + k \/ 4, k0 + k > 0);/' kernels/tensor_core.cu
run | head -n 1
