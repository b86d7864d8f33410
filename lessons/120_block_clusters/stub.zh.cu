// Hopper 显卡上的矩阵乘法：集群的两个线程块共用 B 的分块。
//
// 形状     A [M][K]、B [K][N] 是 half，C [M][N] 是 float：按行优先存放，没有填充，尺寸从 1 开始。
// 启动     multiply：每个集群 2 个线程块，每块 288 个线程；一个线程块一次计算 C 的 128 x 256
//          个元素，然后留下来计算下一个分块。
// 改进     B 的分块为两个线程块只复制一次，各复制一半；由两个线程束组相乘。
// 瓶颈     存储 C 时没有线程束在相乘，虽然后面的切片已经在了。
// 来源     PTX ISA，“Cluster of Cooperative Thread Arrays”和“cp.async.bulk.tensor”。
#include <cuda_fp16.h>

#include "kernel.cuh"
#include "ptx.cuh"

#define BM       128  // 分块中 C 的行数
#define BN       256  // 分块中 C 的列数
#define BK       64   // 切片的深度：128 字节，是 swizzle 后的数据块最长的行
#define WIDE     64   // 一个数据块中 B 的列数：也是 128 字节
#define STAGES   4    // 共享内存中的切片数：有的正在相乘，其余的在路上
#define ROWS     64   // 一次 wgmma 计算的 C 的行数，也就是一个线程束组的
#define DEPTH    16   // 一次 wgmma 相加的项数
#define CLUSTER  2    // 共用 B 的线程块数：它们的分块在 C 中上下相邻，是一对
#define CLUSTERS 66   // 有 132 个 SM 的显卡同时运行的集群数
#define FEW      32   // 对数：少于它时，每个集群计算两对，使测试能看到它留下来
#define GROUP    8    // 先计算上下相邻的这么多对，再计算右边的

#define MULTIPLIERS 256                 // 做乘法的线程：两个线程束组
#define THREADS     (MULTIPLIERS + 32)  // 再加上复制的线程束
#define SWIZZLE     128                 // 字节：数据块在共享内存中的图案
#define EIGHT_ROWS  (8 * SWIZZLE)       // 数据块的 8 行的字节数，之后图案重复

struct slice {
    __half a[BM][BK];
    __half b[BN / WIDE][BK][WIDE];  // 每 64 列一个数据块
};

struct shared {
    struct slice slice[STAGES];
    unsigned long long full[STAGES];   // 每个阶段：一个切片的复制已经到达这里
    unsigned long long empty[STAGES];  // 每个阶段：双方的所有线程束都用完了它
};

struct place {
    int row, col;  // 分块的第一个元素在 C 中的
};

// 一对中我的分块。同时计算的各对彼此靠近，这样一个复制的数据，
// 别的可以在 L2 缓存中找到。
static __device__ struct place place_of(int pair, int rank, int M, int N) {
    const int rows = ceil_div(M, CLUSTER * BM);  // 对的行数、列数
    const int cols = ceil_div(N, BN);
    const int first = pair / (GROUP * cols) * GROUP;  // 它所在组的第一行
    const int high = min(GROUP, rows - first);        // 那一组的行数
    const int within = pair % (GROUP * cols);
    return {((first + within % high) * CLUSTER + rank) * BM, within / high * BN};
}

static __device__ __forceinline__ void wait_for(unsigned long long *mbarrier, int parity) {
    while (!ptx::mbarrier_try_wait_parity(mbarrier, parity)) {
    }
}

// 开始一个切片的复制，从第 `t` 项起；`turn` 数全部分块的切片。
static __device__ __forceinline__ void copy_slice(struct shared *shared, const tensor_maps *maps,
                                                  struct place tile, int rank, int t, int turn) {
    // TODO 1（约 10 行）：等待空的缓冲区，登记它的字节；复制我的 A 的分块，并为双方复制 B 的一半
}

