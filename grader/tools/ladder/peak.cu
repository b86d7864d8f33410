// The number of multiply-adds that a GPU does in a second if nothing else limits it: each thread
// has several independent chains in registers, enough to hide the latency of a multiply-add.

#define CHAINS 16

extern "C" __global__ void fma_peak(float *out, int rounds)
{
    float sum[CHAINS];
    float factor = 1.0f - 1e-6f * threadIdx.x;
    for (int i = 0; i < CHAINS; i++) {
        sum[i] = (float)(threadIdx.x + i);
    }
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (int i = 0; i < CHAINS; i++) {
            sum[i] = fmaf(sum[i], factor, 0.5f);
        }
    }
    float all = 0.0f;
    for (int i = 0; i < CHAINS; i++) {
        all += sum[i];
    }
    if (all == -1.0f) {  // never true, but the compiler does not know that
        *out = all;
    }
}
