// 向量加法：许多线程，每个线程相加几个元素。
//
// 形状     x、y 和 z [N]，任何从 1 开始的 N。
// 启动     每个线程块 THREADS 个线程；一个线程块相加 EACH * THREADS 个连续的元素。
// 思路     线程块和线程的编号说明哪些元素归我。相邻的线程负责相邻的元素，
//          所以一个线程束读取连续的 128 字节。__restrict__ 说明 z 与 x、y
//          不共用内存，所以所有元素都在存储之前加载。
// 瓶颈     一次加法要 12 字节内存：只有内存的速度起作用。
// 来源     CUDA C++ Programming Guide，“Kernels”一章；每个线程几个元素是另加的。
#include "kernel.cuh"

#define THREADS 128
#define EACH    4

__global__ void vector_add(const float *__restrict__ x, const float *__restrict__ y,
                           float *__restrict__ z, int N) {
    const int first = blockIdx.x * (EACH * THREADS) + threadIdx.x;

    for (int e = 0; e < EACH; ++e) {
        const int i = first + e * THREADS;
        if (i < N) {
            // TODO 1（约 1 行）：把 x 的第 i 个元素和 y 的第 i 个元素相加，把和存入 z
        }
    }
}

LAUNCH_CONFIG(vector_add, N) {
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(N, EACH * THREADS));
}
