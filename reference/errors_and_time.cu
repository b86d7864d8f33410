// Errors and time: each call is checked, and events measure two copies and a kernel.
//
// Shapes   x and y [N], ms [3], in the host's memory; any N from 1.
// Launch   blocks of THREADS threads, one element a thread.
// Change   against whole_program: a check that names the call, and four events around three steps.
// Idea     an event is a mark in the stream.  The device notes the time when it comes to the mark,
//          so the time between two marks is that of the work between them.
// Limit    the copies, by far: the kernel moves as many bytes in a fraction of their time.
// Source   CUDA C++ Programming Guide, chapters "Error Checking" and "Events".
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 256
#define MARKS   4

#define CHECK(call) check((call), #call, __LINE__)

// Ends the program if a call has failed, and says which one and why.
static void check(cudaError_t error, const char *call, int line) {
    //@cut 1 if error is not cudaSuccess: print where and why to stderr, and exit(1)
    if (error != cudaSuccess) {
        fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(error));
        exit(1);
    }
    //@end
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

    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    for (int i = 0; i < MARKS; ++i) {
        CHECK(cudaEventCreate(&mark[i]));
    }

    //@cut 2 record mark[0] to mark[3] around copy, checked launch and copy back
    CHECK(cudaEventRecord(mark[0]));
    CHECK(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaEventRecord(mark[1]));
    twice<<<(N + THREADS - 1) / THREADS, THREADS>>>(d_x, d_y, N);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(mark[2]));
    CHECK(cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaEventRecord(mark[3]));
    //@end

    //@cut 3 wait for the last mark, and store the three times in ms
    CHECK(cudaEventSynchronize(mark[MARKS - 1]));
    for (int i = 0; i + 1 < MARKS; ++i) {
        CHECK(cudaEventElapsedTime(&ms[i], mark[i], mark[i + 1]));
    }
    //@end

    for (int i = 0; i < MARKS; ++i) {
        CHECK(cudaEventDestroy(mark[i]));
    }
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
}
