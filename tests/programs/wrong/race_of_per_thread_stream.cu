// expect: host_race 18 17
#include <cstdio>

__global__ void twice(int *x) {
    x[threadIdx.x] *= 2;
}

int main() {
    int host[64] = {1};
    int *x;
    cudaStream_t other;
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    // Nothing orders the two streams.

    twice<<<1, 64, 0, cudaStreamPerThread>>>(x);
    twice<<<1, 64, 0, other>>>(x);
    cudaDeviceSynchronize();
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
    cudaStreamDestroy(other);
    cudaFree(x);
}
