"""Mistakes in tiled."""

from functools import partial

from mistake import BARRIER, NOT_SET, OUTSIDE, add
from naive import STORE

tiled = partial(add, "tiled")

FIRST = "__syncthreads();  // the tiles are full before anyone reads them"
SECOND = "__syncthreads();  // everyone has read the tiles before anyone refills them"
LOAD_A = "As[ty][tx] = row < M && a_col < K ? A[row * K + a_col] : 0.0f;"
LOAD_B = "Bs[ty][tx] = b_row < K && col < N ? B[b_row * N + col] : 0.0f;"
PRODUCT = "acc += As[ty][k] * Bs[k][tx];"
STEPS = "for (int t = 0; t < ceil_div(K, TILE); ++t) {"
INNER = "for (int k = 0; k < TILE; ++k) {"

tiled("no_first_barrier", (FIRST, ""), (LOAD_A, LOAD_B, PRODUCT), (BARRIER,))
tiled("no_second_barrier", (SECOND, ""), (LOAD_A, LOAD_B, PRODUCT), (BARRIER,))
tiled("no_barriers", [(FIRST, ""), (SECOND, "")], (LOAD_A, LOAD_B, PRODUCT), (BARRIER,))
tiled(
    "returns_before_barrier",
    ("    float acc = 0.0f;\n", "    if (row >= M || col >= N) return;\n    float acc = 0.0f;\n"),
    (FIRST, "return;", PRODUCT),
    (BARRIER, r"return|left|ended|end|exit"),
)
tiled(
    "barrier_in_branch",
    (FIRST, "if (a_col < K) __syncthreads();"),
    "if (a_col < K) __sync",
    (BARRIER, r"branch|if|not reach|reach|some|all threads"),
)
tiled(
    "second_barrier_in_branch",
    (SECOND, "if (row < M && col < N) { __syncthreads(); }"),
    "col < N) { __sync",
    (BARRIER, r"branch|if|reach|some|all threads"),
)
tiled(
    "a_not_shared",
    ("__shared__ float As", "float As"),
    ("float As", PRODUCT),
    (r"As", r"__shared__"),
)
tiled(
    "nothing_shared",
    [("__shared__ float As", "float As"), ("__shared__ float Bs", "float Bs")],
    ("float As", "float Bs", PRODUCT),
    (r"__shared__",),
)
tiled(
    "tile_too_narrow",
    ("float As[TILE][TILE];", "float As[TILE][TILE - 1];"),
    (LOAD_A, PRODUCT, "float As"),
    (r"As", OUTSIDE + r"|same element"),
)
tiled(
    "tile_too_low",
    ("float Bs[TILE][TILE];", "float Bs[TILE - 1][TILE];"),
    (LOAD_B, PRODUCT, "float Bs"),
    (r"Bs", OUTSIDE),
)
tiled(
    "row_of_a_unbounded",
    (LOAD_A, "As[ty][tx] = a_col < K ? A[row * K + a_col] : 0.0f;"),
    "As[ty][tx] = a_col",
    (r"\bA\b", OUTSIDE, r"row"),
)
tiled(
    "column_of_a_unbounded",
    (LOAD_A, "As[ty][tx] = row < M ? A[row * K + a_col] : 0.0f;"),
    "As[ty][tx] = row",
    (r"\bA\b", r"col|a_col|next row|\bK\b"),
)
tiled(
    "b_unbounded",
    (LOAD_B, "Bs[ty][tx] = B[b_row * N + col];"),
    "Bs[ty][tx] =",
    (r"\bB\b", OUTSIDE),
)
tiled(
    "column_of_b_unbounded",
    (LOAD_B, "Bs[ty][tx] = b_row < K ? B[b_row * N + col] : 0.0f;"),
    "Bs[ty][tx] =",
    (r"\bB\b", r"col"),
)
tiled(
    "a_not_filled_with_zeros",
    (LOAD_A, "if (row < M && a_col < K) As[ty][tx] = A[row * K + a_col];"),
    (PRODUCT, "As[ty][tx] = A"),
    (r"As", NOT_SET + "|old|stale|zero|0"),
)
tiled(
    "b_not_filled_with_zeros",
    (
        LOAD_B,
        "if (b_row < K && col < N) {\n            Bs[ty][tx] = B[b_row * N + col];\n        }",
    ),
    (PRODUCT, "Bs[ty][tx] = B"),
    (r"Bs", NOT_SET + "|old|stale|zero|0"),
)
tiled(
    "filled_with_ones",
    [(LOAD_A, LOAD_A.replace("0.0f", "1.0f")), (LOAD_B, LOAD_B.replace("0.0f", "1.0f"))],
    ("1.0f", PRODUCT),
    (r"\bK\b|zero|0|past|end",),
)
tiled(
    "a_stored_transposed",
    (LOAD_A, LOAD_A.replace("As[ty][tx]", "As[tx][ty]")),
    ("As[tx][ty]", PRODUCT),
    (r"As|of A", r"transpose|exchanged|swap|row|col"),
)
tiled(
    "b_stored_transposed",
    (LOAD_B, LOAD_B.replace("Bs[ty][tx]", "Bs[tx][ty]")),
    ("Bs[tx][ty]", PRODUCT),
    (r"Bs|of B", r"transpose|exchanged|swap|row|col"),
)
tiled(
    "a_read_transposed",
    (PRODUCT, "acc += As[k][ty] * Bs[k][tx];"),
    "As[k][ty]",
    (r"As|of A", r"transpose|exchanged|swap|row|col"),
)
tiled(
    "b_read_transposed",
    (PRODUCT, "acc += As[ty][k] * Bs[tx][k];"),
    "Bs[tx][k]",
    (r"Bs|of B", r"transpose|exchanged|swap|row|col"),
)
tiled(
    "no_k_in_product",
    (PRODUCT, "acc += As[ty][tx] * Bs[ty][tx];"),
    "As[ty][tx] * Bs",
    (r"\bAs\b|\bBs\b|same k|\bk\b",),
)
tiled(
    "thread_indices_exchanged",
    (PRODUCT, "acc += As[tx][k] * Bs[k][ty];"),
    "As[tx][k]",
    (r"As|Bs|row|transpose",),
)
tiled(
    "rest_of_k_left_out",
    (STEPS, "for (int t = 0; t < K / TILE; ++t) {"),
    ("t < K / TILE", PRODUCT, STORE),
    (r"\bK\b|\bk\b", r"last|rest|round|missing|lack|left out|ceil|stop|end"),
)
tiled(
    "steps_from_n",
    (STEPS, "for (int t = 0; t < ceil_div(N, TILE); ++t) {"),
    ("ceil_div(N, TILE); ++t", PRODUCT, STORE),
    (r"\bK\b|\bk\b",),
)
tiled(
    "inner_loop_to_k",
    (INNER, "for (int k = 0; k < K; ++k) {"),
    ("k < K;", PRODUCT),
    (r"As|Bs", OUTSIDE),
)
tiled(
    "inner_loop_too_long",
    (INNER, "for (int k = 0; k <= TILE; ++k) {"),
    ("k <= TILE", PRODUCT),
    (r"As|Bs", OUTSIDE),
)
tiled(
    "inner_loop_too_short",
    (INNER, "for (int k = 0; k < TILE - 1; ++k) {"),
    ("k < TILE - 1", PRODUCT, STORE),
    (r"\bk\b|15|last|missing|lack",),
)
tiled(
    "sum_zeroed_each_step",
    [
        ("    float acc = 0.0f;\n", "    float acc;\n"),
        (
            "        __syncthreads();  // the tiles",
            "        acc = 0.0f;\n        __syncthreads();  // the tiles",
        ),
    ],
    ("acc = 0.0f", PRODUCT, STORE),
    (r"last|step|tile|0\b",),
)
tiled(
    "sum_without_start",
    ("float acc = 0.0f;", "float acc;"),
    ("float acc;", PRODUCT, STORE),
    (r"acc", NOT_SET),
)
tiled(
    "assigned_not_added",
    (PRODUCT, "acc = As[ty][k] * Bs[k][tx];"),
    ("acc = As", STORE),
    (r"last|\+=|only|add|sum",),
)
tiled(
    "y_for_x_in_a",
    ("const int a_col = t * TILE + tx;", "const int a_col = t * TILE + ty;"),
    ("int a_col", LOAD_A),
    (r"As|a_col|\bA\b",),
)
tiled(
    "x_for_y_in_b",
    ("const int b_row = t * TILE + ty;", "const int b_row = t * TILE + tx;"),
    ("int b_row", LOAD_B),
    (r"Bs|b_row|\bB\b",),
)
tiled(
    "step_forgotten_in_a",
    ("const int a_col = t * TILE + tx;", "const int a_col = tx;"),
    ("int a_col", LOAD_A),
    (r"As|a_col|\bA\b", r"step|same|again|first|\bt\b|col|\bk\b"),
)
tiled(
    "step_without_tile",
    ("const int b_row = t * TILE + ty;", "const int b_row = t + ty;"),
    ("int b_row", LOAD_B),
    (r"Bs|b_row|\bB\b",),
)
tiled(
    "stride_of_b_is_k",
    (LOAD_B, LOAD_B.replace("b_row * N", "b_row * K")),
    "b_row * K",
    (r"\bB\b", r"\bN\b|row|stride"),
)
tiled(
    "stride_of_a_is_n",
    (LOAD_A, LOAD_A.replace("row * K", "row * N")),
    "row * N + a_col",
    (r"\bA\b", r"\bK\b|row|stride"),
)
tiled(
    "b_without_block",
    (LOAD_B, LOAD_B.replace("N + col]", "N + tx]")),
    "N + tx]",
    (r"\bB\b|Bs|j - 16", r"col|tx|block"),
)
tiled("a_in_both_tiles", (LOAD_B, LOAD_B.replace("B[b_row", "A[b_row")), "A[b_row", (r"\bA\b",))
tiled(
    "bounds_of_a_exchanged",
    (LOAD_A, LOAD_A.replace("row < M && a_col < K", "row < K && a_col < M")),
    "row < K && a_col",
    (r"\bA\b|As", r"row|col"),
)
tiled(
    "bounds_of_b_by_m",
    (LOAD_B, LOAD_B.replace("col < N", "col < M")),
    "col < M",
    (r"\bB\b|Bs", r"col"),
)
tiled(
    "c_unbounded",
    ("    if (row < M && col < N) {\n        " + STORE + "\n    }", "    " + STORE),
    STORE,
    (r"\bC\b", OUTSIDE),
)
tiled("adds_to_c", (STORE, "C[row * N + col] += acc;"), "] += acc", (r"\bC\b", NOT_SET))
tiled(
    "half_of_a_loaded",
    (LOAD_A, "if (tx < TILE / 2) " + LOAD_A),
    (PRODUCT, "tx < TILE / 2"),
    (r"As", NOT_SET),
)
tiled(
    "block_too_low",
    ("launch->block = dim3(TILE, TILE)", "launch->block = dim3(TILE, TILE / 2)"),
    ("launch->block", PRODUCT, STORE),
    (r"As|Bs|block|thread", NOT_SET + "|few|half"),
)
tiled(
    "tile_is_32_block_is_16",
    [
        ("#define TILE 16", "#define TILE 32"),
        ("launch->block = dim3(TILE, TILE)", "launch->block = dim3(16, 16)"),
    ],
    ("launch->block", PRODUCT, STORE),
    (r"As|Bs|block|thread", NOT_SET + "|few"),
)
tiled("barrier_misspelt", (FIRST, "__syncthread();"), "__syncthread()", (r"__syncthreads",))
tiled(
    "barrier_not_called",
    (FIRST, "__syncthreads;"),
    ("__syncthreads;", LOAD_A, LOAD_B, PRODUCT),
    (r"__syncthreads|barrier", r"\(\)|call|no effect|between"),
)
tiled(
    "barrier_of_warp",
    (FIRST, "__syncwarp();"),
    ("__syncwarp", LOAD_A, LOAD_B, PRODUCT),
    (BARRIER,),
)
tiled(
    "second_barrier_after_loop",
    ("        " + SECOND + "\n", ""),
    (LOAD_A, LOAD_B, PRODUCT),
    (BARRIER,),
)
tiled(
    "tile_of_k_columns",
    ("float As[TILE][TILE];", "float As[TILE][K];"),
    "As[TILE][K]",
    (r"constant|\bK\b|size",),
)
tiled(
    "whole_numbers_in_tile",
    ("__shared__ float As", "__shared__ int As"),
    ("int As", LOAD_A, PRODUCT),
    (r"int\b|integer|whole|fraction",),
)

