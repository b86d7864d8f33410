"""Mistakes in vectorized."""

from functools import partial

from mistake import BARRIER, NOT_SET, OUTSIDE, add
from register_tiled import ADD, COPY_B, FOUR, FULL, REFILL

vectorized = partial(add, "vectorized")

R = "const int r = row + i / 4 * (BM / 2) + i % 4;"
V = "const int c = col + j / 4 * (BN / 2) + j % 4;"
IF_C = "if (r < M && c < N) {"
PUT = "C[r * N + c] = acc[i][j];"
A0 = "*(float4 *)&a[0] = *(const float4 *)&As[k][ty * 4];"
A4 = "*(float4 *)&a[4] = *(const float4 *)&As[k][BM / 2 + ty * 4];"
B0 = "*(float4 *)&b[0] = *(const float4 *)&Bs[k][tx * 4];"
B4 = "*(float4 *)&b[4] = *(const float4 *)&Bs[k][BN / 2 + tx * 4];"
LOAD = "const float4 four = load_four(A, M, K, blockIdx.y * BM + a_row, k0 + a_col);"
AS0 = "As[a_col + 0][a_row] = four.x;"
AS3 = "As[a_col + 3][a_row] = four.w;"
ALL_AS = "\n        ".join(f"As[a_col + {i}][a_row] = four.{m};" for i, m in enumerate("xyzw"))

