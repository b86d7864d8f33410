// prints: 3 32
#include <cstdio>

__device__ int slots[8];

__global__ void set(int *slot) {
    slot[threadIdx.x] = 3;
}

int main() {
    int *address = nullptr, seen[8] = {0};
    size_t bytes = 0;
    cudaGetSymbolAddress((void **)&address, slots);
    cudaGetSymbolSize(&bytes, slots);
    set<<<1, 8>>>(address);
    cudaMemcpyFromSymbol(seen, slots, bytes);
    printf("%d %zu\n", seen[7], bytes);
    return 0;
}
