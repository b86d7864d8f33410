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
    //@cut 1 allocate d_y and d_z in the same way
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_z, bytes));
    //@end

    //@cut 2 copy x and y to the device
    CHECK(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice));
    //@end

    //@cut 3 launch add for N elements, check the launch, and copy d_z back to z
    const dim3 block(THREADS);
    const dim3 grid((N + THREADS - 1) / THREADS);
    add<<<grid, block>>>(d_x, d_y, d_z, N);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(z, d_z, bytes, cudaMemcpyDeviceToHost));
    //@end

    CHECK(cudaFree(d_x));
    //@cut 4 free d_y and d_z
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    //@end
}
