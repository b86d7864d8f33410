// Errors of rounding are many and small; other mistakes make few errors or large ones.
#include "judge/oracle/precision.h"

#include <math.h>
#include <string.h>

#include "base/basics.h"
#include "base/compose.h"
#include "judge/model/inputs.h"

#define FACTOR_ERROR_RMS    16.0  // see the header
#define SUM_ERROR_RMS       12.0
#define SUM_ERROR_RMS_MAX   1024.0
#define PEAK_TO_RMS_MAX     8.0  // Gauss: beyond 6 not once in 10^8 elements
#define SHARE_MIN           4    // at least one element in 4 is wrong
#define INFINITE_TESTED_MAX 32
#define WRONG_MIN           16  // fewer errors may have any cause, such as +1 on one element

void error_sums_add(struct error_sums *sums, const struct output_seen *seen, uint64_t element,
                    double want) {
    double got = seen_got(seen, element);
    sums->compared++;
    if (isnan(got)) {
        sums->nan++;
    } else if (isinf(got)) {
        sums->infinite++;
        if (sums->infinite <= INFINITE_TESTED_MAX) {
            sums->overflow_is_unlikely |= !matmul_may_overflow(seen, element);
        }
    } else if (got != want) {
        double difference = got - want;
        double error = fabs(difference);
        sums->lowest = sums->finite == 0 ? difference : fmin(sums->lowest, difference);
        sums->highest = sums->finite == 0 ? difference : fmax(sums->highest, difference);
        sums->finite++;
        sums->squares += error * error;
        sums->largest = error > sums->largest ? error : sums->largest;
    }
}

bool precision_is_low(int32_t terms, const struct error_sums *sums) {
    uint64_t wrong = sums->finite + sums->infinite;
    if (sums->nan > 0 || wrong < WRONG_MIN || SHARE_MIN * wrong < sums->compared) {
        return false;
    }
    if (sums->overflow_is_unlikely) {
        return false;
    }
    if (sums->finite == 0) {
        return false;  // sums that overflow FP16 everywhere look the same as a division by zero
    }
    if (sums->lowest == sums->highest) {
        return false;
    }
    double of_factors = FACTOR_ERROR_RMS * sqrt(inputs_big_terms(terms));
    double of_sums = fmin(SUM_ERROR_RMS * terms, SUM_ERROR_RMS_MAX);
    double limit = fmax(of_factors, of_sums);
    return sqrt(sums->squares / (double)sums->finite) <= limit &&
           sums->largest <= PEAK_TO_RMS_MAX * limit;
}

// Keeps `bits` bits of the significand, to nearest (ties to even) or cut.
static float keep_bits(float value, int bits, bool nearest) {
    uint32_t word = 0;
    memcpy(&word, &value, sizeof word);
    int drop = 24 - bits;
    uint32_t mask = (1u << drop) - 1;
    if (nearest) {
        word += (mask >> 1) + ((word >> drop) & 1);
    }
    word &= ~mask;
    memcpy(&value, &word, sizeof value);
    return value;
}

struct factor_rounding {
    int bits;
    bool nearest;
    const char *text;
};

static const struct factor_rounding roundings[] = {
    {11, true,
     N_("The errors are many and small: A and B were rounded to 11 bits, the precision of "
        "TF32 and FP16.")},
    {11, false,
     N_("The errors are many and small: A and B were truncated to 11 bits, the precision of "
        "TF32 "
        "and FP16.")},
    {8, true,
     N_("The errors are many and small: A and B were rounded to 8 bits, the precision of "
        "BF16.")},
    {8, false,
     N_("The errors are many and small: A and B were truncated to 8 bits, the precision of "
        "BF16.")},
};

static bool rounding_fits(const struct output_seen *seen, uint64_t element,
                          const void *hypothesis) {
    const struct factor_rounding *rounding = hypothesis;
    const struct size size = seen->size;
    const float *a = (const float *)seen->input[0] + element / seen->width * (uint64_t)size.k;
    const float *b = (const float *)seen->input[1] + element % seen->width;
    double sum = 0;
    for (int32_t k = 0; k < size.k; k++) {
        sum += (double)keep_bits(a[k], rounding->bits, rounding->nearest) *
               (double)keep_bits(b[(size_t)k * (size_t)size.n], rounding->bits, rounding->nearest);
    }
    return sum == seen_got(seen, element);
}

const char *precision_few_bits_text(enum precision allowed) {
    return allowed == PRECISION_FP32
               ? _("The errors are many and small: that is arithmetic with fewer bits than fp32, "
                   "such as TF32, FP16 or BF16.")
               : _("The errors are many and small: that is arithmetic with fewer bits than this "
                   "exercise allows, such as BF16, or sums in FP16.");
}

const char *precision_text(const struct output_seen *seen, enum precision allowed) {
    for (size_t r = 0; r < COUNT(roundings) && seen->sampled == seen->elements; r++) {
        if (seen_all_wrong(seen, rounding_fits, &roundings[r])) {
            return roundings[r].text;
        }
    }
    return precision_few_bits_text(allowed);
}