vectorized(
    "rows_not_halved",
    (R, "const int r = row + i;"),
    ("int r =", PUT),
    (r"row|\br\b|same element|two",),
)
vectorized(
    "columns_not_halved",
    (V, "const int c = col + j;"),
    ("int c =", PUT),
    (r"col|\bc\b|same element|two",),
)
vectorized(
    "whole_block_for_half",
    (V, "const int c = col + j / 4 * BN + j % 4;"),
    ("int c =", PUT),
    (r"col|\bc\b|element",),
)
vectorized(
    "remainder_forgotten",
    (R, "const int r = row + i / 4 * (BM / 2);"),
    ("int r =", PUT),
    (r"row|\br\b|element",),
)
vectorized(
    "a_not_transposed",
    [(f"As[a_col + {i}][a_row]", f"As[a_row][a_col + {i}]") for i in range(4)],
    ("As[a_row][a_col + 0]",),
    (r"As", OUTSIDE),
)
vectorized(
    "first_member_always",
    [("= four.y;", "= four.x;"), ("= four.z;", "= four.x;"), ("= four.w;", "= four.x;")],
    ("As[a_col + 1]", "As[a_col + 2]", "As[a_col + 3]"),
    (r"As|\bA\b", r"col|\bk\b|row"),
)
vectorized(
    "fourth_store_forgotten",
    ("        " + AS3 + "\n", ""),
    ("As[a_col + 2]", A0, A4),
    (r"As", NOT_SET),
)
vectorized(
    "fourth_store_at_two",
    (AS3, "As[a_col + 2][a_row] = four.w;"),
    ("= four.w;", A0, A4),
    (r"As", NOT_SET),
)
vectorized(
    "pad_of_one",
    ("#define PAD 4 ", "#define PAD 1 "),
    (A0, A4, "#define PAD"),
    (r"align|multiple",),
)
vectorized(
    "next_four_rows",
    (A4, "*(float4 *)&a[4] = *(const float4 *)&As[k][ty * 4 + 4];"),
    "&a[4]",
    (r"As", r"row|\bA\b|col"),
)
vectorized(
    "eight_rows_side_by_side",
    [(A0, A0.replace("ty * 4", "ty * 8")), (A4, A4.replace("BM / 2 + ty * 4", "ty * 8 + 4"))],
    ("&a[0]", "&a[4]"),
    (r"As", r"row|\bA\b|col"),
)
vectorized(
    "second_half_over_first",
    (B4, B4.replace("&b[4]", "&b[0]")),
    ("BN / 2 + tx * 4", ADD),
    (r"\bb\b", NOT_SET + "|b\\["),
)
vectorized(
    "local_float4_at_one",
    (A4, A4.replace("&a[4]", "&a[5]")),
    "&a[5]",
    (r"align|multiple|" + OUTSIDE,),
)
vectorized(
    "columns_not_times_four",
    (B0, B0.replace("tx * 4", "tx")),
    "Bs[k][tx]",
    (r"align|multiple",),
)
vectorized(
    "half_of_the_rows_added",
    (
        "for (int i = 0; i < TM; ++i) {\n                    acc",
        "for (int i = 0; i < 4; ++i) {\n                    acc",
    ),
    ("i < 4", PUT, ADD),
    (r"row|0\b",),
)
vectorized(
    "a_and_b_exchanged",
    (ADD, "acc[i][j] += a[j] * b[i];"),
    ("a[j] * b[i]", PUT),
    (r"transpose|exchanged|swap|row|col",),
)
vectorized("no_first_barrier", (FULL, ""), ("As[a_col", A0, A4, B0, B4, COPY_B), (BARRIER,))
vectorized("no_second_barrier", (REFILL, ""), ("As[a_col", A0, A4, B0, B4, COPY_B), (BARRIER,))
vectorized(
    "barrier_if_inside_c",
    (FULL, "if (row < M) __syncthreads();"),
    "row < M) __sync",
    (BARRIER, r"branch|if|reach|some|all threads"),
)
vectorized(
    "slice_forgotten_in_b",
    (COPY_B, COPY_B.replace("k0 + b_row", "b_row")),
    ("load_four(B", FOUR),
    (r"\bB\b|Bs", r"step|slice|again|same|row|k0|\bk\b"),
)
vectorized(
    "row_for_column_in_a",
    (LOAD, LOAD.replace("k0 + a_col", "k0 + a_row")),
    ("load_four(A", FOUR),
    (r"\bA\b|As", r"col|align|" + OUTSIDE),
)
vectorized(
    "shape_of_b_exchanged",
    (COPY_B, COPY_B.replace("B, K, N", "B, N, K")),
    ("load_four(B, N", FOUR, "four.x ="),
    (r"\bB\b|Bs", r"row|col|shape|" + OUTSIDE),
)
vectorized(
    "bounds_less_or_equal",
    (IF_C, "if (r <= M && c <= N) {"),
    ("r <= M", PUT),
    (r"\bC\b", OUTSIDE + "|row|col"),
)
vectorized("c_unbounded", (IF_C, "{"), PUT, (r"\bC\b", OUTSIDE + "|row|col"))
vectorized(
    "only_first_element_bounded",
    (IF_C, "if (row < M && col < N) {"),
    (PUT, "if (row < M"),
    (r"\bC\b", OUTSIDE + "|row|col"),
)
vectorized(
    "stride_of_c_is_m",
    (PUT, "C[r * M + c] = acc[i][j];"),
    "C[r * M",
    (r"\bC\b", r"\bN\b|row|stride|same|two|" + OUTSIDE),
)
vectorized(
    "sums_exchanged_in_store",
    (PUT, "C[r * N + c] = acc[j][i];"),
    "acc[j][i]",
    (r"transpose|exchanged|swap|row|col",),
)
vectorized(
    "sum_without_start",
    ("float acc[TM][TN] = {};", "float acc[TM][TN];"),
    ("acc[TM][TN];", ADD),
    (r"read before it had a value",),
)
vectorized(
    "b_stored_transposed",
    (COPY_B, COPY_B.replace("Bs[b_row][b_col]", "Bs[b_col][b_row]")),
    "Bs[b_col][b_row]",
    (r"Bs", OUTSIDE + "|align"),
)
vectorized(
    "extents_of_a_exchanged",
    ("float As[BK][BM + PAD];", "float As[BM][BK + PAD];"),
    ("float As[BM]", A0, A4, AS0),
    (r"As", OUTSIDE + r"|same|two|row|col"),
)
vectorized(
    "depth_one_too_short",
    ("for (int k = 0; k < BK; ++k) {", "for (int k = 0; k < BK - 1; ++k) {"),
    ("k < BK - 1", ADD, PUT),
    (r"\bk\b|last|missing|lack",),
)
vectorized(
    "float_for_float4",
    (B0, "float4 b0 = Bs[k][tx * 4];"),
    "float4 b0",
    (r"float4|type|convert",),
)
vectorized(
    "grid_of_lesson_before",
    ("dim3(ceil_div(N, BN), ceil_div(M, BM))", "dim3(ceil_div(M, BM), ceil_div(N, BN))"),
    ("launch->grid", PUT),
    (r"grid|block|row|col",),
)
vectorized(
    "block_too_low",
    ("dim3(BN / TN, BM / TM)", "dim3(16, 8)"),
    ("launch->block", A0, A4, B0, B4),
    (r"As|Bs|block|thread", NOT_SET + "|few|half"),
)
vectorized(
    "slice_too_wide",
    ("#define BK 8 ", "#define BK 16 "),
    ("#define BK", A0, A4, B0, B4),
    (r"As|Bs", NOT_SET),
)
vectorized(
    "float4_store_to_c",
    (
        "for (int j = 0; j < TN; ++j) {\n            const int r",
        "for (int j = 0; j < TN; j += 4) {\n            const int r",
    ),
    ("j += 4", PUT),
    (r"\bC\b", NOT_SET + "|column|never"),
)

# A second list, written before the explanations were read.
vectorized(
    "members_reversed",
    [
        ("= four.x;", "= four.W;"),
        ("= four.y;", "= four.Z;"),
        ("= four.z;", "= four.y;"),
        ("= four.w;", "= four.x;"),
        ("= four.W;", "= four.w;"),
        ("= four.Z;", "= four.z;"),
    ],
    "= four.w;",
    (r"belong to different k",),
)
vectorized(
    "four_sums_of_eight",
    (ADD, "acc[i % 4][j] += a[i] * b[j];"),
    ("acc[i % 4]", PUT),
    (r"A\[64\]\[0\]\*B\[0\]\[0\]",),
)
vectorized(
    "first_half_twice",
    (A4, A4.replace("BM / 2 + ty * 4", "ty * 4")),
    "&a[4]",
    (r"C\[i - 64\]\[j\]",),
)
vectorized(
    "slices_forgotten",
    [
        (LOAD, LOAD.replace("k0 + a_col", "a_col")),
        (COPY_B, COPY_B.replace("k0 + b_row", "b_row")),
    ],
    "load_four(A",
    (r"A is always read from its first tile", r"B is always read from its first tile"),
)
vectorized("semicolon_before_pointer", (A0, A0[:-1]), "&a[0]", r"; is missing at the end")
