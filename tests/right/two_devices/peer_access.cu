// Device 0 reads the other sum where it is, if it can.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    cudaStream_t stream[PARTS];
    cudaEvent_t done[PARTS];
    float *h_x = NULL;
    float *h_sum = NULL;
    float *d_other = NULL;  // of device 0: the sum of the second part

    CHECK(cudaMallocHost(&h_x, N * sizeof(float)));
    CHECK(cudaMallocHost(&h_sum, sizeof(float)));
    memcpy(h_x, x, N * sizeof(float));
    for (int p = 0; p < PARTS; ++p) {
        CHECK(cudaSetDevice(device[p]));
        CHECK(cudaMalloc(&d_x[p], count[p] * sizeof(float)));
        CHECK(cudaMalloc(&d_sum[p], sizeof(float)));
        CHECK(cudaStreamCreate(&stream[p]));
        CHECK(cudaEventCreate(&done[p]));
    }

    for (int p = 0; p < PARTS; ++p) {
        CHECK(cudaSetDevice(device[p]));
        CHECK(cudaMemcpyAsync(d_x[p], h_x + first[p], count[p] * sizeof(float),
                              cudaMemcpyHostToDevice, stream[p]));
        CHECK(cudaMemsetAsync(d_sum[p], 0, sizeof(float), stream[p]));
        add_up<<<BLOCKS, THREADS, 0, stream[p]>>>(d_x[p], d_sum[p], count[p]);
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(done[p], stream[p]));
    }

    CHECK(cudaSetDevice(0));
    CHECK(cudaMalloc(&d_other, sizeof(float)));
    CHECK(cudaStreamWaitEvent(stream[0], done[1], 0));
    int can = device[1] == 0;  // one device needs no access to itself
    if (!can) {
        CHECK(cudaDeviceCanAccessPeer(&can, 0, device[1]));
        if (can) {
            CHECK(cudaDeviceEnablePeerAccess(device[1], 0));
        }
    }
    if (!can) {
        CHECK(cudaMemcpyPeerAsync(d_other, 0, d_sum[1], device[1], sizeof(float), stream[0]));
    }
    add_up<<<1, THREADS, 0, stream[0]>>>(can ? d_sum[1] : d_other, d_sum[0], 1);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(h_sum, d_sum[0], sizeof(float), cudaMemcpyDeviceToHost, stream[0]));
    CHECK(cudaStreamSynchronize(stream[0]));
    *sum = *h_sum;
    if (can && device[1] != 0) {
        CHECK(cudaDeviceDisablePeerAccess(device[1]));
    }

    for (int p = 0; p < PARTS; ++p) {
        CHECK(cudaSetDevice(device[p]));
        CHECK(cudaEventDestroy(done[p]));
        CHECK(cudaStreamDestroy(stream[p]));
        CHECK(cudaFree(d_x[p]));
        CHECK(cudaFree(d_sum[p]));
    }
    CHECK(cudaFree(d_other));
    CHECK(cudaFreeHost(h_x));
    CHECK(cudaFreeHost(h_sum));
    CHECK(cudaSetDevice(0));
}
