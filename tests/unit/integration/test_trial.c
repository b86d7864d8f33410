// A wrong result is explained by the change of expected.c that gives it; one that is given by none,
// or not in every element, is not.
#include "suite.h"

#include <math.h>

#include "base/basics.h"
#include "base/words.h"
#include "expected_rig.h"
#include "judge/oracle/expected_check.h"

enum { H = 4, W = 96 };

#define ROWS "H W\nx = in float [H][W]\ny = out float [H][W]\nH = int\nW = int\n[inputs] x = 95..97"

static const char softmax[] = "void f(const number *x, number *y, int H, int W) {\n"
                              "    EACH(row, H) {\n"
                              "        const number *from = x + row * W;\n"
                              "        number most = from[0];\n"
                              "        for (int i = 1; i < W; ++i) most = fmax(most, from[i]);\n"
                              "        number sum = 0;\n"
                              "        for (int i = 0; i < W; ++i) sum += exp(from[i] - most);\n"
                              "        for (int i = 0; i < W; ++i)\n"
                              "            y[row * W + i] = exp(from[i] - most) / sum;\n"
                              "    }\n"
                              "}\n";

static struct expected_rig rig;
static float x[H * W], y[H * W];

// The cause of what is in y.
static const char *cause_of(struct expected_case *made) {
    static char text[1024];
    const void *after[PARAMETERS_MAX] = {NULL, y};
    struct expected_report report;
    struct error err = {.text = ""};
    ck_assert_msg(expected_check(made, after, &report, &err) == STATUS_OK, "%s", err.text);
    ck_assert_int_eq(report.verdict, VERDICT_WRONG_RESULT);
    (void)snprintf(text, sizeof text, "%s", plain(report.cause));
    return text;
}

// What a kernel does with element i of a sum, and with the quotient.
typedef bool (*has_term)(int i);
typedef float (*ending)(float term, float sum);

static bool all(int i) {
    return i >= 0;
}
static bool first_half_of_64(int i) {
    return i % 64 < 32;
}
static bool first_31_of_64(int i) {
    return i % 64 < 31;
}
static bool all_but_the_last(int i) {
    return i < W - 1;
}
static bool the_last_slice_of_64(int i) {
    return i >= (W - 1) / 64 * 64;
}
static bool odd_ones(int i) {
    return i % 2 == 1;
}
static float divided(float term, float sum) {
    return term / sum;
}
static float not_divided(float term, float sum) {
    (void)sum;
    return term;
}
static float multiplied(float term, float sum) {
    return term * sum;
}
static float of_more(float term, float sum) {
    return term / (sum + 0.5F);
}
static float squared(float term, float sum) {
    return term * term / sum;
}

static void rows_make(has_term has, ending end) {
    for (int row = 0; row < H; row++) {
        const float *from = x + row * W;
        float most = from[0];
        float sum = 0;
        for (int i = 1; i < W; i++) {
            most = fmaxf(most, from[i]);
        }
        for (int i = 0; i < W; i++) {
            sum += has(i) ? expf(from[i] - most) : 0;
        }
        for (int i = 0; i < W; i++) {
            y[row * W + i] = end(expf(from[i] - most), sum);
        }
    }
}

static const struct {
    has_term has;
    ending end;
    bool spoiled;  // one element is wrong by itself
    const char *says;
} kernels[] = {
    {all, not_divided, false,
     "The result is what you get without the division. The line is lessons/200_x/expected.c:9."},
    {all, multiplied, false,
     "The result is what you get with a multiplication in place of the division."},
    {first_half_of_64, divided, false,
     "The result is what lessons/200_x/expected.c:7 gives with only the first 32 of each 64 "
     "terms."},
    {odd_ones, divided, false, "gives with only the last 1 of each 2 terms."},
    {all_but_the_last, divided, false, "gives without the last of 96 terms."},
    {the_last_slice_of_64, divided, false, "gives with only the last 32 of 96 terms."},
    // No part that warps or blocks would make: the sum alone is told.
    {first_31_of_64, divided, false, "The result is what lessons/200_x/expected.c:7 gives if its "},
    {all, of_more, false, "everything after that line is right."},
    // Near misses: one element does not agree, or no single change gives the result.
    {all, not_divided, true, ""},
    {first_half_of_64, divided, true, ""},
    {all, of_more, true, ""},
    {all, squared, false, ""},
    {first_half_of_64, squared, false, ""},
};

