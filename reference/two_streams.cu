// Two streams: the array goes through the device in parts, and the parts take two streams in turn,
// so that the copies of one part and the kernel of another can run at the same time.
//
// Shapes   x and y [N], in the host's memory; any N from 1.
// Launch   for each part, blocks of THREADS threads, one element a thread.
// Change   against errors_and_time: pinned memory, cudaMemcpyAsync, a buffer and a stream each for
//          every second part.
// Idea     a stream is a queue of the device: copy in, kernel and copy back of a part stay in their
//          order, and nothing orders the two queues.
// Limit    the bus in the busier of its two directions.
// Source   CUDA C++ Programming Guide, chapters "Streams" and "Page-Locked Host Memory".
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
        //@cut 1 in stream[s]: copy the part in, launch polynomial, check it, copy back
        CHECK(cudaMemcpyAsync(d_x[s], h_x + first, count * sizeof(float), cudaMemcpyHostToDevice,
                              stream[s]));
        polynomial<<<(count + THREADS - 1) / THREADS, THREADS, 0, stream[s]>>>(d_x[s], d_y[s],
                                                                               count);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(h_y + first, d_y[s], count * sizeof(float), cudaMemcpyDeviceToHost,
                              stream[s]));
        //@end
    }

    //@cut 2 wait for both streams
    for (int s = 0; s < STREAMS; ++s) {
        CHECK(cudaStreamSynchronize(stream[s]));
    }
    //@end
    memcpy(y, h_y, N * sizeof(float));

    for (int s = 0; s < STREAMS; ++s) {
        CHECK(cudaStreamDestroy(stream[s]));
        CHECK(cudaFree(d_x[s]));
        CHECK(cudaFree(d_y[s]));
    }
    CHECK(cudaFreeHost(h_x));
    CHECK(cudaFreeHost(h_y));
}
