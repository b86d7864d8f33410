# The sum by a function with mark $1, which a macro names, launched by LAUNCH; then $2.
launched_is() {
    local matmul='__global__ void matmul_sum(const float *, const float *,'
    matmul+='float *, int, int, int) {}'
    local launch='LAUNCH(all, dim3(ceil_div(N, 8), ceil_div(M, 8)), dim3(8, 8));'
    sed -e "/^LAUNCH_CONFIG/,\$s/^}/$launch\n$2\n}/" -e '/^    launch->/d' \
        -e "s/__global__ void matmul_sum(/$1 void sum_of_all(/" \
        -e "s/^LAUNCH_CONFIG/#define all sum_of_all\n$matmul\n&/" \
        reference/sum.cu > student/sum.cu
    tilegrade test --exercise sum
}
launched_is __device__
launched_is __global__ "launch->launch[0].kernel[0] = 'p';"
launched_is __global__
launched_is 'static __global__'
