// Numbers of 16 bits: their values, rounding, and the products of exact and real inputs of bf16.
#include "suite.h"

#include "expected_rig.h"
#include "judge/expected/expected_case.h"

START_TEST(every_number_of_16_bits_comes_back) {
    const int digits = _i == 0 ? 11 : 8;
    for (unsigned bits = 0; bits <= 0xffff; bits++) {
        double value = draw_small_value(digits, (uint16_t)bits);
        if (!isnan(value) && bits != 0x8000) {  // -0 comes back as 0
            ck_assert_uint_eq(draw_small_bits(digits, value), bits);
        }
    }
}
END_TEST

static const struct {
    int digits;
    double value;
    unsigned bits;
} roundings[] = {
    {11, 1.0, 0x3c00},       {11, 0x1.002p0, 0x3c00},  // ties go to the even one …
    {11, 0x1.006p0, 0x3c02},                           // … above too
    {11, 65504, 0x7bff},     {11, 65519.9, 0x7bff},     {11, 65520, 0x7c00},
    {11, 0x1p-25, 0},        {11, -0x1.8p-25, 0x8001},  {11, NAN, 0x7e00},
    {8, 1.0, 0x3f80},        {8, -255, 0xc37f},         {8, 257, 0x4380},
    {8, 0x1.01p0, 0x3f80},   {8, 0x1.03p0, 0x3f82},     {8, 0x1.010001p0, 0x3f81},
    {8, 0x1.fep127, 0x7f7f}, {8, 0x1.feffp127, 0x7f7f}, {8, 0x1.ffp127, 0x7f80},
    {8, -0x1p200, 0xff80},   {8, INFINITY, 0x7f80},     {8, 0x1p-134, 0},
    {8, 0x1.8p-134, 1},      {8, 0x1p-126, 0x0080},     {8, NAN, 0x7fc0},
};

START_TEST(values_are_rounded_to_the_nearest_and_ties_to_even) {
    ck_assert_uint_eq(draw_small_bits(roundings[_i].digits, roundings[_i].value),
                      roundings[_i].bits);
}
END_TEST

// --- A product of bf16 --------------------------------------------------------------------------

#define DECLARATION                                                                                \
    "M N K\nA = in bf16 [M][K]\nB = in bf16 [K][N]\nC = out float [M][N]\nM = int\nN = int\nK = "  \
    "int"
#define FUNCTION                                                                                   \
    "void product(const number *A, const number *B, number *C, int M, int N, int K) {\n"           \
    "    EACH(i, M * N) {\n"                                                                       \
    "        number sum = 0;\n"                                                                    \
    "        for (int k = 0; k < K; ++k) sum += A[i / N * K + k] * B[k * N + i % N];\n"            \
    "        C[i] = sum;\n"                                                                        \
    "    }\n"                                                                                      \
    "}\n"

static const struct size sizes[] = {{.at = {17, 9, 33}}, {.at = {5, 7, 300}}, {.at = {3, 5, 5000}}};
#define SIZE_COUNT ((int)(sizeof sizes / sizeof sizes[0]))

static double factor(const struct expected_case *made, int array, int i) {
    return draw_value(ELEMENT_BF16, made->values[array], (uint64_t)i);
}

// An element as a kernel has it whose sums have so many digits; backwards or not.
static float sum_of(const struct expected_case *made, int element, int digits, bool backwards) {
    const struct size size = made->plan.size;
    float sum = 0;
    for (int i = 0; i < size.k; i++) {
        int k = backwards ? size.k - 1 - i : i;
        float term = (float)(factor(made, 0, element / size.n * size.k + k) *
                             factor(made, 1, k * size.n + element % size.n));
        sum += term;
        if (digits < 24) {
            sum = (float)draw_small_value(digits, (uint16_t)draw_small_bits(digits, (double)sum));
        }
    }
    return sum;
}

// How many elements are not right.
static int wrong_of(const struct expected_case *made, int digits, bool backwards) {
    static float c[1024];
    const int count = made->plan.size.m * made->plan.size.n;
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        c[i] = sum_of(made, i, digits, backwards);
        wrong += expected_compare(made, 2, c, (uint64_t)i) != ELEMENT_RIGHT;
    }
    return wrong;
}

// Exact inputs are whole numbers of at most 8 bits, wide ones among them, whose sums are exact.
static void exact_check(const struct expected_case *made) {
    const struct size size = made->plan.size;
    double largest = 0;
    for (int array = 0; array < 2; array++) {
        for (int i = 0; i < (array == 0 ? size.m : size.n) * size.k; i++) {
            double value = fabs(factor(made, array, i));
            ck_assert(value == floor(value) && value >= 1 && value <= 255);
            largest = fmax(largest, value);
        }
    }
    ck_assert(largest >= 129);
    for (int i = 0; i < size.m * size.n; i++) {
        double sum = 0;
        for (int k = 0; k < size.k; k++) {
            sum += fabs(factor(made, 0, i / size.n * size.k + k) *
                        factor(made, 1, k * size.n + i % size.n));
        }
        ck_assert(sum < 0x1p24);
    }
}

START_TEST(sums_of_bf16_factors_are_float_and_no_narrower) {
    const enum inputs_kind kind = _i < SIZE_COUNT ? INPUTS_EXACT : INPUTS_REAL;
    struct expected_rig rig;
    struct expected_case made;
    struct error err = {.text = ""};
    ck_assert_msg(!rig_build(&rig, DECLARATION, "product", FUNCTION, &err), "%s", err.text);
    ck_assert_msg(!rig_case(&rig, kind, sizes[_i % SIZE_COUNT], 1, 0, &made, &err), "%s", err.text);
    if (kind == INPUTS_EXACT) {
        exact_check(&made);
    }
    ck_assert_int_eq(wrong_of(&made, 24, false), 0);
    ck_assert_int_eq(wrong_of(&made, 24, true), 0);
    ck_assert_int_gt(wrong_of(&made, 11, false), 0);
    ck_assert_int_gt(wrong_of(&made, 8, false), 0);
    expected_case_done(&made);
    expected_program_done(&rig.program);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("draw");
    TCase *tests = tcase_create("draw");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, every_number_of_16_bits_comes_back, 0, 2);
    tcase_add_loop_test(tests, values_are_rounded_to_the_nearest_and_ties_to_even, 0,
                        (int)(sizeof roundings / sizeof roundings[0]));
    tcase_add_loop_test(tests, sums_of_bf16_factors_are_float_and_no_narrower, 0, 2 * SIZE_COUNT);
    suite_add_tcase(suite, tests);
    return suite;
}
