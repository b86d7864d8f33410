// The bounds of an expected.c: honest kernels are inside for any order of summation, and a wrong,
// missing or doubled element is outside.  EXPECTED_ORDERS=10000 is the long version;
// EXPECTED_FIGURES=1 prints the figures of decisions/0042-bounds-of-any-result.md.
#include "suite.h"

#include "expected_operations.h"
#include "judge/expected/expected_case.h"

static const struct operation operations[] = {
    {"vector_add",
     "lessons/005_vector_add",
     NULL,
     NULL,
     2,
     {{.at = {1}}, {.at = {100}}, {.at = {1000}}, {.at = {3000}}},
     add_compute,
     add_mistake,
     false},
    {"transpose",
     "lessons/200_transpose",
     NULL,
     NULL,
     1,
     {{.at = {1, 1}}, {.at = {9, 14}}, {.at = {33, 17}}, {.at = {40, 40}}},
     transpose_compute,
     transpose_mistake,
     false},
    {"reduction",
     "lessons/210_reduction",
     NULL,
     NULL,
     1,
     {{.at = {1}}, {.at = {100}}, {.at = {3000}}, {.at = {50000}}},
     sum_compute,
     sum_mistake,
     false},
    {"scan",
     "lessons/220_scan",
     NULL,
     NULL,
     1,
     {{.at = {1}}, {.at = {100}}, {.at = {1000}}, {.at = {6000}}},
     scan_compute,
     scan_mistake,
     false},
    {"dot",
     NULL,
     "N\nx = in float [N]\ny = in float [N]\nresult = out float [1]\nN = int",
     "void dot(const number *x, const number *y, number *result, int N) {\n"
     "    number sum = 0;\n"
     "    for (int i = 0; i < N; ++i) sum += x[i] * y[i];\n"
     "    result[0] = sum;\n"
     "}\n",
     2,
     {{.at = {1}}, {.at = {100}}, {.at = {3000}}, {.at = {50000}}},
     dot_compute,
     dot_mistake,
     false},
    {"convolution",
     "lessons/240_convolution",
     NULL,
     NULL,
     2,
     {{.at = {1, 1}}, {.at = {9, 14}}, {.at = {33, 17}}, {.at = {40, 40}}},
     convolution_compute,
     convolution_mistake,
     false},
    {"histogram",
     "lessons/230_histogram",
     NULL,
     NULL,
     1,
     {{.at = {1}}, {.at = {100}}, {.at = {3000}}, {.at = {50000}}},
     histogram_compute,
     histogram_mistake,
     false},
    {"softmax",
     "lessons/250_softmax",
     NULL,
     NULL,
     1,
     {{.at = {1, 1}}, {.at = {3, 33}}, {.at = {4, 257}}, {.at = {2, 1500}}},
     softmax_compute,
     softmax_mistake,
     true},
};
#define OPERATIONS ((int)(sizeof operations / sizeof operations[0]))

// Elements that are not right, and the largest error as a share of its bound.
static uint64_t wrong_in(const struct expected_case *made, int output, const void *values,
                         double *share) {
    uint64_t wrong = 0;
    const struct parameter *parameter = &made->plan.program->signature->parameter[output];
    uint64_t elements =
        parameter_elements(made->plan.program->signature, parameter, made->plan.size);
    for (uint64_t e = 0; e < elements; e++) {
        double bound = 0;
        double want = expected_want(made, output, e, &bound);
        double error = fabs(draw_value(parameter->element, values, e) - want);
        enum element_state seen = expected_compare(made, output, values, e);
        ck_assert_int_ne(seen, ELEMENT_NOT_SAMPLED);
        wrong += seen != ELEMENT_RIGHT;
        *share = bound > 0 && error / bound > *share ? error / bound : *share;
    }
    return wrong;
}

static float output[TERMS_MAX];

