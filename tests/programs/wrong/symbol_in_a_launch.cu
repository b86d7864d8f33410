// expect: host_symbol 18
#include <cstdio>

__constant__ int table[4];

__global__ void pick(const int *values, int *result) {
    result[threadIdx.x] = values[threadIdx.x];
}

int main() {
    const int host[4] = {3, 1, 4, 1};
    int picked[4];
    int *result;
    cudaMalloc(&result, sizeof picked);
    cudaMemcpyToSymbol(table, host, sizeof host);
    // A pointer to the constant array is wanted: `table` is only its name on the host.

    pick<<<1, 4>>>(table, result);
    cudaMemcpy(picked, result, sizeof picked, cudaMemcpyDeviceToHost);
    printf("%d\n", picked[2]);
    cudaFree(result);
}
