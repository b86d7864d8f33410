// prints: 33 44
#include <cstdio>
#include <cuda_runtime.h>

#define SHARED_BY_BOTH __managed__
#define FIXED          __constant__

SHARED_BY_BOTH __device__ int count;
SHARED_BY_BOTH int limit;
int of_the_host = 1;
FIXED int step;

__global__ void add_up() {
    count += limit + step;
}

int main() {
    int one = 1;
    cudaMemcpyToSymbol(step, &one, sizeof one);
    count = 22;
    limit = 10;
    add_up<<<1, 1>>>();
    cudaDeviceSynchronize();
    printf("%d", count);
    add_up<<<1, 1>>>();
    cudaDeviceSynchronize();
    printf(" %d\n", count * of_the_host);
    return 0;
}
