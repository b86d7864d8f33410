// The bounds of an expected.c: honest kernels are inside for any order of summation, and a wrong,
// missing or doubled element is outside.  EXPECTED_ORDERS=10000 is the long version;
// EXPECTED_FIGURES=1 prints the figures of decisions/0042-bounds-of-any-result.md.
#include "suite.h"

#include <math.h>

#include "expected_rig.h"
#include "judge/expected/compare.h"

#define TERMS_MAX 65536

// --- Random orders ------------------------------------------------------------------------------

static uint64_t state;

static uint32_t below(uint32_t bound) {
    const struct random_key key = {{17, 4}};
    return random_below(key, state++, bound);
}

static int orders(void) {
    const char *text = getenv("EXPECTED_ORDERS");
    return text ? (int)strtol(text, NULL, 10) : 300;
}

static void shuffle(float *terms, int count) {
    for (int i = count - 1; i > 0; i--) {
        int j = (int)below((uint32_t)i + 1);
        float kept = terms[i];
        terms[i] = terms[j];
        terms[j] = kept;
    }
}

static float pairwise(const float *terms, int count) {
    return count == 1 ? terms[0]
                      : pairwise(terms, count / 2) + pairwise(terms + count / 2, count - count / 2);
}

// The sum of the terms, which are destroyed: in the order of a random tree, of blocks, of threads
// with strides, one after the other.
static float sum_any(float *terms, int count) {
    float sum = 0;
    int blocks = 1 + (int)below(64);
    if (count == 0) {
        return 0;
    }
    switch (below(5)) {
    case 0:
        shuffle(terms, count);
        for (int i = 0; i < count; i++) {
            sum += terms[i];
        }
        return sum;
    case 1:
        shuffle(terms, count);
        return pairwise(terms, count);
    case 2:
        for (; count > 1; count--) {  // any two of those that are left
            int i = (int)below((uint32_t)count);
            float taken = terms[i];
            terms[i] = terms[count - 1];
            terms[below((uint32_t)count - 1)] += taken;
        }
        return terms[0];
    case 3:
        for (int b = 0; b < blocks; b++) {
            float part = 0;
            for (int i = b; i < count; i += blocks) {
                part += terms[i];
            }
            sum += part;
        }
        return sum;
    default:
        for (int first = 0; first < count; first += blocks) {
            int left = count - first < blocks ? count - first : blocks;
            sum = pairwise(terms + first, left) + sum;
        }
        return sum;
    }
}

// Rounds to the 11 bits of a half, which has no number above 65504.
static float half_of(float value) {
    return (float)draw_half_value(draw_half((double)value));
}

// --- The six operations -------------------------------------------------------------------------

struct operation {
    const char *name, *declaration, *text;
    int output;  // the parameter that is judged
    struct size sizes[4];
    // Computes the output as an honest kernel may.
    void (*compute)(const struct expected_case *made, void *output);
    // The same with a mistake.
    void (*mistake)(const struct expected_case *made, void *output, int which);
    bool is_bounded;  // exact inputs leave a bound too
};

enum mistake { MISSING, DOUBLED, WRONG, HALF, UNSTABLE, MISTAKES };
static const char *const mistake_names[] = {"missing", "doubled", "wrong", "half", "unstable"};

static float terms[TERMS_MAX];

// Changes one of the terms.
static int spoil(float *list, int count, int which) {
    int i = (int)below((uint32_t)count);
    if (which == MISSING) {
        list[i] = list[count - 1];
        return count - 1;
    }
    if (which == DOUBLED) {
        list[count] = list[i];
        return count + 1;
    }
    list[i] = list[(i + 1) % count];
    return count;
}

static float sum_half(const float *list, int count) {
    float sum = 0;
    for (int i = 0; i < count; i++) {
        sum = half_of(sum + half_of(list[i]));
    }
    return sum;
}

static float sum_with(float *list, int count, int which) {
    if (which == HALF) {
        return sum_half(list, count);
    }
    return sum_any(list, which < 0 ? count : spoil(list, count, which));
}

static void sum_mistake(const struct expected_case *made, void *output, int which) {
    int count = made->plan.size.at[0];
    memcpy(terms, made->values[0], (size_t)count * sizeof *terms);
    *(float *)output = sum_with(terms, count, which);
}
static void sum_compute(const struct expected_case *made, void *output) {
    sum_mistake(made, output, -1);
}

// Each prefix in an order of its own, for some prefixes; blocks of threads do not share more.
static void scan_mistake(const struct expected_case *made, void *output, int which) {
    int count = made->plan.size.at[0];
    int block = 1 + (int)below(256);
    int spoiled = which < 0 ? -1 : (int)below((uint32_t)count);
    const float *x = made->values[0];
    float *y = output;
    float before = 0;
    for (int first = 0; first < count; first += block) {
        int last = first + block < count ? first + block : count;
        float sum = 0;
        for (int i = first; i < last; i++) {
            float term = i == spoiled && which == MISSING   ? 0
                         : i == spoiled && which == DOUBLED ? 2 * x[i]
                         : i == spoiled && which == WRONG   ? x[(i + 1) % count]
                                                            : x[i];
            sum = which == HALF ? half_of(sum + half_of(term)) : sum + term;
            y[i] = which == HALF ? half_of(before + sum) : before + sum;
        }
        before = which == HALF ? half_of(before + sum) : before + sum;
    }
}
static void scan_compute(const struct expected_case *made, void *output) {
    scan_mistake(made, output, -1);
}

