// What every installed g++ warns of, as read by compiler_warnings.c.  Run from the root of the
// checkout.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/build_report.h"
#include "device/compile/build_plan.h"
#include "device/compile/compiler_messages.h"
#include "device/compile/compiler_warnings.h"
#include "scratch.h"
#include "suite.h"

#define NONE        (-1)
#define ROW_LINES   4  // of a row, with a blank line
#define FIRST_LINE  8  // of the first row
#define OUTPUT_MAX  200000
#define WARNINGS    100
#define VERSION_MIN 11
#define VERSION_MAX 16

static const struct {
    const char *code;  // in the kernel; ROW_LINES - 1 line ends
    int kind;          // at its first line; NONE: no warning is read there
    const char *name;  // NULL: any
    int other;         // other_line, counted from the first line; NONE: any
} rows[] = {
    {"if (row < M);\n{ C[0] = 1; }\n\n", WARNING_EMPTY_BODY, "if", NONE},
    {"if (row < M) { }\nC[0] = 1;\n\n", NONE, NULL, NONE},
    {"s += A[row, k];\n\n\n", WARNING_COMMA_INDEX, NULL, NONE},
    {"s += A[min(row, k)];\n\n\n", NONE, NULL, NONE},
    {"if (row = M) s += 1;\n\n\n", WARNING_ASSIGNED_TRUTH, NULL, NONE},
    {"if (row == M) s += 1;\n\n\n", NONE, NULL, NONE},
    {"if (row & 15 == 0) s += 1;\n\n\n", WARNING_BIT_PRECEDENCE, NULL, NONE},
    {"if (row < M && k < K || k > 3) s += 1;\n\n\n", WARNING_AND_IN_OR, NULL, NONE},
    {"k = 1 << row + 2;\n\n\n", WARNING_SHIFT_PRECEDENCE, NULL, NONE},
    {"if (0 <= row < M) s += 1;\n\n\n", WARNING_CHAINED, NULL, NONE},
    {"if (row < M && row < M) s += 1;\n\n\n", WARNING_EQUAL_SIDES, NULL, NONE},
    {"if (row < M && k < M) s += 1;\n\n\n", NONE, NULL, NONE},
    {"s + A[row];\n\n\n", WARNING_NO_EFFECT, NULL, NONE},
    {"C[0] == s;\n\n\n", WARNING_NO_EFFECT, NULL, NONE},
    {"if (row < M, k < K) s += 1;\n\n\n", WARNING_DROPPED, NULL, NONE},
    {"for (k = 0; k < K; ++k)\n    s += 1;\n    s += 2;\n", WARNING_INDENTED, "for", 2},
    {"for (k = 0; k < K; ++k);\n    s += A[k];\n\n", WARNING_INDENTED, "for", 1},
    {"for (k = 0; k < K; ++k)\n    s += 1;\ns += 2;\n", NONE, NULL, NONE},
    {"if (row) if (k) s += 1; else s += 2;\n\n\n", WARNING_DANGLING_ELSE, NULL, NONE},
    {"{\n    int K = 5; C[K] = 1; }\n\n", NONE, NULL, NONE},
    {"{ int K = 5; C[K] = 1; }\n\n\n", WARNING_SHADOWED, "K", NONE},
    {"{ float s[2] = {}; C[0] = s[1]; }\n\n\n", WARNING_SHADOWED, "s", NONE},
    {"{ float min = 1; C[0] = min; }\n\n\n", NONE, NULL, NONE},
    {"for (unsigned u = M; u >= 0; --u) s += 1;\n\n\n", WARNING_UNSIGNED, NULL, NONE},
    {"if (row == row) s += 1;\n\n\n", WARNING_SAME_TRUTH, NULL, NONE},
    {"k = k++;\n\n\n", WARNING_CHANGED_TWICE, "k", NONE},
    {"k += A[row];\n\n\n", WARNING_FRACTION_LOST, NULL, NONE},
    {"s += 0.5 * A[row];\n\n\n", NONE, NULL, NONE},
    {"k += (int)A[row];\n\n\n", NONE, NULL, NONE},
    {"int spare;\n\n\n", WARNING_UNUSED, "spare", NONE},
    {"int kept; kept = M;\n\n\n", WARNING_UNREAD, "kept", NONE},
};
#define ROWS (sizeof rows / sizeof *rows)

static void source_write(const struct scratch *scratch) {
    char path[PATH_BYTES_MAX];
    char text[20000];
    int used = snprintf(text, sizeof text, "%s",
                        "#include \"matmul.cuh\"\n"
                        "__device__ int helper(int i) { if (i) return 1; }\n"
                        "\n\n"
                        "__global__ void matmul_x(const float *A, const float *B, float *C, int M, "
                        "int N, int K) {\n"
                        "int row = threadIdx.x, k = 0; float s = 0;\n"
                        "\n");
    for (size_t i = 0; i < ROWS; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%s\n", rows[i].code);
    }
    (void)snprintf(text + used, sizeof text - (size_t)used,
                   "C[k] = s; }\nLAUNCH_CONFIG(matmul_x, M, N, K) { M - 1; }\n");
    scratch_write(scratch, BUILD_SOURCE, text, path);
}

