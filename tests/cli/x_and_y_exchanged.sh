# Exchanged only in the kernel, and only in the grid; then a grid that is too small.
sum_with() {
    sed "$1" reference/sum.cu > student/sum.cu
    tilegrade test --exercise sum
}
sum_with '/threadIdx/{s/\.x/.t/g; s/\.y/.x/g; s/\.t/.y/g}'
sum_with 's/ceil_div(N, 8), ceil_div(M, 8)/ceil_div(M, 8), ceil_div(N, 8)/'
sum_with 's/ceil_div(N, 8), ceil_div(M, 8)/1, 1/'
