"""Mistakes that a walk through eight exercises found to have a false cause, half of one or none."""

from mistake import OUTSIDE, add
from naive import COL, FOR, IF, ROW, STORE, SUM
from tiled import FIRST, LOAD_A, LOAD_B

# --- Products ------------------------------------------------------------------------------------

SHARES = r"(written by two blocks|store the same value)"
add("naive", "first_block_only",
    [(ROW, "const int row = threadIdx.y;"), (COL, "const int col = threadIdx.x;")],
    STORE, (r"never written", SHARES))
add("naive", "tile_not_multiplied",
    [(ROW, "const int row = blockIdx.y + threadIdx.y;"),
     (COL, "const int col = blockIdx.x + threadIdx.x;")],
    STORE, (r"never written", SHARES))
add("naive", "grid_for_block",
    [(ROW, "const int row = gridDim.y * TILE + threadIdx.y;"),
     (COL, "const int col = gridDim.x * TILE + threadIdx.x;")],
    ("int row =", "int col =", STORE), (r"never written", r"gridDim"))
add("naive", "blocks_mixed",
    [(ROW, "const int row = blockIdx.x * TILE + threadIdx.y;"),
     (COL, "const int col = blockIdx.y * TILE + threadIdx.x;")],
    ("int row =", "int col =", STORE), (r"never written", r"x counts the rows|exchanged|blockIdx"))
add("naive", "each_thread_all_of_c",
    [(IF, "for (int row = 0; row < M; ++row) for (int col = 0; col < N; ++col) {"),
     (ROW, ""), (COL, "")],
    (FOR, SUM, STORE), (SHARES + r"|the work of all",))
add("naive", "short_product", (SUM, "short at = row * K + k;\n acc += A[at] * B[k * N + col];"),
    ("A[at]",), (OUTSIDE, r"short"))
add("naive", "no_sum_at_first", ("float acc = 0.0f;", "float acc;"),
    (SUM, STORE, "float acc"), (r"`acc` (is|may be) read",))
add("tiled", "check_of_c_for_a",
    [("As[ty][tx] = row < M && a_col < K ?", "As[ty][tx] = row < M && col < N ?")],
    "As[ty][tx] =", (OUTSIDE, r"check|because|is true"))
add("tiled", "row_of_b_by_tile", ("const int b_row = t * TILE + ty;",
    "const int b_row = t * TILE + row;"), (LOAD_B,), (r"\bB\b|b_row", r"row"))
add("tiled", "warp_barrier", (FIRST, "__syncwarp();"), (LOAD_A, LOAD_B), (r"__syncwarp",))
add("tiled", "fence_for_barrier", (FIRST, "__threadfence_block();"), (LOAD_A, LOAD_B),
    (r"__threadfence_block",))
add("tiled", "nothing_in_place_of_zero",
    (LOAD_A, "if (row < M && a_col < K) As[ty][tx] = A[row * K + a_col];"),
    ("acc +=", "As[ty][tx] ="), (r"nothing had been stored", r"\bif\b|condition|line 24"))
FOUR = "four = *(const float4 *)&matrix[row * cols + col];"
add("register_tiled", "index_in_fours",
    (FOUR, "four = ((const float4 *)matrix)[row * cols + col];"),
    "four = ((const", (OUTSIDE, r"in fours|16 bytes"))

COPIES = (
    "*(float4 *)&As[a_row][a_col] = load_four(A, M, K, blockIdx.y * BM + a_row, k0 + a_col);",
    "*(float4 *)&Bs[b_row][b_col] = load_four(B, K, N, k0 + b_row, blockIdx.x * BN + b_col);",
)
add("register_tiled", "row_of_computing_for_loading",
    [(COPIES[0],
      "*(float4 *)&As[ty * 4][tx * 4 % 16] = load_four(A, M, K, row, k0 + tx * 4 % 16);"),
     (COPIES[1], "*(float4 *)&Bs[ty][tx * 4] = load_four(B, K, N, k0 + ty, col);")],
    ("a[i] = As",), (r"nothing had been stored", r"only line \d+ stores to As"))
