// expect: pass  (variables and parts of arrays and structs without a value, which no result uses)
#include "kernel.cuh"

#define THREADS 256
#define EACH    4

struct pair {
    float sum;
    int element;
    float spare[6];
};

__device__ __noinline__ bool find(const float *x, const float *y, int element, int N, pair *found)
{
    if (element < N) {
        found->sum = x[element] + y[element];
        found->element = element;
    }
    return element < N;
}

__global__ void vector_add(const float *__restrict__ x, const float *__restrict__ y,
                           float *__restrict__ z, int N)
{
    pair found[EACH];
    float value, largest;
    int count = 0;
    for (int e = 0; e < EACH; ++e) {
        const int i = (blockIdx.x * EACH + e) * THREADS + threadIdx.x;
        pair next;
        if (find(x, y, i, N, &next)) {
            found[count++] = next;
        }
        largest = fmaxf(next.sum, 0.0f);  // not used
    }
    value = __shfl_down_sync(0xffffffffu, largest, 1);
    for (int e = 0; e < count; ++e) {
        z[found[e].element] = N < 0 ? value : found[e].sum;
    }
}

LAUNCH_CONFIG(vector_add, N)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(N, EACH * THREADS));
}
