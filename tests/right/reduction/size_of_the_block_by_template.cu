// expect: pass  (a template for each size of the block; dynamic memory of a type)
#include "kernel.cuh"

#define BLOCKS 64

// Dynamic shared memory of any type: one name can have only one type, so the name is converted.
template <class T> struct shared_memory {
    __device__ operator T *()
    {
        extern __shared__ int bytes_of_any[];
        return (T *)bytes_of_any;
    }
};

template <unsigned THREADS> __device__ float tree(float sum)
{
    float *sums = shared_memory<float>();
    const unsigned t = threadIdx.x;
    sums[t] = sum;
    __syncthreads();  // every thread has stored its sum
    if (THREADS >= 512) {
        if (t < 256) {
            sums[t] = sum = sum + sums[t + 256];
        }
        __syncthreads();
    }
    if (THREADS >= 256) {
        if (t < 128) {
            sums[t] = sum = sum + sums[t + 128];
        }
        __syncthreads();
    }
    if (THREADS >= 128) {
        if (t < 64) {
            sums[t] = sum = sum + sums[t + 64];
        }
        __syncthreads();
    }
    if (t < 32) {
        if (THREADS >= 64) {
            sum += sums[t + 32];
        }
        for (int step = 16; step > 0; step /= 2) {
            sum += __shfl_down_sync(0xffffffffu, sum, step);
        }
    }
    return sum;
}

template <unsigned THREADS, bool WHOLE>
__device__ void add(const float *from, float *to, unsigned n)
{
    const unsigned step = 2 * THREADS * gridDim.x;
    float sum = 0.0f;
    for (unsigned i = 2 * THREADS * blockIdx.x + threadIdx.x; i < n; i += step) {
        sum += from[i];
        if (WHOLE || i + THREADS < n) {
            sum += from[i + THREADS];
        }
    }
    sum = tree<THREADS>(sum);
    if (threadIdx.x == 0) {
        to[blockIdx.x] = sum;
    }
}

template <bool WHOLE> __device__ void add_by_size(const float *from, float *to, unsigned n)
{
    switch (blockDim.x) {
    case 512: add<512, WHOLE>(from, to, n); break;
    case 256: add<256, WHOLE>(from, to, n); break;
    case 128: add<128, WHOLE>(from, to, n); break;
    case 64: add<64, WHOLE>(from, to, n); break;
    default: add<32, WHOLE>(from, to, n); break;
    }
}

__global__ void reduction(const float *x, float *y, int N, float *workspace)
{
    if (N % (2 * blockDim.x) == 0) {
        add_by_size<true>(x, workspace, N);
    } else {
        add_by_size<false>(x, workspace, N);
    }
}

__global__ void add_sums(const float *x, float *y, int N, float *workspace)
{
    const int sums = min(BLOCKS, ceil_div(N, 1024));
    add<32, false>(workspace, y, sums);
}

LAUNCH_CONFIG(reduction, N)
{
    int threads = 512;
    while (threads > 32 && 2 * threads > N) {
        threads /= 2;
    }
    launch->workspace_bytes = sizeof(float) * BLOCKS;
    LAUNCH(reduction, dim3(min(BLOCKS, ceil_div(N, 1024))), dim3(threads), threads * sizeof(float));
    LAUNCH(add_sums, dim3(1), dim3(32), 32 * sizeof(float));
}