add("register_tiled", "ragged_rows_dropped",
    [("} else if (row < rows) {", "} else if (row < rows && cols < 0) {")],
    ("cols < 0",), (r"never read", r"line 22|condition|cols"))

# --- Other kernels -------------------------------------------------------------------------------

FIRST_ELEMENT = "const int first = blockIdx.x * (EACH * THREADS) + threadIdx.x;"
INDEX = "const int i = first + e * THREADS;"
ADD = "z[i] = x[i] + y[i];"
add("vector_add", "each_forgotten",
    (FIRST_ELEMENT, "const int first = blockIdx.x * THREADS + threadIdx.x;"),
    (ADD,), (r"never written", SHARES))
add("vector_add", "loop_number_alone", (INDEX, "const int i = e;"), (ADD,),
    (r"never written", SHARES))
add("vector_add", "always_first", (ADD, "z[first] = x[first] + y[first];"), ("z[first]",),
    (r"never written", r"\be\b|first"))
add("vector_add", "block_and_thread_exchanged",
    (FIRST_ELEMENT, "const int first = threadIdx.x * (EACH * THREADS) + blockIdx.x;"),
    ("threadIdx.x * (EACH", ADD), (r"never written|wrong", r"threadIdx|exchanged"))
add("vector_add", "size_of_pointer", ("if (i < N) {", "if (i < sizeof(x)) {"), (ADD,),
    (OUTSIDE, r"sizeof|check|pointer"))
add("vector_add", "side_by_side", (INDEX, "const int i = first + e;"), (ADD,),
    (r"never written", SHARES))
add("vector_add", "rest_of_fours_left_out",
    [(FIRST_ELEMENT, "const int first = blockIdx.x * THREADS + threadIdx.x;"),
     ("for (int e = 0; e < EACH; ++e) {", "for (int e = 0; e < 4; ++e) {"),
     (INDEX, "const int i = 4 * first + e;"), ("if (i < N) {", "if (first < N / 4) {")],
    ("N / 4", ADD), (r"never written", r"N / 4|last|rest"))
TURN = "y[(col + ty + i) * H + row + tx] = tile[tx][ty + i];"
CHECK = "if (col + ty + i < W && row + tx < H) {"
add("transpose", "width_forgotten", ("x[(row + ty + i) * W + col", "x[row + (ty + i) * W + col"),
    "x[row + (ty", (r"holds that of x",))
add("transpose", "check_of_x_for_y", (CHECK, "if (row + ty + i < H && col + tx < W) {"),
    (TURN, "tile[tx][ty + i]"), (OUTSIDE + r"|nothing had been stored", r"check|because|true"))
add("transpose", "rows_as_long_as_in_x", ("y[(col + ty + i) * H", "y[(col + ty + i) * W"),
    ("tile[tx][ty + i];",), (OUTSIDE, r"rows of y|multiplies"))
add("transpose", "not_turned", (TURN, "y[(row + ty + i) * W + col + tx] = tile[ty + i][tx];"),
    ("tile[ty + i][tx];",), (OUTSIDE, r"exchanged|turned|as it is"))
add("transpose", "usual_formula_for_blocks",
    [("const int row = blockIdx.x * TILE;", "const int row = blockIdx.x * ROWS;"),
     ("const int col = blockIdx.y * TILE;", "const int col = blockIdx.y * ROWS;")],
    (TURN,), (r"never written", r"ROWS|written by two blocks|store the same value"))
SHUFFLE = "sum += __shfl_down_sync(0xffffffff, sum, step);"
LAST = "is_last = atomicAdd(tickets, 1) == gridDim.x - 1;"
add("reduction", "sum_assigned", (SHUFFLE, "sum = __shfl_down_sync(0xffffffff, sum, step);"),
    ("__shfl_down_sync",), (r"assigned|not added|`\+=`",))
add("reduction", "old_shuffle", (SHUFFLE, "sum += __shfl_down(sum, step);"),
    ("__shfl_down(",), (r"__shfl_down_sync replaces",))