START_TEST(the_change_that_gives_a_result_is_found) {
    struct expected_case made;
    struct error err = {.text = ""};
    const struct size size = {.at = {H, W}};
    ck_assert_msg(rig_build(&rig, ROWS, "f", softmax, &err) == STATUS_OK, "%s", err.text);
    ck_assert_msg(rig_case(&rig, INPUTS_REAL, size, 3, 0, &made, &err) == STATUS_OK, "%s",
                  err.text);
    memcpy(x, made.values[0], sizeof x);
    for (size_t i = 0; i < COUNT(kernels); i++) {
        rows_make(kernels[i].has, kernels[i].end);
        y[2 * W + 5] *= kernels[i].spoiled ? 1.25F : 1;
        const char *cause = cause_of(&made);
        ck_assert_msg(kernels[i].says[0] == '\0' ? cause[0] == '\0'
                                                 : strstr(cause, kernels[i].says) != NULL,
                      "%zu: %s", i, cause);
    }
    // NaN everywhere has many causes.
    for (int i = 0; i < H * W; i++) {
        y[i] = NAN;
    }
    ck_assert_msg(strstr(cause_of(&made), "No input is NaN"), "%s", cause_of(&made));
    expected_case_done(&made);
    expected_program_done(&rig.program);
}
END_TEST

// Exact inputs of a function that calls exp have two values: any count explains them.
START_TEST(inputs_of_two_values_explain_nothing) {
    struct expected_case made;
    struct error err = {.text = ""};
    const struct size size = {.at = {H, W}};
    ck_assert_int_eq(rig_build(&rig, ROWS, "f", softmax, &err), STATUS_OK);
    ck_assert_int_eq(rig_case(&rig, INPUTS_EXACT, size, 3, 0, &made, &err), STATUS_OK);
    memcpy(x, made.values[0], sizeof x);
    rows_make(all, of_more);
    ck_assert_str_eq(cause_of(&made), "");
    expected_case_done(&made);
    expected_program_done(&rig.program);
}
END_TEST

// Of y = 3 x + 2: an input that is read elsewhere.
START_TEST(an_input_that_is_read_elsewhere_is_found) {
    struct expected_case made;
    struct error err = {.text = ""};
    const struct size size = {.at = {H, W}};
    static const struct {
        int by;
        bool mirrored, spoiled;
        const char *says;
    } seen[] = {
        {1, false, false, "The result is what you get with x[i + 1] in place of x[i]; i counts"},
        {-W, false, false, "The result is what you get with x[i - 96] in place of x[i]; i counts"},
        {0, true, false, "The result is what you get with each row of x in reverse order."},
        {1, false, true, ""},
        {3, false, false, ""},
    };
    ck_assert_int_eq(rig_build(&rig, ROWS, "f",
                               "void f(const number *x, number *y, int H, int W) {\n"
                               "    for (int i = 0; i < H * W; ++i) y[i] = x[i] * x[i] - x[i] * "
                               "(i % 5);\n"
                               "}\n",
                               &err),
                     STATUS_OK);
    ck_assert_int_eq(rig_case(&rig, INPUTS_REAL, size, 3, 0, &made, &err), STATUS_OK);
    memcpy(x, made.values[0], sizeof x);
    for (size_t k = 0; k < COUNT(seen); k++) {
        for (int i = 0; i < H * W; i++) {
            int at = seen[k].mirrored ? i / W * W + W - 1 - i % W : i + seen[k].by;
            float from = at >= 0 && at < H * W ? x[at] : 0;
            y[i] = from * from - from * (float)(i % 5);
        }
        y[50] += seen[k].spoiled ? 99 : 0;
        const char *cause = cause_of(&made);
        ck_assert_msg(seen[k].says[0] == '\0' ? cause[0] == '\0'
                                              : strstr(cause, seen[k].says) != NULL,
                      "%zu: %s", k, cause);
    }
    expected_case_done(&made);
    expected_program_done(&rig.program);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("trial");
    TCase *test_case = tcase_create("explanations");
    tcase_set_timeout(test_case, 120);
    tcase_add_test(test_case, the_change_that_gives_a_result_is_found);
    tcase_add_test(test_case, inputs_of_two_values_explain_nothing);
    tcase_add_test(test_case, an_input_that_is_read_elsewhere_is_found);
    suite_add_tcase(suite, test_case);
    return suite;
}
