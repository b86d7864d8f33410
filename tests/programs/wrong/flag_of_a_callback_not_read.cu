// expect: host_race 23 21  (the flag is set, and nothing reads it)
#include <atomic>
#include <cstdio>

__global__ void number(int *x) {
    x[threadIdx.x] = threadIdx.x;
}

static void tell(void *flag) {
    static_cast<std::atomic<bool> *>(flag)->store(true, std::memory_order_release);
}

int main() {
    int *x, *d_x;
    std::atomic<bool> is_done{false};
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocHost(&x, 32 * sizeof(int));
    cudaMalloc(&d_x, 32 * sizeof(int));
    number<<<1, 32, 0, stream>>>(d_x);
    cudaMemcpyAsync(x, d_x, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaLaunchHostFunc(stream, tell, &is_done);
    printf("%d\n", x[31]);
    cudaStreamDestroy(stream);
    cudaFreeHost(x);
    cudaFree(d_x);
    return 0;
}
