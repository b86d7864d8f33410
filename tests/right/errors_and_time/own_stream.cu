// A stream of its own, pinned memory and asynchronous copies.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 256
#define MARKS   4

#define CHECK(call) check((call), #call, __LINE__)

// Ends the program if a call has failed, and says which one and why.
static void check(cudaError_t error, const char *call, int line) {
    if (error != cudaSuccess) {
        fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(error));
        exit(1);
    }
}

__global__ void twice(const float *x, float *y, int N) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        y[i] = 2.0f * x[i];
    }
}

void errors_and_time(const float *x, float *y, float *ms, int N) {
    const size_t bytes = N * sizeof(float);
    float *d_x = NULL;
    float *d_y = NULL;
    cudaEvent_t mark[MARKS];
    cudaStream_t stream;
    float *h = NULL;

    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMallocHost(&h, bytes));
    memcpy(h, x, bytes);

    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    for (int i = 0; i < MARKS; ++i) {
        CHECK(cudaEventCreate(&mark[i]));
    }

    CHECK(cudaEventRecord(mark[0], stream));
    CHECK(cudaMemcpyAsync(d_x, h, bytes, cudaMemcpyHostToDevice, stream));
    CHECK(cudaEventRecord(mark[1], stream));
    twice<<<(N + THREADS - 1) / THREADS, THREADS, 0, stream>>>(d_x, d_y, N);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(mark[2], stream));
    CHECK(cudaMemcpyAsync(h, d_y, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaEventRecord(mark[3], stream));

    CHECK(cudaEventSynchronize(mark[MARKS - 1]));
    memcpy(y, h, bytes);
    for (int i = 0; i + 1 < MARKS; ++i) {
        CHECK(cudaEventElapsedTime(&ms[i], mark[i], mark[i + 1]));
    }

    for (int i = 0; i < MARKS; ++i) {
        CHECK(cudaEventDestroy(mark[i]));
    }
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFreeHost(h));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
}
