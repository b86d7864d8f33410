// Vector addition: many threads, and each adds a few elements.
//
// Shapes   x, y and z [N], any N from 1.
// Launch   blocks of THREADS threads; a block adds EACH * THREADS elements that follow each other.
// Idea     the numbers of block and thread say which elements are mine.  Neighbouring threads have
//          neighbouring elements, so a warp reads 128 bytes that follow each other.  __restrict__
//          says that z shares no memory with x and y, so all elements are loaded before the stores.
// Limit    12 bytes of memory for one addition: only the memory counts.
// Source   CUDA C++ Programming Guide, chapter "Kernels"; several elements a thread added.
#include "kernel.cuh"

#define THREADS 128
#define EACH    4

__global__ void vector_add(const float *__restrict__ x, const float *__restrict__ y,
                           float *__restrict__ z, int N) {
    const int first = blockIdx.x * (EACH * THREADS) + threadIdx.x;

    for (int e = 0; e < EACH; ++e) {
        const int i = first + e * THREADS;
        if (i < N) {
            //@cut 1 add element i of x and element i of y, and store the sum in z
            z[i] = x[i] + y[i];
            //@end
        }
    }
}

LAUNCH_CONFIG(vector_add, N) {
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(N, EACH * THREADS));
}
