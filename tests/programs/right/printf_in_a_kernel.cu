// prints: before
// prints: thread 0 of block 0
// prints: thread 1 of block 0
// prints: after
#include <stdio.h>

__global__ void hello() {
    printf("thread %d of block %d\n", threadIdx.x, blockIdx.x);
}

int main() {
    printf("before\n");
    hello<<<1, 2>>>();
    cudaDeviceSynchronize();
    printf("after\n");
    return 0;
}
