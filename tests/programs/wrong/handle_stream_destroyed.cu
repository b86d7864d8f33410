// expect: host_handle 12 11  (the stream is destroyed before its last launch)
#include <cuda_runtime.h>

__global__ void nothing() {
}

int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    nothing<<<1, 1, 0, stream>>>();
    cudaStreamDestroy(stream);
    nothing<<<1, 1, 0, stream>>>();
    cudaDeviceSynchronize();
    return 0;
}
