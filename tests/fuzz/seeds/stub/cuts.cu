// Title
__global__ void matmul_sum(const float *A) {
    //@cut 1 load one element
    float x = A[0];
    //@end
    //@cut 2 and say so
    //@stub     int y = 0;
    int y = 1;
    //@end
}
