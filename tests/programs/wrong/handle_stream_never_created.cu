// expect: host_handle 8  (only the first of two streams is created)
#include <cuda_runtime.h>

int main() {
    cudaStream_t streams[2] = {(cudaStream_t)12345, (cudaStream_t)12345};
    cudaStreamCreate(&streams[0]);
    cudaStreamSynchronize(streams[0]);
    cudaStreamSynchronize(streams[1]);
    cudaStreamDestroy(streams[0]);
    return 0;
}