static void mistakes_check(const struct operation *operation, const struct expected_case *made,
                           int tries, bool figures) {
    for (int which = 0; which < MISTAKES; which++) {
        bool is_softmax = strcmp(operation->name, "softmax") == 0;
        bool is_whole = strcmp(operation->name, "histogram") == 0;
        int caught = 0;
        double excess = INFINITY;
        if ((which == UNSTABLE && !is_softmax) || (which == HALF && is_whole)) {
            continue;
        }
        for (int i = 0; i < tries; i++) {
            double share = 0;
            operation->mistake(made, output, which);
            if (wrong_in(made, operation->output, output, &share) > 0) {
                caught++;
                excess = share > 0 && share < excess ? share : excess;
            }
        }
        if (figures) {
            printf("  %s %.0f%% %.2g", mistake_names[which], 100.0 * caught / tries, excess);
        }
        // One element alone in the place of another may have its value; a sum of one has no order.
        bool is_sure =
            made->plan.kind == INPUTS_EXACT &&
            made->plan.size.at[0] * (made->plan.size.at[1] > 0 ? made->plan.size.at[1] : 1) > 1 &&
            (which == MISSING || which == DOUBLED || which == HALF) && !is_softmax;
        if (is_sure) {
            ck_assert_msg(caught == tries, "%s %s at %s: %d of %d", operation->name,
                          mistake_names[which], made->size, caught, tries);
        }
        if (which == UNSTABLE && made->plan.kind == INPUTS_REAL) {
            ck_assert_int_eq(caught, tries);
        }
    }
}

// The declaration and the function of a lesson.
static enum status lesson_build(struct expected_rig *rig, const struct operation *operation,
                                struct error *err) {
    static struct exercise exercise;
    char path[PATH_BYTES_MAX];
    char *text = NULL;
    size_t bytes = 0;
    rig_machine(rig);
    (void)snprintf(path, sizeof path, "%s/exercise.ini", operation->lesson);
    enum status status = exercise_read(path, &exercise, err);
    (void)snprintf(path, sizeof path, "%s/expected.c", operation->lesson);
    if (!status) {
        rig->signature = exercise.signature;
        status = file_read(path, SOURCE_BYTES_MAX, &text, &bytes, err);
    }
    if (!status) {
        const struct expected_text read = {operation->name, path, text, bytes};
        status = expected_build(&rig->machine, &rig->signature, &read, &rig->program, err);
    }
    free(text);
    return status;
}

static bool is_one_of(const struct operation *operation, const char *names) {
    return strstr(names, operation->name) != NULL;
}

// Where a bound is proved for inputs of a kind.
static bool has_kind(const struct operation *operation, enum inputs_kind kind, struct size size) {
    return kind <= INPUTS_REAL || kind == INPUTS_SPARSE ? true
           : kind == INPUTS_BINADES                     ? !is_one_of(operation, "histogram softmax")
           : kind == INPUTS_EQUAL                       ? !is_one_of(operation, "histogram")
                                  : is_one_of(operation, "transpose vector_add") && size.at[0] >= 3;
}

START_TEST(any_order_is_inside_and_a_mistake_outside) {
    const struct operation *operation = &operations[_i];
    const bool figures = getenv("EXPECTED_FIGURES") != NULL;
    struct expected_rig rig;
    struct error err = {.text = ""};
    enum status status = operation->lesson ? lesson_build(&rig, operation, &err)
                                           : rig_build(&rig, operation->declaration,
                                                       operation->name, operation->text, &err);
    ck_assert_msg(!status, "%s", err.text);
    for (int kind = INPUTS_EXACT; kind < INPUTS_KINDS; kind++) {
        for (int s = 0; s < 4; s++) {
            struct expected_case made;
            double share = 0;
            status = rig_case(&rig, (enum inputs_kind)kind, operation->sizes[s], (uint64_t)s + 1, 0,
                              &made, &err);
            if (!has_kind(operation, (enum inputs_kind)kind, operation->sizes[s])) {
                ck_assert_int_eq(status, STATUS_UNAVAILABLE);
                continue;
            }
            ck_assert_msg(!status && !expected_case_complete(&made, &err), "%s", err.text);
            for (int i = 0; i < orders() / 8; i++) {
                operation->compute(&made, output);
                ck_assert_msg(wrong_in(&made, operation->output, output, &share) == 0, "%s %s %s",
                              operation->name, inputs_kind_name((enum inputs_kind)kind), made.size);
            }
            if (figures) {
                printf("%s %s %s: form %d bits %d wide %.3g some %.3g, error/bound %.2g:",
                       operation->name, inputs_kind_name((enum inputs_kind)kind), made.size,
                       made.form, made.width.bits, made.width.wide, made.width.some, share);
            }
            mistakes_check(operation, &made, orders() / 16, figures);
            if (figures) {
                printf("\n");
            }
            expected_case_done(&made);
        }
    }
    expected_program_done(&rig.program);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("expected_bound");
    TCase *test_case = tcase_create("bounds");
    tcase_set_timeout(test_case, 300);
    tcase_add_loop_test(test_case, any_order_is_inside_and_a_mistake_outside, 0, OPERATIONS);
    suite_add_tcase(suite, test_case);
    return suite;
}