# A second list, written before the explanations were read.
tiled(
    "tiles_exchanged",
    [
        (LOAD_A, LOAD_A.replace("As[ty][tx]", "Bs[ty][tx]")),
        (LOAD_B, LOAD_B.replace("Bs[ty][tx]", "As[ty][tx]")),
    ],
    "Bs[ty][tx] = row",
    (r"computed as A\[0\]\[0\]\*B\[0\]\[0\] \+ A\[1\]\[0\]\*B\[0\]\[1\]",),
)
tiled(
    "own_elements_alone",
    (INNER + "\n            " + PRODUCT + "\n        }", "acc += As[ty][tx] * Bs[ty][tx];"),
    "acc += As[ty][tx]",
    (r"computed as A\[0\]\[0\]\*B\[0\]\[0\], but",),
)
tiled(
    "tile_stored",
    (STORE, "C[row * N + col] = As[ty][tx];"),
    "= As[ty]",
    r"holds A\[i\]\[j\] as it is",
)
tiled(
    "first_tile_left_out",
    (STEPS, STEPS.replace("int t = 0", "int t = 1")),
    "int t = 1",
    (r"0\.\.15 of A are never read", r"k = 16 is in the sum\. +where"),  # none is lost
)
tiled(
    "all_in_branch",
    (STEPS, "if (row < M && col < N)\n    " + STEPS),
    (FIRST, "col < N)\n"),
    (r"under the condition of line \d+",),
)
tiled(
    "break_at_edge",
    (INNER, "if (a_col >= K) break;\n        __syncthreads();\n        " + INNER),
    ("__syncthreads();\n", FIRST),
    (r"may leave in line \d+",),
)
tiled(
    "stops_at_forty",
    (INNER, "for (int k = 0; k < TILE && t * TILE + k < 40; ++k) {"),
    "< 40",
    (r"k = 40 to \d+ are missing\. +C",),  # and no reason
)
tiled(
    "row_unchecked_in_choice",
    (LOAD_A, "As[ty][tx] = (a_col < K) ? A[row * K + a_col] : 0.0f;"),
    "(a_col < K) ?",
    (r"does not look at row",),
)
tiled(
    "semicolon_before_shared",
    ("__shared__ float As[TILE][TILE];", "__shared__ float As[TILE][TILE]"),
    "float As",
    (r"; is missing at the end",),
)
