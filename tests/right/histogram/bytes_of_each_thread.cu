// expect: pass  (each thread counts in bytes of its own, 64 keys at a time)
#include "kernel.cuh"

#define THREADS 64
#define BINS    64   // counted at a time
#define WORDS   60   // loads of a thread: fewer than 256 keys, so that a byte can count them
#define PART    (4 * WORDS * THREADS)

__device__ void count_word(uint8_t *mine, unsigned word, unsigned high)
{
    for (int k = 0; k < 32; k += 8) {
        const unsigned key = word >> k & 255;
        if (key / BINS == high) {
            mine[key % BINS * THREADS]++;
        }
    }
}

__global__ void count_parts(const uint8_t *keys, int *counts, int N, float *workspace)
{
    __shared__ uint8_t bytes[BINS * THREADS];
    int *parts = (int *)workspace;
    const unsigned *words = (const unsigned *)keys;
    const int t = threadIdx.x;
    // threads that are 16 apart share a word of four bytes, so 16 neighbours have 16 banks
    uint8_t *mine = bytes + (t % 16 * 4 + t / 16);

    for (unsigned high = 0; high < 256 / BINS; ++high) {
        for (int i = t; i < BINS * THREADS / 4; i += THREADS) {
            ((unsigned *)bytes)[i] = 0;
        }
        __syncthreads();  // every byte is 0
        for (int k = 0; k < WORDS; ++k) {
            const int i = blockIdx.x * (PART / 4) + k * THREADS + t;
            if (i < N / 4) {
                count_word(mine, words[i], high);
            } else {
                for (int j = 4 * i; j < min(N, 4 * i + 4); ++j) {
                    if (keys[j] / BINS == high) {
                        mine[keys[j] % BINS * THREADS]++;
                    }
                }
            }
        }
        __syncthreads();  // all keys are counted
        int sum = 0;
        for (int k = 0; k < THREADS; ++k) {
            sum += bytes[t * THREADS + (4 * t + k) % THREADS];
        }
        parts[blockIdx.x * 256 + high * BINS + t] = sum;
        __syncthreads();  // the bytes are read before they are 0 again
    }
}

__global__ void merge(const uint8_t *keys, int *counts, int N, float *workspace)
{
    const int *parts = (const int *)workspace;
    int sum = 0;
    for (int p = threadIdx.x; p < ceil_div(N, PART); p += 32) {
        sum += parts[p * 256 + blockIdx.x];
    }
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    }
    if (threadIdx.x == 0) {
        counts[blockIdx.x] = sum;
    }
}

__global__ void histogram(const uint8_t *keys, int *counts, int N)
{
}

LAUNCH_CONFIG(histogram, N)
{
    const int parts = ceil_div(N, PART);
    launch->workspace_bytes = sizeof(int) * 256 * parts;
    LAUNCH(count_parts, dim3(parts), dim3(THREADS));
    LAUNCH(merge, dim3(256), dim3(32));
}
