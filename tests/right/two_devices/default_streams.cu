// The default stream of each device, and copies that wait.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define PARTS   2
#define BLOCKS  4
#define THREADS 256

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t error, const char *call, int line) {
    if (error != cudaSuccess) {
        fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(error));
        exit(1);
    }
}

// Adds count elements of x to *sum.
__global__ void add_up(const float *x, float *sum, int count) {
    __shared__ float part[THREADS];
    float acc = 0.0f;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < count; i += gridDim.x * THREADS) {
        acc += x[i];
    }
    part[threadIdx.x] = acc;
    for (int step = THREADS / 2; step > 0; step /= 2) {
        __syncthreads();  // part has the sums of the step before
        if (threadIdx.x < step) {
            part[threadIdx.x] += part[threadIdx.x + step];
        }
    }
    if (threadIdx.x == 0) {
        atomicAdd(sum, part[0]);
    }
}

void two_devices(const float *x, float *sum, int N) {
    int devices = 0;
    CHECK(cudaGetDeviceCount(&devices));
    const int device[PARTS] = {0, devices > 1 ? 1 : 0};  // a lone device does both parts
    const int first[PARTS] = {0, N / 2};
    const int count[PARTS] = {N / 2, N - N / 2};
    float *d_x[PARTS] = {NULL, NULL};
    float *d_sum[PARTS] = {NULL, NULL};
    float *d_other = NULL;  // of device 0: the sum of the second part

    for (int p = 0; p < PARTS; ++p) {
        CHECK(cudaSetDevice(device[p]));
        CHECK(cudaMalloc(&d_x[p], count[p] * sizeof(float)));
        CHECK(cudaMalloc(&d_sum[p], sizeof(float)));
    }

    for (int p = 0; p < PARTS; ++p) {
        CHECK(cudaSetDevice(device[p]));
        CHECK(cudaMemcpy(d_x[p], x + first[p], count[p] * sizeof(float), cudaMemcpyHostToDevice));
        CHECK(cudaMemset(d_sum[p], 0, sizeof(float)));
        add_up<<<BLOCKS, THREADS>>>(d_x[p], d_sum[p], count[p]);
        CHECK(cudaGetLastError());
    }

    CHECK(cudaSetDevice(0));
    CHECK(cudaMalloc(&d_other, sizeof(float)));
    CHECK(cudaMemcpyPeer(d_other, 0, d_sum[1], device[1], sizeof(float)));
    add_up<<<1, THREADS>>>(d_other, d_sum[0], 1);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(sum, d_sum[0], sizeof(float), cudaMemcpyDeviceToHost));

    for (int p = 0; p < PARTS; ++p) {
        CHECK(cudaSetDevice(device[p]));
        CHECK(cudaFree(d_x[p]));
        CHECK(cudaFree(d_sum[p]));
    }
    CHECK(cudaFree(d_other));
    CHECK(cudaSetDevice(0));
}
