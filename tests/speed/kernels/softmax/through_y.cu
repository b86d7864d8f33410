#include "kernel.cuh"
#define T 256
__global__ void softmax(const float *x, float *y, int H, int W) {
    __shared__ float v[T];
    const float *from = x + blockIdx.x * W;
    float *to = y + blockIdx.x * W;
    const int t = threadIdx.x;
    float most = -3.0e38f, sum = 0.0f;
    for (int i = t; i < W; i += T)
        most = fmaxf(most, from[i]);
    v[t] = most;
    __syncthreads();
    for (int s = T / 2; s > 0; s /= 2) {
        if (t < s)
            v[t] = fmaxf(v[t], v[t + s]);
        __syncthreads();
    }
    most = v[0];
    __syncthreads();
    for (int i = t; i < W; i += T) {
        to[i] = expf(from[i] - most);
        sum += to[i];
    }
    v[t] = sum;
    __syncthreads();
    for (int s = T / 2; s > 0; s /= 2) {
        if (t < s)
            v[t] += v[t + s];
        __syncthreads();
    }
    sum = v[0];
    for (int i = t; i < W; i += T)
        to[i] /= sum;
}
LAUNCH_CONFIG(softmax, H, W) {
    launch->block = dim3(T);
    launch->grid = dim3(H);
}
