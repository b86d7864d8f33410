// C = A B in TF32 on a Hopper card, for the exercise tensor_core: what LAUNCH_CONFIG says about
// tensor maps, and clusters, proved by a kernel that needs both.  Two warpgroups multiply by wgmma,
// a third one copies tiles by bulk tensor copies, and two blocks of a cluster share rows of A.
//
// wgmma takes TF32 only along K, but rows of B run along N.  So the product is computed as
// C^T = B^T A^T: B^T comes from registers, in any order, and A from shared memory.
#include "matmul.cuh"

#define ROWS    256  // of C, of a tile; two blocks of a cluster have the same ones
#define COLS    128
#define DEPTH   32  // floats of K at a time: 128 bytes, a row of the swizzle
#define STAGES  4
#define GROUP   8    // tiles above each other that are computed together
#define BLOCKS  128  // that the card holds at a time
#define A_BYTES (ROWS * DEPTH * 4)
#define STAGE   (A_BYTES + COLS * DEPTH * 4)
#define SHARED  (STAGES * STAGE + 2 * STAGES * 8)

// --- PTX ---------------------------------------------------------------------------------------

__device__ void barrier_init(unsigned bar, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(arrivals) : "memory");
}
__device__ void barrier_expect(unsigned bar, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes)
                 : "memory");
}
__device__ void barrier_wait(unsigned bar, int parity) {
    asm volatile("{\n.reg .pred p;\n"
                 "WAIT: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                 "@p bra DONE;\nbra WAIT;\nDONE:\n}" ::"r"(bar),
                 "r"(parity)
                 : "memory");
}
__device__ void barrier_arrive(unsigned bar, unsigned block)  // of the cluster
{
    asm volatile("{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [there];\n}" ::"r"(bar),
                 "r"(block)
                 : "memory");
}
__device__ void cluster_sync() {
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}
__device__ void copy_box(unsigned to, const tensor_map *map, unsigned bar, int x, int y) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
                 ".mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(to),
                 "l"(map), "r"(bar), "r"(x), "r"(y)
                 : "memory");
}
__device__ void copy_box_to_both(unsigned to, const tensor_map *map, unsigned bar, int x, int y) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
                 ".mbarrier::complete_tx::bytes.multicast::cluster"
                 " [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(to),
                 "l"(map), "r"(bar), "r"(x), "r"(y), "h"((unsigned short)3)
                 : "memory");
}
// d += the 64 x 8 factors in f times the 8 x 256 that `there` describes; d = … if not `more`.
__device__ void multiply_add(float (&d)[128], const unsigned (&f)[4], unsigned long long there,
                             int more) {
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %133, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, "
        "%30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
        "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, "
        "%58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, "
        "%72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
        "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, "
        "%100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, "
        "%111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, "
        "%122, %123, %124, %125, %126, %127"
        "}, {%128, %129, %130, %131}, %132, p, 1, 1;\n}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
          "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
          "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]),
          "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]),
          "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]),
          "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
          "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]),
          "+f"(d[63]), "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]),
          "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]),
          "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]),
          "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]),
          "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]), "+f"(d[96]), "+f"(d[97]),
          "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]),
          "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]),
          "+f"(d[110]), "+f"(d[111]), "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]),
          "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]), "+f"(d[120]), "+f"(d[121]),
          "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])
        : "r"(f[0]), "r"(f[1]), "r"(f[2]), "r"(f[3]), "l"(there), "r"(more));
}

// --- Kernels -----------------------------------------------------------------------------------

__global__ void matmul_tensor_core(const float *A, const float *B, float *C, int M, int N, int K) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; row < M && col < N && k < K; k++) {
        sum += A[(size_t)row * K + k] * B[(size_t)k * N + col];
    }
    if (row < M && col < N) {
        C[(size_t)row * N + col] = sum;
    }
}

__host__ __device__ constexpr int whole_pieces(int floats) {
    return (floats + 3) / 4 * 4;
}

// Copies A, then B, to rows of whole pieces of 16 bytes.
__global__ void pad(const float *A, const float *B, float *C, int M, int N, int K,
                    float *workspace) {
    bool is_a = (int)blockIdx.x < M;
    int row = is_a ? blockIdx.x : blockIdx.x - M, width = is_a ? K : N;
    const float *from = (is_a ? A : B) + (size_t)row * width;
    float *to = workspace + (is_a ? 0 : (size_t)M * whole_pieces(K));
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        to[(size_t)row * whole_pieces(width) + i] = from[i];
    }
}

// The place of a tile: GROUP rows of tiles are computed column after column.
__device__ int tile_row(int tile, int rows, int pairs) {
    int first = tile / (GROUP * pairs) * GROUP;
    return first + tile % (GROUP * pairs) % min(GROUP, rows - first);
}
__device__ int tile_pair(int tile, int rows, int pairs) {
    int first = tile / (GROUP * pairs) * GROUP;
    return tile % (GROUP * pairs) / min(GROUP, rows - first);
}

