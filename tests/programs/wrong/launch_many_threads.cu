// expect: host_launch_failed 18  (a block of 64 x 64 has 4096 threads)
#include <cuda_runtime.h>

__global__ void transpose(float *out, const float *in, int n) {
    int x = threadIdx.x, y = threadIdx.y;
    if (x < n && y < n) {
        out[x * n + y] = in[y * n + x];
    }
}

int main() {
    const int n = 64;
    float *in, *out;
    cudaMalloc(&in, n * n * sizeof(float));
    cudaMalloc(&out, n * n * sizeof(float));
    cudaMemset(in, 0, n * n * sizeof(float));
    dim3 block(n, n);
    transpose<<<1, block>>>(out, in, n);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
