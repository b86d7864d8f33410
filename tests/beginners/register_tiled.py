"""Mistakes in register_tiled."""

from functools import partial

from mistake import BARRIER, NOT_SET, OUTSIDE, add

register_tiled = partial(add, "register_tiled")

FULL = "__syncthreads();  // the slices are full before anyone reads them"
REFILL = "__syncthreads();  // everyone has read the slices before anyone refills them"
READ_A = "a[i] = As[ty * TM + i][k];"
READ_B = "b[j] = Bs[k][tx * TN + j];"
ADD = "acc[i][j] += a[i] * b[j];"
FOUR = "four = *(const float4 *)&matrix[row * cols + col];"
IF_FOUR = "if (row < rows && cols % 4 == 0 && col < cols) {"
COPY_A = "*(float4 *)&As[a_row][a_col] = load_four(A, M, K, blockIdx.y * BM + a_row, k0 + a_col);"
COPY_B = "*(float4 *)&Bs[b_row][b_col] = load_four(B, K, N, k0 + b_row, blockIdx.x * BN + b_col);"
C_FOUR = "*(float4 *)c = make_float4("

register_tiled(
    "rows_not_aligned",
    (IF_FOUR, "if (row < rows && col < cols) {"),
    FOUR,
    (r"align|multiple of 16", r"16|float4|4"),
)
register_tiled(
    "float4_past_end_of_row",
    (IF_FOUR, "if (row < rows && cols % 4 == 0) {"),
    (FOUR, "cols % 4"),
    (r"col|next row|" + OUTSIDE,),
)
register_tiled(
    "float4_without_row",
    (IF_FOUR, "if (cols % 4 == 0 && col < cols) {"),
    (FOUR, "cols % 4"),
    (OUTSIDE, r"row"),
)
register_tiled(
    "single_loads_without_column",
    (
        "four.w = col + 3 < cols ? matrix[row * cols + col + 3] : 0.0f;",
        "four.w = matrix[row * cols + col + 3];",
    ),
    "four.w",
    (r"col|next row|" + OUTSIDE,),
)
register_tiled(
    "single_loads_without_row",
    ("} else if (row < rows) {", "} else {"),
    ("four.x =", "} else {"),
    (OUTSIDE, r"row"),
)
register_tiled(
    "fourth_load_forgotten",
    ("        four.w = col + 3 < cols ? matrix[row * cols + col + 3] : 0.0f;\n", ""),
    ("four.z =", "return four", "make_float4(0.0f", ADD),
    (r"four|column|\bk\b|As|Bs|0",),
)
register_tiled(
    "second_element_twice",
    ("matrix[row * cols + col + 2]", "matrix[row * cols + col + 1]"),
    "four.z =",
    (r"col|element|As|\bA\b|\bB\b",),
)
register_tiled(
    "stride_is_rows",
    (FOUR, "four = *(const float4 *)&matrix[row * rows + col];"),
    "row * rows",
    (r"multiplies row by|rows of M|has [KN] elements",),
)
register_tiled(
    "id_with_tile_of_thread",
    ("const int id = ty * (BN / TN) + tx;", "const int id = ty * TM + tx;"),
    ("int id =", COPY_A, COPY_B, READ_A, READ_B),
    (r"As|Bs|\bid\b|element",),
)
register_tiled(
    "a_row_without_four",
    ("const int a_row = id / (BK / 4);", "const int a_row = id / BK;"),
    ("int a_row", READ_A, COPY_A),
    (r"As", NOT_SET + r"|two threads|same|race|a_row"),
)
register_tiled(
    "a_col_without_times_four",
    ("const int a_col = id % (BK / 4) * 4;", "const int a_col = id % (BK / 4);"),
    ("int a_col", COPY_A),
    (r"align|multiple",),
)
register_tiled(
    "b_row_by_depth",
    ("const int b_row = id / (BN / 4);", "const int b_row = id / (BK / 4);"),
    ("int b_row", COPY_B),
    (r"Bs", OUTSIDE),
)
register_tiled(
    "shape_of_a_exchanged",
    (COPY_A, COPY_A.replace("A, M, K", "A, K, M")),
    ("load_four(A, K, M", FOUR, "four.x ="),
    (r"\bA\b", r"row|col|shape|" + OUTSIDE),
)
register_tiled(
    "block_index_of_b_is_y",
    (COPY_B, COPY_B.replace("blockIdx.x", "blockIdx.y")),
    ("blockIdx.y * BN", FOUR),
    (r"\bB\b|Bs|j - 64", r"col|block"),
)
register_tiled(
    "slice_forgotten_in_a",
    (COPY_A, COPY_A.replace("k0 + a_col", "a_col")),
    ("load_four(A", FOUR),
    (r"\bA\b|As", r"step|slice|again|same|col|k0|\bk\b"),
)
register_tiled(
    "slice_forgotten_in_b",
    (COPY_B, COPY_B.replace("k0 + b_row", "b_row")),
    ("load_four(B", FOUR),
    (r"\bB\b|Bs", r"step|slice|again|same|row|k0|\bk\b"),
)
register_tiled(
    "rows_one_apart",
    (READ_A, "a[i] = As[ty + i][k];"),
    "As[ty + i]",
    (r"row \d+ of C holds",),
)
register_tiled(
    "columns_one_apart",
    (READ_B, "b[j] = Bs[k][tx + j];"),
    "Bs[k][tx + j]",
    (r"column \d+ of C holds",),
)
register_tiled(
    "columns_a_block_apart",
    (READ_B, "b[j] = Bs[k][tx + TN * j];"),
    "Bs[k][tx + TN",
    (r"\bBs?\b", r"col"),
)
register_tiled(
    "a_read_transposed",
    (READ_A, "a[i] = As[k][ty * TM + i];"),
    "As[k][ty",
    (r"As|of A", r"transpose|exchanged|swap|row|col|" + OUTSIDE),
)
register_tiled(
    "same_index_in_both",
    (ADD, "acc[i][j] += a[i] * b[i];"),
    "b[i]",
    (r"\bb\b|col|\bB\b",),
)
register_tiled(
    "assigned_not_added",
    (ADD, "acc[i][j] = a[i] * b[j];"),
    "acc[i][j] = a",
    (r"last|\+=|only|add|sum",),
)
register_tiled(
    "sum_transposed",
    (ADD, "acc[j][i] += a[i] * b[j];"),
    ("acc[j][i]", C_FOUR),
    (r"transpose|exchanged|swap|row|col",),
)
register_tiled(
    "loop_over_rows_for_depth",
    ("for (int k = 0; k < BK; ++k) {", "for (int k = 0; k < BM; ++k) {"),
    ("k < BM", READ_A, READ_B),
    (r"As|Bs", OUTSIDE + "|row"),
)
register_tiled(
    "sum_without_start",
    ("float acc[TM][TN] = {};", "float acc[TM][TN];"),
    ("acc[TM][TN];", ADD),
    (r"read before it had a value",),
)
register_tiled(
    "local_array_too_short",
    ("float a[TM], b[TN];", "float a[TM - 1], b[TN];"),
    ("a[TM - 1]", READ_A, ADD),
    (r"\ba\b", OUTSIDE),
)
register_tiled("no_first_barrier", (FULL, ""), (COPY_A, COPY_B, READ_A, READ_B), (BARRIER,))
register_tiled("no_second_barrier", (REFILL, ""), (COPY_A, COPY_B, READ_A, READ_B), (BARRIER,))
register_tiled(
    "b_not_shared",
    ("__shared__ __align__(16) float Bs", "__align__(16) float Bs"),
    ("float Bs", READ_B),
    (r"Bs", r"__shared__"),
)
register_tiled(
    "pad_of_one",
    ("float As[BM][BK];", "float As[BM][BK + 1];"),
    (COPY_A, "BK + 1"),
    (r"align|multiple",),
)
register_tiled(
    "grid_for_one_element_each",
    ("dim3(ceil_div(N, BN), ceil_div(M, BM))", "dim3(ceil_div(N, 128), ceil_div(M, 128))"),
    ("launch->grid", C_FOUR, "c[j] ="),
    (r"grid", r"64|threads in x"),
)
register_tiled(
    "thread_for_each_element",
    ("dim3(BN / TN, BM / TM)", "dim3(BN, BM)"),
    "launch->block",
    (r"1[,.]?024", r"thread"),
)
register_tiled(
    "block_exchanged_in_row",
    ("const int row = blockIdx.y * BM + ty * TM;", "const int row = blockIdx.y * BM + ty;"),
    ("int row =", C_FOUR, "c[j] ="),
    (r"row|two|same",),
)
register_tiled(
    "rows_of_c_unbounded",
    ("i < TM && row + i < M; ++i", "i < TM; ++i"),
    (C_FOUR, "c[j] =", "i < TM; ++i) {"),
    (r"\bC\b", OUTSIDE + "|row"),
)
register_tiled(
    "c_not_aligned",
    ("if (N % 4 == 0 && col < N) {", "if (col < N) {"),
    C_FOUR,
    (r"align|multiple of 16|" + OUTSIDE,),
)
register_tiled(
    "step_of_one",
    ("k0 += BK", "k0 += 1"),
    ("k0 += 1", ADD, COPY_A, FOUR),
    (r"\bk0\b|step|slice|in the sum \d+ times|twice",),
)
register_tiled(
    "int_sum",
    ("float acc[TM][TN] = {};", "int acc[TM][TN] = {};"),
    ("int acc", ADD),
    (r"int\b|integer|whole|fraction",),
)
register_tiled(
    "wrong_member",
    ("four.w = col + 3", "four.a = col + 3"),
    "four.a",
    (r"float4|member|\ba\b",),
)

# A second list, written before the explanations were read.
register_tiled("row_left_out", (READ_A, "a[i] = As[ty * TM][k];"), "As[ty * TM]", r"row 1 .* row 0")
register_tiled("slice_in_slice", (READ_A, READ_A.replace("[k]", "[k0 + k]")), "k0 + k", OUTSIDE)
register_tiled(
    "edge_transposed",
    ("c[j] = acc[i][j];", "c[j] = acc[j][i];"),
    "acc[j][i]",
    (r"exchanged in (each 4 x 4|a tile)",),
)
register_tiled(
    "slice_in_row",
    (COPY_A, COPY_A.replace("a_row, k0 + a_col", "k0 + a_row, a_col")),
    "load_four(A",
    (r"column 16 of A is never read",),
)
