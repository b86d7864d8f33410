// prints: 2 32 1024
#include <cstdio>

int main() {
    int count = 0, shared = 0;
    cudaDeviceProp properties;
    cudaGetDeviceCount(&count);
    for (int device = 0; device < count; device++) {
        cudaSetDevice(device);
        cudaGetDeviceProperties(&properties, device);
    }
    cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlock, 0);
    if (shared < 48 * 1024 || properties.totalGlobalMem == 0) {
        return 1;
    }
    printf("%d %d %d\n", count, properties.warpSize, properties.maxThreadsPerBlock);
    return 0;
}