// The output of the first step of a build with this compiler.
static void compile(const char *compiler, int version, const char *folder, char *output) {
    struct device_paths paths = {.compiler_version = version};
    struct build_plan plan;
    struct error err;
    char root[PATH_MAX];
    char command[PATH_BYTES_MAX + 4000];
    ck_assert_ptr_nonnull(getcwd(root, sizeof root));
    ck_assert_int_eq(path_make(paths.include, NULL, "%s/grader/include", root), STATUS_OK);
    ck_assert_int_eq(path_make(paths.shim, NULL, "%s/grader/emu/shim", root), STATUS_OK);
    ck_assert_int_eq(path_make(paths.compiler, NULL, "%s", compiler), STATUS_OK);
    ck_assert_int_eq(build_plan_make(DEVICE_EMU, &paths, "matmul_x", "", &plan, &err), STATUS_OK);
    int used = snprintf(command, sizeof command, "cd %s && LC_ALL=C", folder);
    for (char **word = plan.step[0].argument; *word; word++) {
        used += snprintf(command + used, sizeof command - (size_t)used, " '%s'", *word);
    }
    (void)snprintf(command + used, sizeof command - (size_t)used, " 2>&1");
    build_plan_done(&plan);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    output[fread(output, 1, OUTPUT_MAX - 1, pipe)] = '\0';
    ck_assert_msg(pclose(pipe) == 0, "%.1500s",
                  strstr(output, "error") ? strstr(output, "error") : output);
}

static const struct compiler_warning *at_line(const struct compiler_warning *list, int count,
                                              int line) {
    for (int i = 0; i < count; i++) {
        if (list[i].line == line) {
            return &list[i];
        }
    }
    return NULL;
}

static void rows_check(const char *compiler, const struct compiler_warning *list, int count) {
    for (size_t i = 0; i < ROWS; i++) {
        int line = FIRST_LINE + ROW_LINES * (int)i;
        const struct compiler_warning *warning = at_line(list, count, line);
        if (rows[i].kind == NONE) {
            ck_assert_msg(!warning, "%s: %s", compiler, rows[i].code);
            continue;
        }
        ck_assert_msg(warning && (int)warning->kind == rows[i].kind, "%s: %s", compiler,
                      rows[i].code);
        ck_assert_msg(warning->is_in_kernel, "%s: %s", compiler, rows[i].code);
        ck_assert_msg(!rows[i].name || strcmp(warning->name, rows[i].name) == 0, "%s: %s of %s",
                      compiler, warning->name, rows[i].code);
        ck_assert_msg(rows[i].other == NONE || warning->other_line == line + rows[i].other,
                      "%s: line %d of %s", compiler, warning->other_line, rows[i].code);
    }
}

START_TEST(warnings_of_each_compiler_are_read) {
    struct scratch scratch = scratch_make();
    int tried = 0;
    char *output = malloc(OUTPUT_MAX);
    ck_assert_ptr_nonnull(output);
    source_write(&scratch);
    for (int version = VERSION_MIN; version <= VERSION_MAX; version++) {
        char compiler[64];
        struct compiler_warning list[WARNINGS];
        (void)snprintf(compiler, sizeof compiler, "/usr/bin/g++-%d", version);
        if (access(compiler, X_OK) != 0) {
            continue;
        }
        compile(compiler, version, scratch.folder, output);
        char *shown = diagnostics_show(output, "matmul_x");
        int count = diagnostics_warnings(shown, "matmul_x", list, WARNINGS);
        rows_check(compiler, list, count);
        const struct compiler_warning *helper = at_line(list, count, 2);
        const struct compiler_warning *config =
            at_line(list, count, FIRST_LINE + ROW_LINES * (int)ROWS + 1);
        ck_assert(helper && helper->kind == WARNING_NO_RETURN && !helper->is_in_kernel);
        ck_assert(config && config->kind == WARNING_NO_EFFECT && !config->is_in_kernel);
        free(shown);
        tried++;
    }
    ck_assert_int_gt(tried, 0);
    free(output);
    scratch_remove(&scratch);
}
END_TEST

START_TEST(warnings_are_read_from_any_text) {
    static const char *const texts[] = {
        "",
        "x.cu:1:1: warning: [-Wshadow",
        "x.cu:1:1: warning: declaration of ' shadows a [-Wshadow]",
        "x.cu:1:1: warning: declaration of '[' shadows a [-Wshadow]\nx.cu:2:1: note: n",
        "x.cu:1:1: warning: declaration of '' shadows a [-Wshadow]\nother.h:2:1: note: n",
    };
    struct compiler_warning list[2];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ck_assert_int_eq(diagnostics_warnings(texts[i], "matmul_x", list, 2), i == 3);
    }
    ck_assert_str_eq(list[0].name, "");
}
END_TEST

SUITE() {
    Suite *suite = suite_create("compiler_warnings");
    TCase *cases = tcase_create("compiler_warnings");
    tcase_add_test(cases, warnings_of_each_compiler_are_read);
    tcase_add_test(cases, warnings_are_read_from_any_text);
    tcase_set_timeout(cases, 60);
    suite_add_tcase(suite, cases);
    return suite;
}
