// prints: 2 devices, 1 can use 0: 1
// prints: sum 3072, ranks 10 11, counts 512 512, peer 6
// A sum that is split over the devices; each has its own variables, streams and events.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

__constant__ int rank;
__device__ int count;

__global__ void add_up(const float *x, float *sum, int *my_rank, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(sum, x[i]);
        atomicAdd(&count, 1);
    }
    if (i == 0) {
        *my_rank = rank;
    }
}

__global__ void twice(float *to, const float *from) {
    *to = 2.0f * *from;
}

int main() {
    int devices = 0, can = 0;
    cudaGetDeviceCount(&devices);
    cudaDeviceCanAccessPeer(&can, 1, 0);
    printf("%d devices, 1 can use 0: %d\n", devices, can);

    const int n = 1024, part = n / 2;
    std::vector<float> x(n, 3.0f);
    float *d_x[2], *d_sum[2];
    int *d_rank[2], ranks[2], counts[2];
    cudaStream_t stream[2];
    cudaEvent_t done[2];
    for (int d = 0; d < 2; d++) {
        int my_rank = 10 + d;
        cudaSetDevice(d);
        cudaStreamCreate(&stream[d]);
        cudaEventCreate(&done[d]);
        cudaMalloc(&d_x[d], part * sizeof(float));
        cudaMalloc(&d_sum[d], sizeof(float));
        cudaMalloc(&d_rank[d], sizeof(int));
        cudaMemcpyToSymbol(rank, &my_rank, sizeof my_rank);
        cudaMemcpyAsync(d_x[d], x.data() + d * part, part * sizeof(float), cudaMemcpyHostToDevice,
                        stream[d]);
        cudaMemsetAsync(d_sum[d], 0, sizeof(float), stream[d]);
    }
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        add_up<<<4, 128, 0, stream[d]>>>(d_x[d], d_sum[d], d_rank[d], part);
        cudaEventRecord(done[d], stream[d]);
    }

    // Device 0 waits for device 1, gets its sum, and then reads it where it is.
    cudaSetDevice(0);
    float *d_other, *d_peer, sum[2], peer;
    cudaMalloc(&d_other, sizeof(float));
    cudaMalloc(&d_peer, sizeof(float));
    cudaStreamWaitEvent(stream[0], done[1], 0);
    cudaMemcpyPeerAsync(d_other, 0, d_sum[1], 1, sizeof(float), stream[0]);
    cudaMemcpyAsync(&sum[0], d_sum[0], sizeof(float), cudaMemcpyDeviceToHost, stream[0]);
    cudaMemcpyAsync(&sum[1], d_other, sizeof(float), cudaMemcpyDeviceToHost, stream[0]);
    cudaStreamSynchronize(stream[0]);

    cudaDeviceEnablePeerAccess(1, 0);
    twice<<<1, 1, 0, stream[0]>>>(d_peer, d_x[1]);
    cudaStreamSynchronize(stream[0]);
    cudaMemcpyPeer(d_sum[1], 1, d_peer, 0, sizeof(float));
    cudaMemcpy(&peer, d_sum[1], sizeof(float), cudaMemcpyDeviceToHost);

    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaMemcpyFromSymbol(&counts[d], count, sizeof(int));
        cudaMemcpy(&ranks[d], d_rank[d], sizeof(int), cudaMemcpyDeviceToHost);
        cudaEventDestroy(done[d]);
        cudaStreamDestroy(stream[d]);
        cudaFree(d_x[d]);
        cudaFree(d_sum[d]);
        cudaFree(d_rank[d]);
    }
    cudaFree(d_other);
    cudaFree(d_peer);
    printf("sum %g, ranks %d %d, counts %d %d, peer %g\n", sum[0] + sum[1], ranks[0], ranks[1],
           counts[0], counts[1], peer);
    return 0;
}
