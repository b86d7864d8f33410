// expect: host_handle 8  (the event is a copy from before its creation)
#include <cuda_runtime.h>

int main() {
    cudaEvent_t done = nullptr;
    cudaEvent_t kept = done;
    cudaEventCreate(&done);
    cudaEventRecord(kept, 0);
    cudaEventDestroy(done);
    return 0;
}
