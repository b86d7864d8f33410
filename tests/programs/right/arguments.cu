// args: 12 -v
// prints: -v 66
#include <cstdio>
#include <cstdlib>

__global__ void sum(int n, unsigned long long *total) {
    if (threadIdx.x < n) {
        atomicAdd(total, (unsigned long long)threadIdx.x);
    }
}

int main(int count, char **arguments) {
    if (count != 3) {
        return 2;
    }
    unsigned long long *d_total, total;
    cudaMalloc(&d_total, sizeof total);
    cudaMemset(d_total, 0, sizeof total);
    sum<<<1, 32>>>(atoi(arguments[1]), d_total);
    cudaMemcpy(&total, d_total, sizeof total, cudaMemcpyDeviceToHost);
    printf("%s %llu\n", arguments[2], total);
    cudaFree(d_total);
    return 0;
}
