// 错误与时间：检查每次调用，并用事件测量两次复制和一个核函数。
//
// 形状     x 和 y [N]，ms [3]，在主机的内存中；任何从 1 开始的 N。
// 启动     每个线程块 THREADS 个线程，每个线程一个元素。
// 变化     与 whole_program 相比：检查会说出是哪个调用，三个步骤周围有四个事件。
// 思路     事件是流中的一个标记。设备到达标记时记下时间，
//          所以两个标记之间的时间就是它们之间的工作的时间。
// 瓶颈     复制，远远超过其他：核函数移动同样多的字节，只用很少的时间。
// 来源     CUDA C++ Programming Guide，“Error Checking”和“Events”两章。
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 256
#define MARKS   4

#define CHECK(call) check((call), #call, __LINE__)

// 如果一次调用失败，就说明是哪一个、为什么，并结束程序。
static void check(cudaError_t error, const char *call, int line) {
    // TODO 1（约 3 行）：如果 error 不是 cudaSuccess：把在哪里、为什么输出到 stderr，并 exit(1)
}

__global__ void twice(const float *x, float *y, int N) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        y[i] = 2.0f * x[i];
    }
}

void errors_and_time(const float *x, float *y, float *ms, int N) {
    const size_t bytes = N * sizeof(float);
    float *d_x = NULL;
    float *d_y = NULL;
    cudaEvent_t mark[MARKS];

    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    for (int i = 0; i < MARKS; ++i) {
        CHECK(cudaEventCreate(&mark[i]));
    }

    // TODO 2（约 8 行）：在复制、带检查的启动、复制回来的周围记录 mark[0] 到 mark[3]

    // TODO 3（约 3 行）：等待最后一个标记，并把三个时间存入 ms

    for (int i = 0; i < MARKS; ++i) {
        CHECK(cudaEventDestroy(mark[i]));
    }
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
}
