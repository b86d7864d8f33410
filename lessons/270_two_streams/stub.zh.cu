// 两个流：数组分成几份经过设备，各份轮流使用两个流，
// 使一份的复制和另一份的核函数可以同时进行。
//
// 形状     x 和 y [N]，在主机的内存中；任何从 1 开始的 N。
// 启动     对每一份，每个线程块 THREADS 个线程，每个线程一个元素。
// 变化     与 errors_and_time 相比：锁页内存、cudaMemcpyAsync，
//          每隔一份用一个自己的缓冲区和流。
// 思路     流是设备的一个队列：一份的复制、核函数和复制回来保持它们的顺序，
//          两个队列之间没有顺序。
// 瓶颈     总线两个方向中较忙的一个。
// 来源     CUDA C++ Programming Guide，“Streams”和“Page-Locked Host Memory”两章。
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PART    1024
#define THREADS 256
#define STREAMS 2

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t error, const char *call, int line) {
    if (error != cudaSuccess) {
        fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(error));
        exit(1);
    }
}

__global__ void polynomial(const float *x, float *y, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        y[i] = x[i] * x[i] + x[i];
    }
}

void two_streams(const float *x, float *y, int N) {
    float *h_x = NULL;
    float *h_y = NULL;
    float *d_x[STREAMS];
    float *d_y[STREAMS];
    cudaStream_t stream[STREAMS];

    CHECK(cudaMallocHost(&h_x, N * sizeof(float)));
    CHECK(cudaMallocHost(&h_y, N * sizeof(float)));
    for (int s = 0; s < STREAMS; ++s) {
        CHECK(cudaStreamCreate(&stream[s]));
        CHECK(cudaMalloc(&d_x[s], PART * sizeof(float)));
        CHECK(cudaMalloc(&d_y[s], PART * sizeof(float)));
    }
    memcpy(h_x, x, N * sizeof(float));

    for (int first = 0; first < N; first += PART) {
        const int s = first / PART % STREAMS;
        const int count = N - first < PART ? N - first : PART;
        // TODO 1（约 7 行）：在 stream[s] 中：把这一份复制过去，启动 polynomial 并检查，复制回来
    }

    // TODO 2（约 2 行）：等待两个流
    memcpy(y, h_y, N * sizeof(float));

    for (int s = 0; s < STREAMS; ++s) {
        CHECK(cudaStreamDestroy(stream[s]));
        CHECK(cudaFree(d_x[s]));
        CHECK(cudaFree(d_y[s]));
    }
    CHECK(cudaFreeHost(h_x));
    CHECK(cudaFreeHost(h_y));
}
