// expect: uninitialized 66  (no kernel clears the words: they hold what was there before)
#include "kernel.cuh"

#define THREADS 64
#define WARPS   (THREADS / 32)
#define ROUNDS  1               // float4 loads of a thread
#define OF_WARP (ROUNDS * 128)  // elements of a warp
#define PART    (WARPS * OF_WARP)
#define LANES   0xffffffffu

// What a part has published: one of these in the upper half of a word, and a sum in its lower half.
// Both travel in one atomic operation, so no block sees one of them without the other.
enum { EMPTY, OWN, ALL };  // nothing; the sum of the part; the sum of all elements up to its end
typedef unsigned long long word;

__device__ word packed(int state, float sum) {
    return (word)state << 32 | __float_as_uint(sum);
}

// Inclusive scan over the lanes of a warp.
__device__ float warp_scan(float sum) {
    for (int step = 1; step < 32; step *= 2) {
        const float below = __shfl_up_sync(LANES, sum, step);
        sum += threadIdx.x % 32 >= step ? below : 0.0f;
    }
    return sum;
}

// The sum of all elements before a part.  Called by one warp, whose lanes look at 32 parts at once.
__device__ float look_back(word *words, int part) {
    const int lane = threadIdx.x % 32;
    float before = 0.0f;
    bool is_done = false;
    for (int nearest = part - 1; nearest >= 0 && !is_done; nearest -= 32) {
        const int other = nearest - lane;  // below 0: there is no such part
        word seen = packed(ALL, 0.0f);
        do {
            if (other >= 0) {
                seen = atomicAdd(&words[other], 0);
            }
        } while (__any_sync(LANES, seen >> 32 == EMPTY));

        // The nearest part that knows ALL ends the way back; those beyond it add nothing.
        const unsigned knows_all = __ballot_sync(LANES, seen >> 32 == ALL);
        const int last = knows_all != 0 ? __ffs(knows_all) - 1 : 31;
        float sum = lane <= last ? __uint_as_float((unsigned)seen) : 0.0f;
        for (int step = 16; step > 0; step /= 2) {
            sum += __shfl_xor_sync(LANES, sum, step);
        }
        before += sum;
        is_done = knows_all != 0;
    }
    return before;
}

__global__ void scan_parts(const float *x, float *y, int N, float *workspace) {
    __shared__ float sums[WARPS];
    __shared__ float before;
    __shared__ int drawn;
    int *tickets = (int *)workspace;
    word *words = (word *)workspace + 1;

    // Parts go to blocks in the order in which these start, so that a part that is looked at is
    // one whose block runs.
    if (threadIdx.x == 0) {
        drawn = atomicAdd(tickets, 1);
    }
    __syncthreads();  // the number of the part is known
    const int part = drawn;
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int first = part * PART + warp * OF_WARP + lane * 4;

    float4 four[ROUNDS];
    for (int r = 0; r < ROUNDS; ++r) {
        const int i = first + r * 128;
        if (i + 3 < N) {
            four[r] = *(const float4 *)(x + i);
        } else {
            four[r].x = i < N ? x[i] : 0.0f;
            four[r].y = i + 1 < N ? x[i + 1] : 0.0f;
            four[r].z = i + 2 < N ? x[i + 2] : 0.0f;
            four[r].w = 0.0f;
        }
    }

    float of_warp = 0.0f;  // the sum of the rounds so far
    for (int r = 0; r < ROUNDS; ++r) {
        four[r].y += four[r].x;
        four[r].z += four[r].y;
        four[r].w += four[r].z;
        const float up_to = warp_scan(four[r].w);
        const float below = __shfl_up_sync(LANES, up_to, 1);
        const float offset = of_warp + (lane > 0 ? below : 0.0f);
        four[r].x += offset;
        four[r].y += offset;
        four[r].z += offset;
        four[r].w += offset;
        of_warp += __shfl_sync(LANES, up_to, 31);
    }
    if (lane == 0) {
        sums[warp] = of_warp;
    }
    __syncthreads();  // every warp has stored its sum

    if (warp == 0) {
        const float up_to = warp_scan(lane < WARPS ? sums[lane] : 0.0f);
        const float below = __shfl_up_sync(LANES, up_to, 1);
        const float own = __shfl_sync(LANES, up_to, WARPS - 1);
        if (lane == 0) {
            atomicExch(&words[part], packed(part > 0 ? OWN : ALL, own));
        }
        const float all = look_back(words, part);
        if (lane == 0) {
            before = all;
            atomicExch(&words[part], packed(ALL, all + own));
        }
        if (lane < WARPS) {
            sums[lane] = lane > 0 ? below : 0.0f;  // now the sum of the warps before
        }
    }
    __syncthreads();  // the sums before are known

    const float offset = before + sums[warp];
    for (int r = 0; r < ROUNDS; ++r) {
        const int i = first + r * 128;
        if (i + 3 < N) {
            *(float4 *)(y + i) = make_float4(four[r].x + offset, four[r].y + offset,
                                             four[r].z + offset, four[r].w + offset);
        } else if (i < N) {
            y[i] = four[r].x + offset;
            if (i + 1 < N) {
                y[i + 1] = four[r].y + offset;
            }
            if (i + 2 < N) {
                y[i + 2] = four[r].z + offset;
            }
        }
    }
}

__global__ void scan(const float *x, float *y, int N) {
}

LAUNCH_CONFIG(scan, N) {
    const int parts = ceil_div(N, PART);
    launch->workspace_bytes = sizeof(word) * (1 + parts);
    LAUNCH(scan_parts, dim3(parts), dim3(THREADS));
}
