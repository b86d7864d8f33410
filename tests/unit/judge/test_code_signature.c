// Which parameter differs, as a student reads it.
#include "judge/code/kernel_text.h"

#include "base/limits.h"

#include <string.h>

#include "suite.h"  // last: Check has a macro called fail

#define WANTED "wanted: (const float *A, const float *B, float *C, int M, int N, int K)\n"

static const struct {
    const char *text, *lines;
} rows[] = {
    {"__global__ void k(const float *A, const float *B, float *C, int M, int N, int K) {", ""},
    {"void k(float const* a, const float *__restrict__ b, float* c, int m, int n, int k) {", ""},
    {"void other(int a) {", ""},
    {"LAUNCH_CONFIG(k, M, N, K) {", ""},
    {"void kk(int a); // k(int)\nvoid k(float *A,\n  const float *B, float *C, int M, int N, int "
     "K)",
     "yours:  (float *A, const float *B, float *C, int M, int N, int K)\n" WANTED
     "parameter 1 differs: float *A, not const float *A\n"},
    {"void k(const float *A, const float *B, float *C, int M, int N, long K)",
     "yours:  (const float *A, const float *B, float *C, int M, int N, long K)\n" WANTED
     "parameter 6 differs: long K, not int K\n"},
    {"void k(float *C, int n)",
     "yours:  (float *C, int n)\n" WANTED "it has 2 parameters, not 6\n"},
    {"void k()", "yours:  ()\n" WANTED "it has 0 parameters, not 6\n"},
};

START_TEST(the_parameter_that_differs_is_named) {
    char lines[1024];
    explain_signature(signature_of_matmul(), rows[_i].text, "k", lines, sizeof lines);
    ck_assert_str_eq(plain(lines), rows[_i].lines);
}
END_TEST

START_TEST(another_order_of_the_names_is_said) {
    static const struct {
        const char *parameters, *sentence;
    } orders[] = {
        {"const float *A, const float *B, float *C, int M, int N, int K", ""},
        {"const float *a, const float *b, float *c, int m, int k, int n", ""},
        {"const float *A, const float *B, float *C, int N, int O, int P", ""},
        {"const float *A, const float *B, float *C, int N", ""},
        {"const float *A, const float *B, float *C, int M, int K, int N",
         "The last parameters are handed over as M, N, K, but the kernel calls them M, K, N."},
        {"const float *__restrict__ B, const float *A, float *C, int M, int N, int K",
         "The first two parameters are handed over as A, B, but the kernel calls them B, A."},
    };
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        char text[256];
        char sentences[ERROR_TEXT_MAX] = "";
        (void)snprintf(text, sizeof text, "void k(%s) {", orders[i].parameters);
        explain_parameter_order(text, "k", true, sentences);
        ck_assert_str_eq(plain(sentences), orders[i].sentence);
    }
}
END_TEST

START_TEST(a_workspace_comes_last) {
    static const char with[] =
        "void k(const float *A, const float *__restrict__ B, float *C, int M, int N, int K, ";
    static const struct {
        const char *last;
        bool has;
    } lasts[] = {{"float *sums)", true},
                 {"float *__restrict__ sums)", true},
                 {"const float *sums)", false},
                 {"int *sums)", false},
                 {"float *sums, int n)", false}};
    char text[256];
    for (size_t i = 0; i < sizeof lasts / sizeof *lasts; i++) {
        (void)snprintf(text, sizeof text, "%s%s", with, lasts[i].last);
        ck_assert(signature_has_workspace(signature_of_matmul(), text, "k") == lasts[i].has);
    }
    ck_assert(!signature_has_workspace(signature_of_matmul(), rows[0].text, "k"));
    ck_assert(!signature_has_workspace(signature_of_matmul(), "void k(float *sums)", "k"));
}
END_TEST

START_TEST(any_text_fits) {
    char text[4096] = "void k(";
    char lines[1024];
    memset(text + 7, 'x', sizeof text - 8);
    text[sizeof text - 1] = '\0';
    for (size_t i = 600; i < sizeof text - 1; i += 97) {
        text[i] = ',';
    }
    explain_signature(signature_of_matmul(), text, "k", lines, sizeof lines);
    ck_assert_ptr_nonnull(strstr(plain(lines), "it has 16 parameters, not 6\n"));
}
END_TEST

SUITE() {
    Suite *suite = suite_create("explain_signature");
    TCase *tests = tcase_create("explain_signature");
    tcase_add_loop_test(tests, the_parameter_that_differs_is_named, 0,
                        (int)(sizeof rows / sizeof *rows));
    tcase_add_test(tests, another_order_of_the_names_is_said);
    tcase_add_test(tests, a_workspace_comes_last);
    tcase_add_test(tests, any_text_fits);
    suite_add_tcase(suite, tests);
    return suite;
}
