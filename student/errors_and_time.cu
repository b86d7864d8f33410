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
    // TODO 1 (about 3 lines): if error is not cudaSuccess: print where and why to stderr, and exit(1)
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

    // TODO 2 (about 8 lines): record mark[0] to mark[3] around copy, checked launch and copy back

    // TODO 3 (about 3 lines): wait for the last mark, and store the three times in ms

    for (int i = 0; i < MARKS; ++i) {
        CHECK(cudaEventDestroy(mark[i]));
    }
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
}
