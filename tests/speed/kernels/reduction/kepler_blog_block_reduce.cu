#include "kernel.cuh"

__inline__ __device__ float warpReduceSum(float val) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        val += __shfl_down_sync(0xffffffff, val, offset);
    return val;
}
__inline__ __device__ float blockReduceSum(float val) {
    static __shared__ float shared[32];
    int lane = threadIdx.x % warpSize;
    int wid = threadIdx.x / warpSize;
    val = warpReduceSum(val);
    if (lane == 0)
        shared[wid] = val;
    __syncthreads();
    val = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
    if (wid == 0)
        val = warpReduceSum(val);
    return val;
}
__global__ void deviceReduceKernel(const float *in, float *out, int N, float *workspace) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x) {
        sum += in[i];
    }
    sum = blockReduceSum(sum);
    if (threadIdx.x == 0)
        workspace[blockIdx.x] = sum;
}
__global__ void second(const float *in, float *out, int N, float *workspace) {
    float sum = threadIdx.x < min((N + 512 - 1) / 512, 1024) ? workspace[threadIdx.x] : 0.0f;
    sum = blockReduceSum(sum);
    if (threadIdx.x == 0)
        out[0] = sum;
}
__global__ void reduction(const float *x, float *y, int N) {
}
LAUNCH_CONFIG(reduction, N) {
    int threads = 512;
    int blocks = min((N + threads - 1) / threads, 1024);
    launch->workspace_bytes = blocks * sizeof(float);
    LAUNCH(deviceReduceKernel, dim3(blocks), dim3(threads));
    LAUNCH(second, dim3(1), dim3(1024));
}
