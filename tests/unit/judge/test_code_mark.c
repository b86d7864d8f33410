// What is underlined in a line, for the columns that compilers give.
#include "judge/code/access_text.h"

#include <string.h>

#include "suite.h"  // last: Check has a macro called fail

// In each source, ~ marks the column and is removed.
static const struct {
    const char *source;
    enum access_kind access;
    const char *marked;
} cases[] = {
    {"acc += As[ty][k~] * Bs[k][tx];", ACCESS_READ, "As[ty][k]"},
    {"acc += As[ty][k] * Bs[k][tx~];", ACCESS_READ, "Bs[k][tx]"},
    {"As[ty][tx] ~= row < M ? A[row * K + a_col] : 0.0f;", ACCESS_WRITE, "As[ty][tx]"},
    {"As[ty][tx] = row <= M ? A[row * K + a_col~] : 0.0f;", ACCESS_READ, "A[row * K + a_col]"},
    {"partial[lane] +~= partial[lane + distance];", ACCESS_WRITE, "partial[lane]"},
    {"partial[lane] ~+= partial[lane + distance];", ACCESS_WRITE, "partial[lane]"},
    {"C[i] ~+= acc;", ACCESS_READ, "C[i]"},
    {"a ~- b[i] == c;", ACCESS_READ, "-"},
    {"sum[i] <<~= 1;", ACCESS_WRITE, "sum[i]"},
    {"sum[i] ~<<= 1;", ACCESS_WRITE, "sum[i]"},
    {"C[row * N + col~] += acc;", ACCESS_READ, "C[row * N + col]"},
    {"p.tile[As[i][0]][k~] += 1;", ACCESS_READ, "p.tile[As[i][0]][k]"},
    {"four ~= *(const float4 *)&matrix[row * cols + col];  // whole", ACCESS_READ,
     "*(const float4 *)&matrix[row * cols + col]"},
    {"*(float4 *)&As[r][c] = load_four(A, M, K~);", ACCESS_WRITE, "As[r][c]"},
    {"*(float4 *)c = make_float4(a[0], b[1]~);", ACCESS_WRITE, "c"},
    {"x = load_four(A, M, K~);", ACCESS_READ, "load_four(A, M, K)"},
    {"if (a == b) atomicAdd(&h[i], 1~);", ACCESS_WRITE, "atomicAdd(&h[i], 1)"},
    {"if (row < M) __syncthreads~();", ACCESS_NONE, "__syncthreads()"},
    {"As[y][x] = row < M ~? A[row * K + k] : 0.0f;", ACCESS_READ, "A[row * K + k]"},
    {"f(i < n ~? As[i][0] : 0.0f, b[i]);", ACCESS_READ, "As[i][0]"},
    {"x = i < n ~? a[i] : b[i];", ACCESS_READ, "?"},
    {"const float4 ~v = *(const float4 *)&A[i];", ACCESS_READ, "*(const float4 *)&A[i]"},
    {"printf~(\"%d\", x);", ACCESS_NONE, "printf"},
    {"if (row >= M) ~return;", ACCESS_NONE, "return"},
    {"~*p = 1;", ACCESS_WRITE, "*"},
    {"acc += x / ~y;", ACCESS_NONE, "y"},
    {"1.0f~];", ACCESS_READ, "]"},
    {"void f() ~{", ACCESS_NONE, ""},
    {"a[0] ~", ACCESS_READ, ""},
    {"~", ACCESS_READ, ""},
};

START_TEST(the_expression_of_a_column_is_marked) {
    char source[128];
    char marked[128];
    const char *tilde = strchr(cases[_i].source, '~');
    uint32_t at = (uint32_t)(tilde - cases[_i].source);
    (void)snprintf(source, sizeof source, "%.*s%s", (int)at, cases[_i].source, tilde + 1);
    // A compiler's column of a bracket or an operator is that of its own character.
    struct source_span mark = mark_find(source, at, cases[_i].access);
    (void)snprintf(marked, sizeof marked, "%.*s", (int)mark.length, source + mark.start);
    ck_assert_str_eq(marked, cases[_i].marked);
}
END_TEST

START_TEST(a_column_behind_the_line_marks_nothing) {
    ck_assert_uint_eq(mark_find("a[0] = 1;", 9, ACCESS_WRITE).length, 0);
    ck_assert_uint_eq(mark_find("a[0] = 1;", 4000000000u, ACCESS_WRITE).length, 0);
}
END_TEST

START_TEST(any_column_of_any_line_is_safe) {
    static const char *const odd[] = {
        "((((", "]]]]", "=", "==", " = ", "+=", "[)", "a=(b=[", "(", ")", "];=", "!=<=>="};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        for (uint32_t at = 0; at < strlen(odd[i]); at++) {
            for (int access = 0; access < ACCESS_KIND_COUNT; access++) {
                struct source_span mark = mark_find(odd[i], at, (enum access_kind)access);
                ck_assert_uint_gt(mark.length, 0);
                ck_assert_uint_le(mark.start + mark.length, strlen(odd[i]));
            }
        }
    }
}
END_TEST

START_TEST(a_mark_names_its_array) {
    const char *source = "acc += As[ty][k];";
    const struct source_span mark = {7, 9};
    ck_assert(mark_names(source, mark, "As"));
    ck_assert(!mark_names(source, mark, "A"));
    ck_assert(!mark_names(source, mark, "Bs"));
    ck_assert(!mark_names(source, (struct source_span){0, 0}, "acc"));
    ck_assert(!mark_names(source, mark, ""));
}
END_TEST

SUITE() {
    Suite *suite = suite_create("explain_mark");
    TCase *tests = tcase_create("marks");
    tcase_add_loop_test(tests, the_expression_of_a_column_is_marked, 0,
                        (int)(sizeof cases / sizeof *cases));
    tcase_add_test(tests, a_column_behind_the_line_marks_nothing);
    tcase_add_test(tests, any_column_of_any_line_is_safe);
    tcase_add_test(tests, a_mark_names_its_array);
    suite_add_tcase(suite, tests);
    return suite;
}
