// prints: 5 seen
// The function runs after the copy before it, in the same stream.
#include <cstdio>

struct note {
    const int *result;
    int seen;
};

static void look(void *data) {
    note *all = static_cast<note *>(data);
    all->seen = all->result[0];
}

__global__ void five(int *x) {
    *x = 5;
}

int main() {
    int *h, *d;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocHost(&h, sizeof(int));
    cudaMalloc(&d, sizeof(int));
    note all = {h, 0};
    five<<<1, 1, 0, stream>>>(d);
    cudaMemcpyAsync(h, d, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaLaunchHostFunc(stream, look, &all);
    cudaStreamSynchronize(stream);
    printf("%d seen\n", all.seen);
    cudaStreamDestroy(stream);
    cudaFree(d);
    cudaFreeHost(h);
    return 0;
}