__global__ __cluster_dims__(2, 1, 1)
    __launch_bounds__(384, 1) void multiply(const float *A, const float *B, float *C, int M, int N,
                                            int K, float *workspace,
                                            const __grid_constant__ tensor_maps maps) {
    extern __shared__ __align__(1024) unsigned char memory[];
    const unsigned base = (unsigned)__cvta_generic_to_shared(memory);
    const unsigned full = base + STAGES * STAGE, empty = full + STAGES * 8;
    const int warpgroup = threadIdx.x / 128, rank = blockIdx.x % 2;
    const int rows = ceil_div(M, ROWS), pairs = ceil_div(N, 2 * COLS), steps = ceil_div(K, DEPTH);
    const int tiles = rows * pairs;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            barrier_init(full + 8 * s, 1);
            barrier_init(empty + 8 * s, 4);  // two warpgroups of two blocks
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster_sync();
    int s = 0, phase = 0;
    if (warpgroup == 2) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        for (int tile = blockIdx.x / 2; threadIdx.x == 256 && tile < tiles; tile += gridDim.x / 2) {
            const int m = tile_row(tile, rows, pairs) * ROWS, half = ROWS / 2;
            const int n = (tile_pair(tile, rows, pairs) * 2 + rank) * COLS;
            for (int k = 0; k < steps; k++) {
                const unsigned to = base + s * STAGE, bar = full + 8 * s;
                barrier_wait(empty + 8 * s, phase ^ 1);
                barrier_expect(bar, STAGE);
                copy_box_to_both(to + rank * (A_BYTES / 2), &maps.at[0], bar, k * DEPTH,
                                 m + rank * half);
                for (int b = 0; b < COLS / 32; b++) {
                    copy_box(to + A_BYTES + b * 4096, &maps.at[1], bar, n + b * 32, k * DEPTH);
                }
                s = s + 1 == STAGES ? 0 : s + 1;
                phase ^= s == 0;
            }
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        // Of a piece of 64 x 8 of B^T, a thread has rows g and g + 8 and columns t and t + 4.  Row
        // g is column 2 g of C, and row g + 8 the next one, so that it reads two floats at a time.
        // Every second pair of rows reads column t + 4 first: no two threads want the same bank.
        const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
        const int wn = threadIdx.x / 32 * 16, swap = (g >> 1) & 1;
        float d[128];
        for (int tile = blockIdx.x / 2; tile < tiles; tile += gridDim.x / 2) {
            const int m = tile_row(tile, rows, pairs) * ROWS;
            const int n = (tile_pair(tile, rows, pairs) * 2 + rank) * COLS;
            for (int k = 0; k < steps; k++) {
                const unsigned stage = base + s * STAGE, b = stage + A_BYTES + wn / 32 * 4096;
                unsigned f[4][4];
                barrier_wait(full + 8 * s, phase);
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    unsigned v[2][2];
#pragma unroll
                    for (int h = 0; h < 2; h++) {
                        int line = 8 * i + 4 * (h ^ swap) + t, piece = wn % 32 / 4 + g / 2;
                        unsigned at = b + line * 128 + ((piece ^ (line & 7)) << 4) + g % 2 * 8;
                        asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];"
                                     : "=r"(v[h][0]), "=r"(v[h][1])
                                     : "r"(at));
                    }
#pragma unroll
                    for (int j = 0; j < 4; j++) {
                        f[i][j] = swap ? v[1 - j / 2][j % 2] : v[j / 2][j % 2];
                    }
                }
                // Rows of 128 bytes, swizzled; 8 rows are 1024 bytes.
                const unsigned long long there = (unsigned long long)((stage & 0x3ffff) >> 4) |
                                                 1ull << 16 | 64ull << 32 | 1ull << 62;
                asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    multiply_add(d, f[i], there + 2 * i, k > 0 || i > 0);
                }
                asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::
                                 : "memory");
                if (threadIdx.x % 128 < 2) {
                    barrier_arrive(empty + 8 * s, threadIdx.x % 128);
                }
                s = s + 1 == STAGES ? 0 : s + 1;
                phase ^= s == 0;
            }
#pragma unroll
            for (int i = 0; i < 128; i++) {
                const int row = m + i / 4 * 8 + 2 * t + i % 2, col = n + wn + 2 * g + i / 2 % 2;
                if (row < M && col < N) {
                    C[(size_t)row * N + col] = d[i];
                }
            }
        }
    }
    cluster_sync();
}

LAUNCH_CONFIG(matmul_tensor_core, M, N, K) {
    const size_t a = (size_t)M * whole_pieces(K), b = (size_t)K * whole_pieces(N);
    const bool padded = K % 4 != 0 || N % 4 != 0;
    if (padded && (a + b) * sizeof(float) > 64 << 20) {
        launch->block = dim3(32, 8);
        launch->grid = dim3(ceil_div(N, 32), ceil_div(M, 8));
        return;
    }
    if (padded) {
        launch->workspace_bytes = (a + b) * sizeof(float);
        LAUNCH(pad, dim3(M + K), dim3(256));
    }
    launch_tensor(launch, 0, padded ? TENSOR_WORKSPACE : 0, TENSOR_FP32, M, K, whole_pieces(K),
                  ROWS / 2, DEPTH);
    launch_tensor(launch, 1, padded ? TENSOR_WORKSPACE : 1, TENSOR_FP32, K, N, whole_pieces(N),
                  DEPTH, 32, 128, padded ? a * sizeof(float) : 0);
    int tiles = 2 * ceil_div(M, ROWS) * ceil_div(N, 2 * COLS);
    LAUNCH(multiply, dim3(tiles < BLOCKS ? tiles : BLOCKS), dim3(384), SHARED);
}
