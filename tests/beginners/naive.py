"""Mistakes in naive."""

from functools import partial

from mistake import NOT_SET, OUTSIDE, add

naive = partial(add, "naive")

ROW = "const int row = blockIdx.y * TILE + threadIdx.y;"
COL = "const int col = blockIdx.x * TILE + threadIdx.x;"
IF = "if (row < M && col < N) {"
FOR = "for (int k = 0; k < K; ++k) {"
SUM = "acc += A[row * K + k] * B[k * N + col];"
STORE = "C[row * N + col] = acc;"
GRID = "dim3(ceil_div(N, TILE), ceil_div(M, TILE))"
BLOCK = "dim3(TILE, TILE)"

naive(
    "row_and_column_exchanged",
    [
        (ROW, "const int row = blockIdx.x * TILE + threadIdx.x;"),
        (COL, "const int col = blockIdx.y * TILE + threadIdx.y;"),
    ],
    ("int row =", "int col =", "launch->grid", STORE),
    (r"row|col", r"\bx\b|\by\b|grid|exchanged|swap"),
)
naive("no_bounds", (IF, "{"), SUM, (OUTSIDE, r"row|col"))
naive(
    "bounds_less_or_equal",
    (IF, "if (row <= M && col <= N) {"),
    (SUM, STORE, "row <= M"),
    (OUTSIDE, r"row|col|<="),
)
naive(
    "bounds_or",
    (IF, "if (row < M || col < N) {"),
    (SUM, STORE, "row < M ||"),
    (OUTSIDE, r"row|col"),
)
naive(
    "bounds_exchanged",
    (IF, "if (row < N && col < M) {"),
    ("row < N &&", SUM, STORE),
    (r"row|col|\bM\b|\bN\b",),
)
naive("only_row_bounded", (IF, "if (row < M) {"), (SUM, STORE, "if (row < M)"), (OUTSIDE, r"col"))
naive(
    "only_column_bounded",
    (IF, "if (col < N) {"),
    (SUM, STORE, "if (col < N)"),
    (OUTSIDE, r"row"),
)
naive(
    "one_product_too_many",
    (FOR, "for (int k = 0; k <= K; ++k) {"),
    ("k <= K", SUM),
    (r"\bk\b|\bK\b|element",),
)
naive(
    "starts_at_one",
    (FOR, "for (int k = 1; k < K; ++k) {"),
    ("int k = 1", SUM, STORE),
    (r"\bk = 0|first|missing|lacks|left out",),
)
naive("loop_to_n", (FOR, "for (int k = 0; k < N; ++k) {"), ("k < N", SUM), (r"\bk\b|\bK\b",))
naive(
    "int_sum",
    ("float acc = 0.0f;", "int acc = 0;"),
    ("int acc", SUM),
    (r"int\b|integer|whole number|fraction",),
)
naive(
    "sum_without_start",
    ("float acc = 0.0f;", "float acc;"),
    ("float acc;", SUM),
    (r"acc", NOT_SET),
)
naive(
    "stride_of_a_is_n",
    (SUM, "acc += A[row * N + k] * B[k * N + col];"),
    "A[row * N + k]",
    (r"\bA\b", r"\bK\b|stride|row"),
)
naive(
    "stride_of_a_is_m",
    (SUM, "acc += A[row * M + k] * B[k * N + col];"),
    "A[row * M + k]",
    (r"\bA\b", r"\bK\b|stride|row"),
)
naive(
    "stride_of_b_is_k",
    (SUM, "acc += A[row * K + k] * B[k * K + col];"),
    "B[k * K + col]",
    (r"\bB\b", r"\bN\b|stride|row"),
)
naive(
    "b_transposed",
    (SUM, "acc += A[row * K + k] * B[col * N + k];"),
    "B[col * N + k]",
    (r"\bB\b", r"transpose|exchanged|swap|row|col"),
)
naive(
    "a_by_columns",
    (SUM, "acc += A[k * K + row] * B[k * N + col];"),
    "A[k * K + row]",
    (r"\bA\b", r"transpose|exchanged|swap|row|col"),
)
naive(
    "stride_of_c_is_m",
    (STORE, "C[row * M + col] = acc;"),
    "C[row * M + col]",
    (r"\bC\b", r"\bN\b|stride|row|same element|two threads"),
)
naive(
    "c_transposed",
    (STORE, "C[col * N + row] = acc;"),
    "C[col * N + row]",
    (r"\bC\b", r"transpose|exchanged|swap|row|col"),
)
naive(
    "assigned_not_added",
    (SUM, "acc = A[row * K + k] * B[k * N + col];"),
    ("acc = A[", STORE),
    (r"last|\+=|only one|add|sum",),
)
naive(
    "plus_for_times",
    (SUM, "acc += A[row * K + k] + B[k * N + col];"),
    ("] + B[", STORE),
    (r"product|multipl|\badded",),
)
naive("adds_to_c", (STORE, "C[row * N + col] += acc;"), "] += acc", (r"\bC\b", NOT_SET))
naive(
    "same_thread_index_twice",
    (ROW, "const int row = blockIdx.y * TILE + threadIdx.x;"),
    ("int row =", STORE),
    (r"row|thread",),
)
naive(
    "no_block_index",
    (ROW, "const int row = threadIdx.y;"),
    ("int row =", STORE),
    (r"block|row",),
)
naive(
    "grid_size_for_block_size",
    (ROW, "const int row = blockIdx.y * gridDim.y + threadIdx.y;"),
    ("int row =", STORE),
    (r"row|block|thread",),
)
naive(
    "block_and_thread_exchanged",
    (ROW, "const int row = blockIdx.y + TILE * threadIdx.y;"),
    ("int row =", STORE),
    (r"row|block|thread",),
)
naive(
    "grid_rounded_down",
    (GRID, "dim3(N / TILE, M / TILE)"),
    ("launch->grid", STORE),
    (r"grid|block", r"round|few|ceil|cover|0"),
)
naive(
    "grid_exchanged",
    (GRID, "dim3(ceil_div(M, TILE), ceil_div(N, TILE))"),
    ("launch->grid", STORE),
    (r"grid|block|row|col",),
)
naive(
    "grid_of_one_dimension",
    (GRID, "dim3(ceil_div(N, TILE))"),
    ("launch->grid", STORE),
    (r"grid|block|row",),
)
naive(
    "block_too_large",
    ("launch->block = dim3(TILE, TILE)", "launch->block = dim3(TILE * 4, TILE * 4)"),
    "launch->block",
    (r"1[,.]?024", r"thread"),
)
naive(
    "block_of_one_dimension",
    ("launch->block = dim3(TILE, TILE)", "launch->block = dim3(TILE)"),
    ("launch->block", STORE),
    (r"block|thread|row",),
)
naive(
    "no_semicolon",
    ("float acc = 0.0f;", "float acc = 0.0f"),
    ("float acc", "for (int k"),
    (r";",),
)
naive("undeclared_name", (STORE, "C[row * N + col] = sum;"), "= sum;", (r"sum",))
naive(
    "misspelt_builtin",
    (COL, "const int col = blockIdx.x * TILE + threadidx.x;"),
    "threadidx",
    (r"threadIdx",),
)
naive(
    "sum_begun_anew",
    [("        float acc = 0.0f;\n", ""), (SUM, "float acc = 0.0f;\n            " + SUM)],
    "C[row * N + col] = acc",
    (r"acc",),
)
naive(
    "sum_set_to_zero_in_loop",
    (SUM, "acc = 0.0f;\n            " + SUM),
    ("acc = 0.0f;\n", "            acc = 0.0f;", SUM, STORE),
    (r"last|only|0|acc",),
)
naive("empty_if", (IF, "if (row < M && col < N); {"), (SUM, "col < N);"), (r";|empty|" + OUTSIDE,))
naive(
    "comma_for_and",
    (IF, "if (row < M, col < N) {"),
    ("row < M, col", SUM, STORE),
    (r"comma|row|no effect",),
)
naive(
    "c_in_two_brackets",
    (STORE, "C[row][col] = acc;"),
    "C[row][col]",
    (r"subscript|array|pointer|\[",),
)
naive(
    "last_row_left_out",
    (IF, "if (row < M - 1 && col < N) {"),
    ("M - 1", STORE),
    (r"last row|row \d+|row",),
)
naive(
    "store_outside_if",
    [
        ("        " + STORE + "\n    }", "    }\n    C[row * N + col] = acc;"),
        ("        float acc = 0.0f;\n", ""),
        (IF, "float acc = 0.0f;\n    " + IF),
    ],
    STORE,
    (r"\bC\b", OUTSIDE),
)

