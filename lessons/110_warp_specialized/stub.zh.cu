// Hopper 显卡上的矩阵乘法：一个线程束复制分块，另外四个把它们相乘。
//
// 形状     A [M][K]、B [K][N] 是 half，C [M][N] 是 float：按行优先存放，没有填充，尺寸从 1 开始。
// 启动     multiply：每个线程块 160 个线程；一个线程块计算 C 的 128 x 128 个元素。
// 改进     一个线程复制整个分块；张量核心从共享内存读它们；循环中不再用 __syncthreads()，
//          而是每个缓冲区有两个 mbarrier。
// 瓶颈     每个线程块都从 L2 缓存复制自己的全部分块，也包括相邻线程块的。
// 来源     PTX ISA，“Asynchronous Warpgroup Level Matrix Instructions”和“cp.async.bulk.tensor”。
#include <cuda_fp16.h>

#include "kernel.cuh"
#include "ptx.cuh"

#define BM     128  // 一个线程块负责的 C 的行数
#define BN     128  // 一个线程块负责的 C 的列数
#define BK     64   // 切片的深度：128 字节，是 swizzle 后的数据块最长的行
#define WIDE   64   // 一个数据块中 B 的列数：也是 128 字节
#define STAGES 3    // 共享内存中的切片数：有的正在相乘，其余的在路上
#define ROWS   64   // 一次 wgmma 计算的 C 的行数
#define DEPTH  16   // 一次 wgmma 相加的项数

#define MULTIPLIERS 128                 // 做乘法的线程：一个线程束组，4 个线程束
#define THREADS     (MULTIPLIERS + 32)  // 再加上复制的线程束
#define SWIZZLE     128                 // 字节：数据块在共享内存中的图案
#define EIGHT_ROWS  (8 * SWIZZLE)       // 数据块的 8 行的字节数，之后图案重复

struct slice {
    __half a[BM][BK];
    __half b[BN / WIDE][BK][WIDE];  // 每 64 列一个数据块
};

struct shared {
    struct slice slice[STAGES];
    unsigned long long full[STAGES];   // 每个阶段：一个切片的复制已经到达
    unsigned long long empty[STAGES];  // 每个阶段：所有线程束都乘完了它
};

// 开始从 `t` 起的各项的切片的复制；`full` 计算它们的字节。
static __device__ __forceinline__ void copy_slice(struct slice *to, const tensor_maps *maps, int t,
                                                  unsigned long long *full) {
    // TODO 1（约 5 行）：登记切片的字节数；开始复制它的数据块：A 的一个，B 的两个
}

// 把一个切片的乘积加到我的线程束组的和上。
static __device__ __forceinline__ void multiply_slice(float (&acc)[BM / ROWS][BN / 2],
                                                      const struct slice *slice) {
    ptx::wgmma_fence();  // 从这里起，张量核心可以使用 acc 的寄存器
    // TODO 2（约 11 行）：对每 16 项，用 A 的上下两半分别乘 B；等待结果
}

__global__ void __launch_bounds__(THREADS, 2)
    multiply(const __half *A, const __half *B, float *C, int M, int N, int K, float *workspace,
             const __grid_constant__ tensor_maps maps) {
    extern __shared__ __align__(1024) unsigned char memory[];
    struct shared *shared = (struct shared *)memory;

    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int slices = ceil_div(K, BK);
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; ++stage) {
            ptx::mbarrier_init(&shared->full[stage], 1);                 // 复制的那个线程
            ptx::mbarrier_init(&shared->empty[stage], MULTIPLIERS / 32);  // 每个线程束的一个通道
        }
        ptx::fence_mbarrier_init();
    }
    __syncthreads();  // 初始化好 mbarrier 之后，线程才可以使用它们

    if (threadIdx.x == MULTIPLIERS) {  // 由一个线程复制
        for (int slice = 0; slice < slices; ++slice) {
            const int stage = slice % STAGES;
            const int round = slice / STAGES;  // 这个缓冲区以前用过几次
            // TODO 3（约 1 行）：等到这个缓冲区空了
            copy_slice(&shared->slice[stage], &maps, slice * BK, &shared->full[stage]);
        }
    }
    if (threadIdx.x >= MULTIPLIERS) {
        return;  // 后面没有线程块的屏障
    }

    float acc[BM / ROWS][BN / 2] = {};  // 每个 64 x 128 中，一个线程有 64 个
    for (int slice = 0; slice < slices; ++slice) {
        const int stage = slice % STAGES;
        const int round = slice / STAGES;
        // TODO 4（约 4 行）：等到这个切片满了，把它相乘，再释放它的缓冲区
    }

    const int row = blockIdx.y * BM + warp * 16 + lane / 4;  // 我的第一个元素的
    const int col = blockIdx.x * BN + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < BM / ROWS; ++i) {
#pragma unroll
        for (int j = 0; j < BN / 2; ++j) {
            const int r = row + i * ROWS + j / 2 % 2 * 8;
            const int c = col + j / 4 * 8 + j % 2;
            if (r < M && c < N) {
                C[r * N + c] = acc[i][j];
            }
        }
    }
}

// 张量映射要求各行从 16 字节（8 个元素）的倍数开始。
__host__ __device__ constexpr int padded(int length) {
    return ceil_div(length, 8) * 8;
}

// 把 A 和 B 先后复制到工作区，各行加以补齐；一个线程块复制一行。
__global__ void pad(const __half *A, const __half *B, float *C, int M, int N, int K,
                    float *workspace) {
    const bool is_a = blockIdx.x < M;
    const int row = is_a ? blockIdx.x : blockIdx.x - M;
    const int length = is_a ? K : N;
    const __half *from = is_a ? A : B;
    __half *to = (__half *)workspace + (is_a ? 0 : (size_t)M * padded(K));
    for (int col = threadIdx.x; col < length; col += blockDim.x) {
        to[(size_t)row * padded(length) + col] = from[(size_t)row * length + col];
    }
}

// 用于补齐后的副本大到工作区放不下的矩阵：每个线程一个元素。
__global__ void warp_specialized(const __half *A, const __half *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < K && row < M && col < N; ++k) {
        sum += __half2float(A[(size_t)row * K + k]) * __half2float(B[(size_t)k * N + col]);
    }
    if (row < M && col < N) {
        C[(size_t)row * N + col] = sum;
    }
}

LAUNCH_CONFIG(warp_specialized, M, N, K) {
    const bool aligned = K == padded(K) && N == padded(N);
    const size_t a_bytes = sizeof(__half) * M * padded(K);
    const size_t b_bytes = sizeof(__half) * K * padded(N);
    if (!aligned && a_bytes + b_bytes > WORKSPACE_BYTES_MAX) {
        launch->block = dim3(32, 8);
        launch->grid = dim3(ceil_div(N, 32), ceil_div(M, 8));
        return;
    }
    if (!aligned) {
        launch->workspace_bytes = a_bytes + b_bytes;
        LAUNCH(pad, dim3(M + K), dim3(128));
    }
    launch_tensor(launch, 0, aligned ? 0 : TENSOR_WORKSPACE, TENSOR_FP16, M, K, padded(K), BM, BK,
                  SWIZZLE);
    launch_tensor(launch, 1, aligned ? 1 : TENSOR_WORKSPACE, TENSOR_FP16, K, N, padded(N), BK, WIDE,
                  SWIZZLE, aligned ? 0 : a_bytes);
    LAUNCH(multiply, dim3(ceil_div(N, BN), ceil_div(M, BM)), dim3(THREADS), sizeof(struct shared));
}
