// What honest kernels compute in any order, and what kernels with a mistake compute: for
// test_expected_bound.c.
#ifndef TESTS_UNIT_EXPECTED_OPERATIONS_H
#define TESTS_UNIT_EXPECTED_OPERATIONS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expected_rig.h"

#define TERMS_MAX 65536  // also of the elements of an output

// --- Random orders ------------------------------------------------------------------------------

static uint64_t state;

static uint32_t below(uint32_t bound) {
    const struct random_key key = {{17, 4}};
    return random_below(key, state++, bound);
}

static int orders(void) {
    const char *text = getenv("EXPECTED_ORDERS");
    return text ? (int)strtol(text, NULL, 10) : 240;
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
    return (float)draw_small_value(11, (uint16_t)draw_small_bits(11, (double)value));
}

// --- The operations -------------------------------------------------------------------------

struct operation {
    const char *name;
    const char *lesson;              // with its exercise.ini and expected.c; NULL:
    const char *declaration, *text;  // those of no lesson
    int output;                      // the parameter that is judged
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
    const uint8_t *keys = made->values[0];
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

// One addition, or a copy: nothing can be reordered, and any other value is wrong.
static void add_mistake(const struct expected_case *made, void *output, int which) {
    int count = made->plan.size.at[0];
    int spoiled = which < 0 ? -1 : (int)below((uint32_t)count);
    const float *x = made->values[0];
    const float *y = made->values[1];
    float *z = output;
    for (int i = 0; i < count; i++) {
        int from = i == spoiled && which == WRONG ? (i + 1) % count : i;
        float term = i == spoiled && which == MISSING   ? 0
                     : i == spoiled && which == DOUBLED ? 2 * x[i]
                                                        : x[from];
        z[i] = which == HALF ? half_of(half_of(term) + half_of(y[i])) : y[i] + term;
    }
}
static void add_compute(const struct expected_case *made, void *output) {
    add_mistake(made, output, -1);
}

static void transpose_mistake(const struct expected_case *made, void *output, int which) {
    int height = made->plan.size.at[0];
    int width = made->plan.size.at[1];
    int spoiled = which < 0 ? -1 : (int)below((uint32_t)(height * width));
    const float *x = made->values[0];
    for (int p = 0; p < height * width; p++) {
        float value = x[p % height * width + p / height];
        float *y = (float *)output + p;
        *y = which == HALF      ? half_of(value)
             : p != spoiled     ? value
             : which == MISSING ? 0
             : which == DOUBLED ? 2 * value
                                : x[p];
    }
}
static void transpose_compute(const struct expected_case *made, void *output) {
    transpose_mistake(made, output, -1);
}

#endif