# A second list, written before the explanations were read.
naive("only_a_added", (SUM, "acc += A[row * K + k];"), "acc += A", (r"B is never read",))
naive("only_b_added", (SUM, "acc += B[k * N + col];"), "acc += B", (r"A is never read",))
naive(
    "k_left_out_in_a",
    (SUM, "acc += A[row * K] * B[k * N + col];"),
    "A[row * K] *",
    (r"column k|first column",),
)
naive(
    "every_second_product",
    (FOR, "for (int k = 0; k < K; k += 2) {"),
    "k += 2",
    (r"k = 1", r"miss"),
)
naive("sum_begins_with_one", ("float acc = 0.0f;", "float acc = 1.0f;"), "acc = 1", r"same 1\b")
naive("subtracted", (SUM, "acc -= A[row * K + k] * B[k * N + col];"), "acc -=", r"wrong sign")
naive(
    "bounds_turned",
    (IF, "if (row > M && col > N) {"),
    ("row > M", SUM),
    (OUTSIDE + "|no element", r"row > M is true"),
)
naive("row_plus_column", (STORE, "C[row + col] = acc;"), "C[row + col]", r"two threads store C")
naive("compared_not_stored", (STORE, "C[row * N + col] == acc;"), "== acc", r"stores it nowhere")
naive("define_with_semicolon", ("#define TILE 16", "#define TILE 16;"), "#define", r"; at the end")
naive("operator_left_out", (SUM, "acc += A[row * K + k] B[k * N + col];"), "] B[", r"operator")
naive("commas_in_for", (FOR, "for (int k = 0, k < K, ++k) {"), "k < K, ++k", r"three parts")
naive(
    "semicolon_lines_above",
    ("#define TILE 16", "#define TILE 16\nconst int other = 5\n\n// the kernel\n"),
    "int other",
    r"; is missing at the end",
)