static void dot_mistake(const struct expected_case *made, void *output, int which) {
    int count = made->plan.size.at[0];
    const float *x = made->values[0];
    const float *y = made->values[1];
    float fused = 0;
    for (int i = 0; i < count; i++) {
        terms[i] = x[i] * y[i];
        fused = fmaf(x[i], y[i], fused);
    }
    *(float *)output = which < 0 && below(4) == 0 ? fused : sum_with(terms, count, which);
}
static void dot_compute(const struct expected_case *made, void *output) {
    dot_mistake(made, output, -1);
}

static void convolution_mistake(const struct expected_case *made, void *output, int which) {
    int height = made->plan.size.at[0];
    int width = made->plan.size.at[1];
    const float *x = made->values[0];
    const float *filter = made->values[1];
    int spoiled = (int)below((uint32_t)(height * width));
    for (int p = 0; p < height * width; p++) {
        float *y = (float *)output + p;
        float fused = 0;
        int count = 0;
        for (int r = -2; r <= 2; r++) {
            for (int c = -2; c <= 2; c++) {
                int row = p / width + r;
                int column = p % width + c;
                if (row >= 0 && row < height && column >= 0 && column < width) {
                    float f = filter[(r + 2) * 5 + c + 2];
                    terms[count++] = x[row * width + column] * f;
                    fused = fmaf(x[row * width + column], f, fused);
                }
            }
        }
        bool is_spoiled = which == HALF || (which >= 0 && p == spoiled);
        *y = is_spoiled      ? sum_with(terms, count, which)
             : below(4) == 0 ? fused
                             : sum_any(terms, count);
    }
}
static void convolution_compute(const struct expected_case *made, void *output) {
    convolution_mistake(made, output, -1);
}

static void histogram_mistake(const struct expected_case *made, void *output, int which) {
    int count = made->plan.size.at[0];
    const int *keys = made->values[0];
    int *bins = output;
    int spoiled = (int)below((uint32_t)count);
    memset(bins, 0, 256 * sizeof *bins);
    for (int i = 0; i < count; i++) {
        int times = i != spoiled || which == WRONG ? 1
                    : which == MISSING             ? 0
                    : which == DOUBLED             ? 2
                                                   : 1;
        bins[i == spoiled && which == WRONG ? (keys[i] + 1) % 256 : keys[i]] += times;
    }
}
static void histogram_compute(const struct expected_case *made, void *output) {
    histogram_mistake(made, output, -1);
}

// expf, or what __expf is: ex2.approx of the product with log2(e).
static float exp_any(float x, bool fast) {
    return fast ? exp2f(x * 1.44269504f) : expf(x);
}

// Rows in one pass (online), in blocks that are merged, or in two passes.
static void softmax_row(const float *x, float *y, int width, int which) {
    int form = (int)below(3);
    int block = form == 0 ? 1 : 1 + (int)below(32);
    bool fast = below(2);
    float largest = -INFINITY;
    float sum = 0;
    int spoiled = (int)below((uint32_t)width);
    if (form == 2 || which == HALF || which == UNSTABLE) {
        for (int j = 0; j < width; j++) {
            largest = fmaxf(largest, x[j]);
        }
        largest = which == UNSTABLE ? 0 : largest;
        for (int j = 0; j < width; j++) {
            terms[j] = exp_any(x[j] - largest, fast);
        }
        sum = sum_with(terms, width, which == UNSTABLE ? -1 : which);
    } else {
        for (int first = 0; first < width; first += block) {
            int count = first + block < width ? block : width - first;
            float own = -INFINITY;
            for (int j = first; j < first + count; j++) {
                own = fmaxf(own, x[j]);
            }
            for (int j = 0; j < count; j++) {
                terms[j] = exp_any(x[first + j] - own, fast);
                bool here = first + j == spoiled;
                terms[j] *= here && which == MISSING   ? 0.0f
                            : here && which == DOUBLED ? 2.0f
                                                       : 1.0f;
                terms[j] = here && which == WRONG ? exp_any(x[(spoiled + 1) % width] - own, fast)
                                                  : terms[j];
            }
            float part = sum_any(terms, count);
            float both = fmaxf(largest, own);
            sum = sum * exp_any(largest - both, fast) + part * exp_any(own - both, fast);
            largest = both;
        }
    }
    bool multiplies = below(2);
    for (int j = 0; j < width; j++) {
        float e = exp_any(x[j] - largest, fast);
        y[j] = multiplies ? e * (1.0f / sum) : e / sum;
    }
}

