"""The kernels of the comparison of counted with measured speed: files, and small changes of files.

All of them are right.  A kernel is a file in kernels/EXERCISE/, a file of the course, or one of
them with parts replaced; each part must be in the file exactly once.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
OWN = Path(__file__).resolve().parent / "kernels"


@dataclass(frozen=True)
class Kernel:
    exercise: str
    name: str
    base: str = ""  # a file of the course; "" is a file of ours
    changes: tuple[tuple[str, str], ...] = ()

    def text(self) -> str:
        path = ROOT / self.base if self.base else OWN / self.exercise / f"{self.name}.cu"
        text = path.read_text(encoding="utf-8")
        for old, new in self.changes:
            if text.count(old) != 1:
                raise ValueError(f"{path}: not exactly once: {old}")
            text = text.replace(old, new)
        of_another = [word for word in OTHERS if f"matmul_{word}(" in text]
        for word in of_another:
            text = text.replace(f"matmul_{word}(", f"matmul_{self.exercise}(")
            text = text.replace(f"matmul_{word},", f"matmul_{self.exercise},")
        return text


OTHERS = ("naive", "tiled", "register_tiled", "vectorized", "warp_tiled", "double_buffered")

WAIT = "        __syncthreads();  // the tiles are full before anyone reads them\n"
DONE = "        __syncthreads();  // everyone has read the tiles before anyone refills them\n"
SLICE = "        __syncthreads();  // the slices are full before anyone reads them\n"
TERM = "            acc += A[row * K + k] * B[k * N + col];\n"
PART = "            acc += As[ty][k] * Bs[k][tx];\n"
GRID = "    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));\n"
GRID_B = "    launch->grid = dim3(ceil_div(N, BN), ceil_div(M, BM));\n"
BODY_AT = "    const int row = blockIdx.y * TILE + "


def of_tiled(name: str, *changes: tuple[str, str]) -> Kernel:
    return Kernel("tiled", name, "reference/tiled.cu", changes)


def of_naive(name: str, *changes: tuple[str, str]) -> Kernel:
    return Kernel("naive", name, "reference/naive.cu", changes)


def of_register(name: str, *changes: tuple[str, str]) -> Kernel:
    return Kernel("register_tiled", name, "reference/register_tiled.cu", changes)


def of_vectorized(name: str, *changes: tuple[str, str]) -> Kernel:
    return Kernel("vectorized", name, "reference/vectorized.cu", changes)


def right(exercise: str, name: str, *changes: tuple[str, str], of: str = "") -> Kernel:
    return Kernel(exercise, name, f"tests/right/{of or exercise}/{name}.cu", changes)


def reference_of(exercise: str, of: str) -> Kernel:
    return Kernel(exercise, f"{of}_for_it", f"reference/{of}.cu")


def before(exercise: str, mark: str, extra: str, name: str, base: str) -> Kernel:
    return Kernel(exercise, name, base, ((mark, extra + mark),))


ONE_BLOCK = (
    (BODY_AT, "    for (int tile = blockIdx.x; tile < ceil_div(M, TILE) * ceil_div(N, TILE); "
              "tile += gridDim.x) {\n    const int row = tile / ceil_div(N, TILE) * TILE + "),
    ("blockIdx.x * TILE + ", "tile % ceil_div(N, TILE) * TILE + "),
)


def blocks(count: int) -> tuple[tuple[str, str], ...]:
    """All tiles by so many blocks."""
    end = "C[row * N + col] = acc;\n    }\n"
    return ONE_BLOCK + ((end, end + "    }\n"), (GRID, f"    launch->grid = {count};\n"))


BUSY = "        for (int i = 0; i < {count}; ++i) {{\n{body}        }}\n"
DIVIDE = "            left = (left + 1000003) / (left % 7 + M) + N;\n"
START = "    float acc = 0.0f;\n"
STORE = "C[row * N + col] = acc;"
DIVIDED = (START, START + "    int left = K;\n"), (STORE, "C[row * N + col] = left == -1 ? 0 : acc;")
IDLE_Z = "    if (blockIdx.z > 0) {\n        return;\n    }\n"
SHARED = "    launch->shared_bytes = {kib} * 1024;\n"

KERNELS = (
    # --- naive: others that are as fast, and ways to be slow
    of_naive("blocks_of_16_x_32", ("launch->block = dim3(TILE, TILE)",
                                   "launch->block = dim3(TILE, 2 * TILE)"),
             ("blockIdx.y * TILE + threadIdx.y", "blockIdx.y * 2 * TILE + threadIdx.y"),
             (GRID, "    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, 2 * TILE));\n")),
    Kernel("naive", "two_sums_a_thread"),
    right("naive", "float2_columns"),
    reference_of("naive", "tiled"),
    of_naive("two_accumulators", (TERM, "            if (k % 2 == 0) {\n                acc += A[row * K + k] * B[k * N + col];\n            } else {\n                odd += A[row * K + k] * B[k * N + col];\n            }\n"),
             ("        float acc = 0.0f;\n", "        float acc = 0.0f, odd = 0.0f;\n"),
             (STORE, "C[row * N + col] = acc + odd;")),
    of_naive("one_thread_blocks", ("#define TILE 16", "#define TILE 1")),
    of_naive("blocks_of_4_x_4", ("#define TILE 16", "#define TILE 4")),
    Kernel("naive", "all_in_one_block", "reference/naive.cu", blocks(1)[:2] + (
        ("    //@cut 2", "    //@cut 2"), (GRID, "    launch->grid = 1;\n"),
        ("        C[row * N + col] = acc;\n    }\n    //@end\n",
         "        C[row * N + col] = acc;\n    }\n    }\n    //@end\n"))),
    of_naive("divisions_by_k", (TERM, "            left = (left + 1000003) / (left % 7 + M) + N;\n" + TERM),
             ("        float acc = 0.0f;\n", "        float acc = 0.0f;\n        int left = K;\n"),
             (STORE, "C[row * N + col] = left == -1 ? 0 : acc;")),
    of_naive("fences_by_k", (TERM, TERM + "            __threadfence();\n")),
    of_naive("sleeps_by_k", (TERM, TERM + "            if (k % 16 == 0) {\n                __nanosleep(1000);\n            }\n")),
    of_naive("roots_by_k", (TERM, TERM + "            wave = sqrtf(wave + 1.0f);\n"),
             ("        float acc = 0.0f;\n", "        float acc = 0.0f, wave = 1.0f;\n"),
             (STORE, "C[row * N + col] = wave == -1.0f ? 0.0f : acc;")),
    of_naive("sixty_four_idle_blocks", ("    //@cut 1", IDLE_Z + "    //@cut 1"),
             (GRID, GRID.replace("TILE));", "TILE), 64);"))),
    Kernel("naive", "row_in_a_local_array"),
    right("naive", "x_walks_down"),
    right("naive", "compensated_sum"),
    right("naive", "double_sum"),
    right("naive", "function_pointers"),
    right("naive", "warp_shuffle"),
    right("naive", "grid_stride"),
    # --- tiled
    right("tiled", "tile_of_32"),
    right("tiled", "double_buffer"),
    right("tiled", "deep_slices"),
    right("tiled", "a_by_shuffles"),
    right("tiled", "register_prefetch"),
    right("tiled", "transposed_tile"),
    right("tiled", "rows_copied_as_structs"),
    right("tiled", "threads_that_only_wait"),
    Kernel("tiled", "two_rows_a_thread"),
    Kernel("tiled", "four_columns_a_thread"),
    reference_of("tiled", "register_tiled"),
    reference_of("tiled", "vectorized"),
    reference_of("tiled", "double_buffered"),
    of_tiled("all_in_one_block", *blocks(1)),
    of_tiled("by_eight_blocks", *blocks(8)),
    of_tiled("by_1056_blocks", *blocks(1056)),
    right("tiled", "tile_of_8"),
    Kernel("tiled", "barriers_and_divisions"),
    of_tiled("forty_barriers", (WAIT, BUSY.format(count=39, body="            __syncthreads();\n") + WAIT)),
    of_tiled("six_barriers", (WAIT, BUSY.format(count=4, body="            __syncthreads();\n") + WAIT)),
    of_tiled("a_barrier_for_each_k", (PART, PART + "            __syncthreads();\n")),
    of_tiled("twenty_divisions", *DIVIDED, (WAIT, BUSY.format(count=20, body=DIVIDE) + WAIT)),
    of_tiled("four_divisions", *DIVIDED, (WAIT, BUSY.format(count=4, body=DIVIDE) + WAIT)),
    of_tiled("hash_for_each_k", (START, START + "    unsigned hash = K;\n"),
             (PART, PART + "            for (int i = 0; i < 8; ++i) {\n                hash = (hash ^ hash >> 15) * 2654435761u + k;\n            }\n"),
             (STORE, "C[row * N + col] = hash == 1 ? 0 : acc;")),
    of_tiled("sixteen_idle_blocks", ("    __shared__ float As", IDLE_Z + "    __shared__ float As"),
             (GRID, GRID.replace("TILE));", "TILE), 16);"))),
    of_tiled("idle_blocks_256", ("    __shared__ float As", IDLE_Z + "    __shared__ float As"),
             (GRID, GRID.replace("TILE));", "TILE), 256);"))),
    of_tiled("one_block_an_sm", ("    launch->block", SHARED.format(kib=200) + "    launch->block")),
    of_tiled("two_blocks_an_sm", ("    launch->block", SHARED.format(kib=100) + "    launch->block")),
    of_tiled("fences_by_tile", (WAIT, "        __threadfence();\n" + WAIT)),
    of_tiled("sleeps_by_tile", (WAIT, "        __nanosleep(2000);\n" + WAIT)),
    Kernel("tiled", "warp_of_local_sums"),
    Kernel("tiled", "every_fourth_thread"),
    Kernel("tiled", "lanes_take_turns"),
    Kernel("tiled", "good_where_counted"),
    of_tiled("good_where_counted_by_launch", *blocks(1)[:-1],
             (GRID, "    launch->grid = M > 600 ? 1 : ceil_div(N, TILE) * ceil_div(M, TILE);\n")),
    of_tiled("sums_in_double", (START, "    double acc = 0.0;\n"), (PART, "            acc += (double)As[ty][k] * Bs[k][tx];\n"),
             (STORE, "C[row * N + col] = (float)acc;")),
    of_tiled("a_division_for_each_product", (START, "    float acc = 0.0f, waste = 0.0f;\n"),
             (PART, PART + "            waste += As[ty][k] / (acc * acc + 1.0f);\n"),
             (STORE, "C[row * N + col] = waste == 12345.0f ? 0.0f : acc;")),
    of_tiled("warps_that_only_wait", ("    launch->block = dim3(TILE, TILE)", "    launch->block = dim3(TILE, 4 * TILE)"),
             ("        //@cut 1 copy one element of A and one of B into the tiles, else 0\n", "        if (ty < TILE) {\n"),
             (WAIT, "        }\n" + WAIT), ("k < TILE; ++k) {", "ty < TILE && k < TILE; ++k) {"),
             ("if (row < M && col < N) {", "if (ty < TILE && row < M && col < N) {")),
    of_tiled("atomics_by_tile", ("    __shared__ float As", "    __shared__ int turns;\n    __shared__ float As"),
             (WAIT, "        if (t == 0 && tx + ty == 0) {\n            turns = 0;\n        }\n" + WAIT + "        atomicAdd(&turns, 1);\n")),
    # --- register_tiled
    reference_of("register_tiled", "vectorized"),
    reference_of("register_tiled", "warp_tiled"),
    reference_of("register_tiled", "double_buffered"),
    Kernel("register_tiled", "tall_threads"),
    right("register_tiled", "transposed_a"),
    right("register_tiled", "next_slice_in_registers"),
    right("register_tiled", "double_buffer"),
    right("register_tiled", "padded_slice"),
    right("register_tiled", "swizzled_float4"),
    right("register_tiled", "strided_elements"),
    right("register_tiled", "eight_by_eight"),
    reference_of("register_tiled", "tiled"),
    Kernel("register_tiled", "sums_by_a_runtime_index"),
    *(Kernel("register_tiled", f"local_sums_{edge}_x_{edge}", "tests/speed/kernels/register_tiled/local_sums.cu",
             (("#define SIDE 64", f"#define SIDE {edge}"),)) for edge in (8, 16, 24, 32, 64)),
    of_register("a_barrier_for_each_k", ("            float a[TM], b[TN];\n", "            __syncthreads();\n            float a[TM], b[TN];\n")),
    of_register("forty_barriers", (SLICE, BUSY.format(count=39, body="            __syncthreads();\n") + SLICE)),
    of_register("one_block_an_sm", ("    launch->block", SHARED.format(kib=200) + "    launch->block")),
    of_register("sixteen_divisions", (SLICE, BUSY.format(count=16, body=DIVIDE) + SLICE),
                ("    float acc[TM][TN] = {};\n", "    float acc[TM][TN] = {};\n    int left = K;\n"),
                ("    for (int i = 0; i < TM && row + i < M; ++i) {\n", "    for (int i = 0; i < TM && row + i < M && left != -1; ++i) {\n")),
    of_register("sums_in_double", ("    float acc[TM][TN] = {};", "    double acc[TM][TN] = {};"),
                ("acc[i][j] += a[i] * b[j];", "acc[i][j] += (double)a[i] * b[j];"),
                ("make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3])", "make_float4((float)acc[i][0], (float)acc[i][1], (float)acc[i][2], (float)acc[i][3])"),
                ("c[j] = acc[i][j];", "c[j] = (float)acc[i][j];")),
    Kernel("register_tiled", "sums_by_a_call"),
    # --- vectorized
    Kernel("vectorized", "thin_blocks"),
    right("vectorized", "pad_of_twelve"),
    right("vectorized", "halves_side_by_side"),
    right("vectorized", "float4_stores"),
    reference_of("vectorized", "warp_tiled"),
    reference_of("vectorized", "double_buffered"),
    reference_of("vectorized", "register_tiled"),
    of_vectorized("spills_for_four_blocks", ("__global__ void matmul_vectorized", "__global__ void __launch_bounds__(256, 4) matmul_vectorized")),
    of_vectorized("spills_for_eight_blocks", ("__global__ void matmul_vectorized", "__global__ void __launch_bounds__(256, 8) matmul_vectorized")),
    of_vectorized("loops_not_unrolled", ("#pragma unroll\n        for (int k = 0; k < BK; ++k) {", "#pragma unroll 1\n        for (int k = 0; k < BK; ++k) {")),
    of_vectorized("a_barrier_for_each_k", ("            __align__(16) float a[TM], b[TN];\n", "            __syncthreads();\n            __align__(16) float a[TM], b[TN];\n")),
    of_vectorized("four_barriers", (SLICE, SLICE + SLICE + SLICE)),
    of_vectorized("eight_divisions", (SLICE, BUSY.format(count=8, body=DIVIDE) + SLICE),
                  ("    float acc[TM][TN] = {};\n", "    float acc[TM][TN] = {};\n    int left = K;\n"),
                  ("            if (r < M && c < N) {\n", "            if (r < M && c < N && left != -1) {\n")),
    # --- warp_tiled, double_buffered
    reference_of("warp_tiled", "vectorized"),
    reference_of("warp_tiled", "double_buffered"),
    right("warp_tiled", "lanes_in_squares"),
    right("warp_tiled", "upright_parts"),
    right("warp_tiled", "there_and_there"),
    right("warp_tiled", "loads_nothing_ahead"),
    reference_of("double_buffered", "warp_tiled"),
    reference_of("double_buffered", "vectorized"),
    right("double_buffered", "two_buffers"),
    right("double_buffered", "seven_buffers"),
    right("double_buffered", "waits_for_all"),
    right("double_buffered", "a_group_for_each_copy"),
    # --- challenge
    reference_of("challenge", "double_buffered"),
    reference_of("challenge", "register_tiled"),
    Kernel("challenge", "larger_tiles_sooner", "reference/challenge.cu",
           (("suits<Large>(M, N, K, 512)", "suits<Large>(M, N, K, 384)"),)),
)