// 开始乘一个切片中我的线程束组的 64 行：分块的第一个切片的乘积取代原来的和，
// 其余的加上去。
static __device__ __forceinline__ void multiply_slice(float (&acc)[BN / 2],
                                                      const struct slice *slice, int first_row,
                                                      bool is_first) {
    ptx::wgmma_fence();  // 从这里起，张量核心可以使用 acc 的寄存器
#pragma unroll
    for (int k = 0; k < BK; k += DEPTH) {
        const unsigned long long a =
            ptx::wgmma_descriptor(&slice->a[first_row][k], 16, EIGHT_ROWS, SWIZZLE);
        const unsigned long long b =
            ptx::wgmma_descriptor(slice->b[0][k], sizeof slice->b[0], EIGHT_ROWS, SWIZZLE);
        ptx::wgmma_m64n256k16_f16<0, 1>(acc, a, b, !is_first || k > 0);
    }
    ptx::wgmma_commit_group();
}

// 存储一个线程的和，其中第一个是 C[row][col]；col 是偶数。
static __device__ __forceinline__ void store_sums(float *C, int M, int N,
                                                  const float (&acc)[BN / 2], int row, int col) {
#pragma unroll
    for (int j = 0; j < BN / 2; j += 2) {
        const int r = row + j / 2 % 2 * 8;
        const int c = col + j / 4 * 8;
        if (r < M && c < N && N % 2 == 0) {
            *(float2 *)&C[r * N + c] = make_float2(acc[j], acc[j + 1]);
        } else if (r < M && c < N) {
            C[r * N + c] = acc[j];
            if (c + 1 < N) {
                C[r * N + c + 1] = acc[j + 1];
            }
        }
    }
}

__global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    multiply(const __half *A, const __half *B, float *C, int M, int N, int K, float *workspace,
             const __grid_constant__ tensor_maps maps) {
    extern __shared__ __align__(1024) unsigned char memory[];
    struct shared *shared = (struct shared *)memory;

    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int rank = ptx::cluster_ctarank();  // 我的线程块在集群中的序号：0 或 1
    const int slices = ceil_div(K, BK);
    const int pairs = ceil_div(M, CLUSTER * BM) * ceil_div(N, BN);
    const int cluster = blockIdx.x / CLUSTER;
    const int clusters = gridDim.x / CLUSTER;
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; ++stage) {
            ptx::mbarrier_init(&shared->full[stage], 1);  // 复制的那个线程
            ptx::mbarrier_init(&shared->empty[stage], CLUSTER * MULTIPLIERS / 32);
        }
        ptx::fence_mbarrier_init();
    }
    // TODO 2（约 2 行）：等到双方的 mbarrier 都初始化好

    int turn = 0;  // 到目前为止的切片数，我的全部分块的

    if (threadIdx.x == MULTIPLIERS) {  // 由一个线程复制
        for (int pair = cluster; pair < pairs; pair += clusters) {
            const struct place tile = place_of(pair, rank, M, N);
            for (int slice = 0; slice < slices; ++slice, ++turn) {
                copy_slice(shared, &maps, tile, rank, slice * BK, turn);
            }
        }
    }
    if (threadIdx.x < MULTIPLIERS) {
        const int first_row = warp / 4 * ROWS;  // 我的线程束组在分块中的
        for (int pair = cluster; pair < pairs; pair += clusters) {
            const struct place tile = place_of(pair, rank, M, N);
            float acc[BN / 2];  // 64 x 256 中，一个线程有 128 个
            for (int slice = 0; slice < slices; ++slice, ++turn) {
                // TODO 3（约 5 行）：等待这个切片，把它相乘；向双方释放前一个
            }
            ptx::wgmma_wait_group<0>();
            store_sums(C, M, N, acc, tile.row + first_row + warp % 4 * 16 + lane / 4,
                       tile.col + lane % 4 * 2);
        }
    }
    __syncwarp();
    // TODO 4（约 2 行）：另一个线程块还要复制或到达这里时，不让线程块结束
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
__global__ void block_clusters(const __half *A, const __half *B, float *C, int M, int N, int K) {
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

LAUNCH_CONFIG(block_clusters, M, N, K) {
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
    const int pairs = ceil_div(M, CLUSTER * BM) * ceil_div(N, BN);
    const int clusters = pairs < FEW ? ceil_div(pairs, 2) : pairs < CLUSTERS ? pairs : CLUSTERS;
    LAUNCH(multiply, dim3(clusters * CLUSTER), dim3(THREADS), sizeof(struct shared));
}
