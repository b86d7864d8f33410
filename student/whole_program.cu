// A whole program: the host copies two vectors to the device, launches a kernel that adds them,
// checks each call, copies the sum back and frees what it has allocated.
//
// Shapes   x, y and z [N], in the host's memory; any N from 1.
// Launch   blocks of THREADS threads, one element a thread; as many blocks as cover N elements.
// Idea     the device has a memory of its own: d_x, d_y and d_z are pointers into it, which the
//          host passes on but never reads through.
// Limit    12 bytes cross the bus to the device and back for each addition.
// Source   CUDA C++ Programming Guide, chapters "Device Memory" and "Error Checking".
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 256

// Ends the program if a call of CUDA has failed, and says where.
#define CHECK(call)                                                                      \
    do {                                                                                 \
        cudaError_t error = (call);                                                      \
        if (error != cudaSuccess) {                                                      \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(error));       \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

__global__ void add(const float *x, const float *y, float *z, int N) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        z[i] = x[i] + y[i];
    }
}

void whole_program(const float *x, const float *y, float *z, int N) {
    const size_t bytes = N * sizeof(float);
    float *d_x = NULL;
    float *d_y = NULL;
    float *d_z = NULL;

    CHECK(cudaMalloc(&d_x, bytes));
    // TODO 1 (about 2 lines): allocate d_y and d_z in the same way

    // TODO 2 (about 2 lines): copy x and y to the device

    // TODO 3 (about 5 lines): launch add for N elements, check the launch, and copy d_z back to z

    CHECK(cudaFree(d_x));
    // TODO 4 (about 2 lines): free d_y and d_z
}