static void softmax_mistake(const struct expected_case *made, void *output, int which) {
    int height = made->plan.size.at[0];
    int width = made->plan.size.at[1];
    int spoiled = (int)below((uint32_t)height);
    for (int row = 0; row < height; row++) {
        bool here = which == HALF || which == UNSTABLE || row == spoiled;
        softmax_row((const float *)made->values[0] + row * width, (float *)output + row * width,
                    width, here ? which : -1);
    }
}
static void softmax_compute(const struct expected_case *made, void *output) {
    softmax_mistake(made, output, -1);
}

static const struct operation operations[] = {
    {"reduction",
     "N\nx = in float [N]\ny = out float [1]\nN = int",
     "void reduction(const number *x, number *y, int N) {\n"
     "    number sum = 0;\n"
     "    for (int i = 0; i < N; ++i) sum += x[i];\n"
     "    y[0] = sum;\n"
     "}\n",
     1,
     {{.at = {1}}, {.at = {100}}, {.at = {3000}}, {.at = {50000}}},
     sum_compute,
     sum_mistake,
     false},
    {"scan",
     "N\nx = in float [N]\ny = out float [N]\nN = int",
     "void scan(const number *x, number *y, int N) {\n"
     "    number sum = 0;\n"
     "    for (int i = 0; i < N; ++i) { sum += x[i]; y[i] = sum; }\n"
     "}\n",
     1,
     {{.at = {1}}, {.at = {100}}, {.at = {1000}}, {.at = {6000}}},
     scan_compute,
     scan_mistake,
     false},
    {"dot",
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
     "H W\nx = in float [H][W]\nfilter = constant float [5][5]\ny = out float [H][W]\nH = int\nW = "
     "int",
     "void convolution(const number *x, const number *filter, number *y, int H, int W) {\n"
     "    EACH(row, H) EACH(column, W) {\n"
     "        number sum = 0;\n"
     "        for (int r = -2; r <= 2; ++r)\n"
     "            for (int c = -2; c <= 2; ++c)\n"
     "                if (row + r >= 0 && row + r < H && column + c >= 0 && column + c < W)\n"
     "                    sum += x[(row + r) * W + column + c] * filter[(r + 2) * 5 + c + 2];\n"
     "        y[row * W + column] = sum;\n"
     "    }\n"
     "}\n",
     2,
     {{.at = {1, 1}}, {.at = {9, 14}}, {.at = {33, 17}}, {.at = {40, 40}}},
     convolution_compute,
     convolution_mistake,
     false},
    {"histogram",
     "N\nkeys = in int32 [N]\nbins = out int32 [256]\nN = int",
     "void histogram(const int *keys, int *bins, int N) {\n"
     "    for (int b = 0; b < 256; ++b) bins[b] = 0;\n"
     "    for (int i = 0; i < N; ++i) bins[keys[i]]++;\n"
     "}\n",
     1,
     {{.at = {1}}, {.at = {100}}, {.at = {3000}}, {.at = {50000}}},
     histogram_compute,
     histogram_mistake,
     false},
    {"softmax",
     "H W\nx = in float [H][W]\ny = out float [H][W]\nH = int\nW = int\n[inputs] x = 95..97",
     "void softmax(const number *x, number *y, int H, int W) {\n"
     "    EACH(row, H) {\n"
     "        const number *in = x + row * W;\n"
     "        number largest = -INFINITY, sum = 0;\n"
     "        for (int j = 0; j < W; ++j) largest = fmaxf(largest, in[j]);\n"
     "        for (int j = 0; j < W; ++j) sum += expf(in[j] - largest);\n"
     "        for (int j = 0; j < W; ++j) y[row * W + j] = expf(in[j] - largest) / sum;\n"
     "    }\n"
     "}\n",
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
        if ((which == UNSTABLE && !is_softmax) || (which == HALF && is_whole)) {
            continue;
        }
        for (int i = 0; i < tries; i++) {
            double share = 0;
            operation->mistake(made, output, which);
            caught += wrong_in(made, operation->output, output, &share) > 0;
        }
        if (figures) {
            printf("  %s %.0f%%", mistake_names[which], 100.0 * caught / tries);
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

START_TEST(any_order_is_inside_and_a_mistake_outside) {
    const struct operation *operation = &operations[_i];
    const bool figures = getenv("EXPECTED_FIGURES") != NULL;
    struct expected_rig rig;
    struct error err = {.text = ""};
    enum status status =
        rig_build(&rig, operation->declaration, operation->name, operation->text, &err);
    ck_assert_msg(!status, "%s", err.text);
    for (int kind = INPUTS_EXACT; kind <= INPUTS_REAL; kind++) {
        for (int s = 0; s < 4; s++) {
            struct expected_case made;
            double share = 0;
            status = rig_case(&rig, (enum inputs_kind)kind, operation->sizes[s], (uint64_t)s + 1, 0,
                              &made, &err);
            ck_assert_msg(!status, "%s", err.text);
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

int main(void) {
    Suite *suite = suite_create("expected_bound");
    TCase *test_case = tcase_create("bounds");
    tcase_set_timeout(test_case, 300);
    tcase_add_loop_test(test_case, any_order_is_inside_and_a_mistake_outside, 0, OPERATIONS);
    suite_add_tcase(suite, test_case);
    return suite_run(suite);
}
