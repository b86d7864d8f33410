// 两个设备：每个设备求 x 的一半的和，设备 0 再把两个和相加。
//
// 形状     x [N] 和 sum [1]，在主机的内存中；任何从 1 开始的 N。
// 启动     对每一份，BLOCKS 个线程块，每个 THREADS 个线程，在这一份的设备的流里。
// 变化     与 two_streams 相比：流、事件和数组属于两个设备。
// 思路     cudaSetDevice 为之后的调用选择设备；设备间复制把第二个和送到设备 0，
//          一个事件使设备 0 等待这个和。
// 瓶颈     两个设备的内存合在一起；这里是把 x 送到它们那里的总线。
// 来源     CUDA C++ Programming Guide，“Multi-Device System”一章。
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTS   2
#define BLOCKS  4
#define THREADS 256

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t error, const char *call, int line) {
    if (error != cudaSuccess) {
        fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(error));
        exit(1);
    }
}

// 把 x 的 count 个元素加到 *sum 上。
__global__ void add_up(const float *x, float *sum, int count) {
    __shared__ float part[THREADS];
    float acc = 0.0f;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < count; i += gridDim.x * THREADS) {
        acc += x[i];
    }
    part[threadIdx.x] = acc;
    for (int step = THREADS / 2; step > 0; step /= 2) {
        __syncthreads();  // part 里已有上一步的和
        if (threadIdx.x < step) {
            part[threadIdx.x] += part[threadIdx.x + step];
        }
    }
    if (threadIdx.x == 0) {
        atomicAdd(sum, part[0]);
    }
}

void two_devices(const float *x, float *sum, int N) {
    int devices = 0;
    CHECK(cudaGetDeviceCount(&devices));
    const int device[PARTS] = {0, devices > 1 ? 1 : 0};  // 只有一个设备时，它做两份
    const int first[PARTS] = {0, N / 2};
    const int count[PARTS] = {N / 2, N - N / 2};
    float *d_x[PARTS] = {NULL, NULL};
    float *d_sum[PARTS] = {NULL, NULL};
    cudaStream_t stream[PARTS];
    cudaEvent_t done[PARTS];
    float *h_x = NULL;
    float *h_sum = NULL;
    float *d_other = NULL;  // 在设备 0 上：第二份的和

    CHECK(cudaMallocHost(&h_x, N * sizeof(float)));
    CHECK(cudaMallocHost(&h_sum, sizeof(float)));
    memcpy(h_x, x, N * sizeof(float));
    for (int p = 0; p < PARTS; ++p) {
        // TODO 1（约 3 行）：选择 device[p]，并分配 d_x[p] 和 d_sum[p]
        CHECK(cudaStreamCreate(&stream[p]));
        CHECK(cudaEventCreate(&done[p]));
    }

    for (int p = 0; p < PARTS; ++p) {
        // TODO 2（约 7 行）：在 device[p] 上：复制这一份，把 d_sum[p] 置为 0，启动，记录 done[p]
    }

    CHECK(cudaSetDevice(0));
    CHECK(cudaMalloc(&d_other, sizeof(float)));
    // TODO 3（约 6 行）：在 stream[0] 中：等待 done[1]，复制那个和，相加，复制回来；主机等待
    *sum = *h_sum;

    for (int p = 0; p < PARTS; ++p) {
        CHECK(cudaSetDevice(device[p]));
        CHECK(cudaEventDestroy(done[p]));
        CHECK(cudaStreamDestroy(stream[p]));
        CHECK(cudaFree(d_x[p]));
        CHECK(cudaFree(d_sum[p]));
    }
    CHECK(cudaFree(d_other));
    CHECK(cudaFreeHost(h_x));
    CHECK(cudaFreeHost(h_sum));
    CHECK(cudaSetDevice(0));
}
