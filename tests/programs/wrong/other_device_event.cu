// expect: host_other_device 8 6  (the event belongs to device 0)
#include <cuda_runtime.h>

int main() {
    cudaEvent_t done;
    cudaEventCreate(&done);
    cudaSetDevice(1);
    cudaEventRecord(done);
    cudaEventSynchronize(done);
    cudaEventDestroy(done);
    return 0;
}
