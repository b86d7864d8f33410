// The host waits part by part.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PART    1024
#define THREADS 256
#define STREAMS 2

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t error, const char *call, int line) {
    if (error != cudaSuccess) {
        fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(error));
        exit(1);
    }
}

__global__ void polynomial(const float *x, float *y, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        y[i] = x[i] * x[i] + x[i];
    }
}

void two_streams(const float *x, float *y, int N) {
    float *h_x = NULL;
    float *h_y = NULL;
    float *d_x[STREAMS];
    float *d_y[STREAMS];
    cudaStream_t stream[STREAMS];

    CHECK(cudaMallocHost(&h_x, N * sizeof(float)));
    CHECK(cudaMallocHost(&h_y, N * sizeof(float)));
    for (int s = 0; s < STREAMS; ++s) {
        CHECK(cudaStreamCreate(&stream[s]));
        CHECK(cudaMalloc(&d_x[s], PART * sizeof(float)));
        CHECK(cudaMalloc(&d_y[s], PART * sizeof(float)));
    }
    memcpy(h_x, x, N * sizeof(float));

    for (int first = 0; first < N; first += PART) {
        const int s = first / PART % STREAMS;
        const int count = N - first < PART ? N - first : PART;
        CHECK(cudaMemcpyAsync(d_x[s], h_x + first, count * sizeof(float), cudaMemcpyHostToDevice,
                              stream[s]));
        polynomial<<<(count + THREADS - 1) / THREADS, THREADS, 0, stream[s]>>>(d_x[s], d_y[s],
                                                                               count);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(h_y + first, d_y[s], count * sizeof(float), cudaMemcpyDeviceToHost,
                              stream[s]));
    }

    for (int first = 0; first < N; first += PART) {
        const int count = N - first < PART ? N - first : PART;
        CHECK(cudaStreamSynchronize(stream[first / PART % STREAMS]));
        memcpy(y + first, h_y + first, count * sizeof(float));
    }

    for (int s = 0; s < STREAMS; ++s) {
        CHECK(cudaStreamDestroy(stream[s]));
        CHECK(cudaFree(d_x[s]));
        CHECK(cudaFree(d_y[s]));
    }
    CHECK(cudaFreeHost(h_x));
    CHECK(cudaFreeHost(h_y));
}