add("reduction", "shuffle_in_branch",
    (SHUFFLE, "if (threadIdx.x % 32 < step) sum += __shfl_down_sync(0xffffffff, sum, step);"),
    ("if (threadIdx.x % 32",), (r"under the condition", r"lanes of (its|their) mask"))
add("reduction", "last_step_left_out", ("step > 0; step /= 2", "step > 1; step /= 2"),
    ("step > 1", "__shfl_down_sync"), (r"missing|not used",))
add("reduction", "last_block_by_number", (LAST, "is_last = blockIdx.x == gridDim.x - 1;"),
    ("parts[blockIdx.x] = sum;", "sum += parts[i];"), (r"nothing orders", r"not the last|ticket"))
add("reduction", "no_fence",
    ("__threadfence();  // the part is there before the ticket says so", ""),
    ("parts[blockIdx.x] = sum;", "sum += parts[i];"), (r"__threadfence",))
add("reduction", "ticket_of_nobody", (LAST, "is_last = atomicAdd(tickets, 1) == gridDim.x;"),
    ("is_last",), (r"never written", r"is_last|gridDim|ticket"))
add("reduction", "workspace_without_bytes",
    ("launch->workspace_bytes = sizeof(float) * (32 + BLOCKS);", ""),
    ("*(unsigned *)workspace = 0;",), (r"null pointer", r"workspace_bytes"))
add("reduction", "tree_with_barrier_in_branch",
    [("__device__ float block_sum(float sum) {",
      "__device__ float block_sum(float sum) {\n    __shared__ float all[THREADS];\n"
      "    all[threadIdx.x] = sum;\n    __syncthreads();\n"
      "    for (int step = THREADS / 2; step > 0; step /= 2) {\n"
      "        if (threadIdx.x < step) {\n"
      "            all[threadIdx.x] += all[threadIdx.x + step];\n"
      "            __syncthreads();  // in the branch\n        }\n    }\n"
      "    return all[0];\n}\n\n__device__ float other_sum(float sum) {")],
    ("in the branch",), (r"under the condition of line", r"step = 256|first round"))
add("histogram", "sum_without_value", ("int sum = 0;", "int sum;"), ("sum += mine", "int sum"),
    (r"before it ha[sd] a value",))
add("histogram", "value_for_address", ("atomicAdd(&mine[key][copy], 1);",
    "atomicAdd(mine[key][copy], 1);"), ("atomicAdd(mine",), (r"address|&mine",))
add("softmax", "down_for_xor",
    ("most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, step));",
     "most = fmaxf(most, __shfl_down_sync(0xffffffff, most, step));"),
    ("__shfl_down_sync",), (r"__shfl_down_sync|first lane|lane 0",))
add("softmax", "own_sum",
    ("const float scale = expf(mine.most - whole.most) / whole.sum;",
     "const float scale = expf(mine.most - whole.most) / mine.sum;"),
    ("mine.sum;",), (r"mine\.sum|line 8|part of the sum",))
add("softmax", "not_scaled", ("mine.sum *= expf(mine.most - most);", ""),
    ("mine.sum",), (r"maximum|scaled",))
add("softmax", "own_maximum",
    [("const float scale = expf(mine.most - whole.most) / whole.sum;",
      "const float scale = 1.0f / whole.sum;")],
    ("1.0f / whole.sum",), (r"maximum|mine\.most",))
add("softmax", "pairs_merged_by_one_warp",
    [("if (lane < blockDim.x / 32) {", "if (threadIdx.x < blockDim.x / 32) {")],
    ("if (threadIdx.x <", "pairs[lane]"), (r"warp|lane|threadIdx",))
add("softmax", "earlier_chunks_left_out",
    [("for (int i = threadIdx.x; i < last; i += blockDim.x) {",
      "for (int i = threadIdx.x; i < 0; i += blockDim.x) {")],
    ("to[i] = ", "i < 0"), (r"never written", r"i < 0|line \d+"))
