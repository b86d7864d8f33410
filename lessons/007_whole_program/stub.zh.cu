// 完整的程序：主机把两个向量复制到设备，启动把它们相加的核函数，检查每次调用，
// 把和复制回来，并释放它分配的内存。
//
// 形状     x、y 和 z [N]，在主机的内存中；任何从 1 开始的 N。
// 启动     每个线程块 THREADS 个线程，每个线程一个元素；线程块的个数足以覆盖 N 个元素。
// 思路     设备有自己的内存：d_x、d_y 和 d_z 是指向它的指针，主机传递它们，
//          但从不通过它们读写。
// 瓶颈     每做一次加法，有 12 字节经过总线往返于主机和设备之间。
// 来源     CUDA C++ Programming Guide，“Device Memory”和“Error Checking”两章。
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 256

// 如果 CUDA 的一次调用失败，就说明在哪里，并结束程序。
#define CHECK(call)                                                                      \
    do {                                                                                 \
        cudaError_t error = (call);                                                      \
        if (error != cudaSuccess) {                                                      \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(error));       \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

__global__ void add(const float *x, const float *y, float *z, int N) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        z[i] = x[i] + y[i];
    }
}

void whole_program(const float *x, const float *y, float *z, int N) {
    const size_t bytes = N * sizeof(float);
    float *d_x = NULL;
    float *d_y = NULL;
    float *d_z = NULL;

    CHECK(cudaMalloc(&d_x, bytes));
    // TODO 1（约 2 行）：用同样的方法分配 d_y 和 d_z

    // TODO 2（约 2 行）：把 x 和 y 复制到设备

    // TODO 3（约 5 行）：为 N 个元素启动 add，检查启动，并把 d_z 复制回 z

    CHECK(cudaFree(d_x));
    // TODO 4（约 2 行）：释放 d_y 和 d_z
}
