// Order statistics are used because they need no assumption about the distribution of timings.
//
// Each guard compares the student's worker with the reference's, or the reference with itself, so
// that it does not depend on one machine.
#include "measure/stats.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compose.h"
#include "base/text.h"

#define ABOVE_SHARE 20

static const struct {
    int samples, order;
} looks[STATS_LOOKS] = {{11, 1}, {21, 3}, {41, 10}, {STATS_SAMPLES_MAX, 26}};

int stats_look(int look) {
    assert(look >= 0 && look < STATS_LOOKS);
    return looks[look].samples;
}

int stats_order(int n) {
    for (int i = 0; i < STATS_LOOKS; i++) {
        if (looks[i].samples == n) {
            return looks[i].order;
        }
    }
    return n == STATS_FEW ? 1 : 0;
}

bool stats_above(const double *upper, int upper_count, const double *lower, int lower_count) {
    int wrong = 0;
    for (int i = 0; i < upper_count; i++) {
        for (int k = 0; k < lower_count; k++) {
            wrong += upper[i] <= lower[k];
        }
    }
    return wrong * ABOVE_SHARE <= upper_count * lower_count;
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

static void sort_into(const double *samples, int n, double sorted[STATS_SAMPLES_MAX]) {
    assert(n >= 1 && n <= STATS_SAMPLES_MAX);
    for (int i = 0; i < n; i++) {
        assert(isfinite(samples[i]));
    }
    memcpy(sorted, samples, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, compare);
}

static double middle(const double *sorted, int n) {
    return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

double stats_median(const double *samples, int n) {
    double sorted[STATS_SAMPLES_MAX];
    sort_into(samples, n, sorted);
    return middle(sorted, n);
}

void stats_interval(const double *samples, int n, double *ret_low, double *ret_high) {
    double sorted[STATS_SAMPLES_MAX];
    int order = stats_order(n);
    assert(order > 0);
    sort_into(samples, n, sorted);
    *ret_low = sorted[order - 1];
    *ret_high = sorted[n - order];
}

double stats_spread(const double *samples, int n) {
    double sorted[STATS_SAMPLES_MAX];
    assert(n >= 2);
    sort_into(samples, n, sorted);
    double upper = middle(sorted + (n + 1) / 2, n / 2);
    return (upper - middle(sorted, n / 2)) / middle(sorted, n);
}

enum stats_decision stats_decide(const double *ratios, int n, double needed) {
    double low = 0.0;
    double high = 0.0;
    assert(isfinite(needed));
    stats_interval(ratios, n, &low, &high);
    if (low >= needed) {
        return STATS_FAST;
    }
    if (high < needed) {
        return STATS_SLOW;
    }
    return n == STATS_SAMPLES_MAX ? STATS_MARGINAL : STATS_UNDECIDED;
}

#define FMA_PER_CLOCK    128.0   // of one SM
#define TENSOR_PER_CLOCK 4096.0  // products of FP16 factors, likewise
#define CLOCK_MARGIN     1.02

// Reasons for the limits.
//   spread      half of all ratios within 10 %: on a quiet GPU it is 0.2 %, on a busy one 20 %
//   quiet       a quarter of that: other load on the machine meets both sides of a pair alike
//   drift       5 % between the reference alone and the reference in pairs
//   clock       launching and waiting takes 0.1 ms, and both sides' medians agree to 0.1 ms
//   beside      copying takes the same time on both sides, apart from other load on the machine
//   throttled   a pair or two at the edge of the power limit change no median

double guard_least_ms(struct size size, bool tensor_cores, int multiprocessors, int clock_khz) {
    if (multiprocessors <= 0 || clock_khz <= 0) {
        return 0.0;
    }
    double per_clock = tensor_cores ? TENSOR_PER_CLOCK : FMA_PER_CLOCK;
    double per_ms = per_clock * multiprocessors * (double)clock_khz;
    return (double)size_multiply_adds(size) / per_ms / CLOCK_MARGIN;
}

static bool doubted(char doubt[DOUBT_MAX], const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool doubted(char doubt[DOUBT_MAX], const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    words_vwrite(doubt, DOUBT_MAX, format, arguments);
    va_end(arguments);
    return false;
}

// The median of one number of each sample.
static double median_of(const struct pairs_sample *samples, int count,
                        double (*number)(const struct pairs_sample *sample)) {
    double values[STATS_SAMPLES_MAX];
    assert(count > 0);
    for (int i = 0; i < count; i++) {
        values[i] = number(&samples[i]);
    }
    return stats_median(values, count);
}

static double event_of(const struct pairs_sample *sample) {
    return sample->event_ms;
}

static double beside_of(const struct pairs_sample *sample) {
    return sample->beside_ms;
}

static double all_events_of(const struct pairs_sample *sample) {
    return sample->event_ms * sample->launches;
}

// The time on the judge's clock beyond the events.
static double rest_of(const struct pairs_sample *sample) {
    return sample->wall_ms - all_events_of(sample);
}

static bool sample_believe(const struct guarded *guarded, const struct pairs_sample *sample,
                           const char *who, char doubt[DOUBT_MAX]) {
    if (sample->event_ms < guarded->least_ms) {
        return doubted(doubt, "%s took %.6f ms, and no GPU of this kind can need less than %.6f ms",
                       who, sample->event_ms, guarded->least_ms);
    }
    if (all_events_of(sample) > sample->wall_ms + GUARD_EVENT_ERROR_MS) {
        return doubted(doubt, "%s took %.6f ms by the GPU's clock, but %.6f ms had passed", who,
                       all_events_of(sample), sample->wall_ms);
    }
    return true;
}

static bool clock_believe(const struct guarded *guarded, char doubt[DOUBT_MAX]) {
    double student = median_of(guarded->student, guarded->count, rest_of);
    double reference = median_of(guarded->reference, guarded->count, rest_of);
    double event = median_of(guarded->student, guarded->count, all_events_of);
    if (student - reference > GUARD_CLOCK_MS + GUARD_CLOCK_SHARE * event) {
        return doubted(doubt,
                       "the kernel's launches took %.3f ms beyond what the GPU's clock says, the "
                       "reference's %.3f ms",
                       student, reference);
    }
    return true;
}

static bool beside_believe(const struct guarded *guarded, char doubt[DOUBT_MAX]) {
    double student = median_of(guarded->student, guarded->count, beside_of);
    double reference = median_of(guarded->reference, guarded->count, beside_of);
    if (student > reference * (1.0 + GUARD_BESIDE_SHARE) + GUARD_BESIDE_MS) {
        return doubted(doubt,
                       "inputs and outputs of the kernel took %.3f ms, those of the reference "
                       "%.3f ms",
                       student, reference);
    }
    return true;
}

// The median of the reference's times on inputs of one kind; 0 if no pair has such inputs.
static double median_of_kind(const struct pairs_sample *reference, int count, bool real) {
    double values[STATS_SAMPLES_MAX];
    int found = 0;
    assert(count > 0);
    for (int i = 0; i < count; i++) {
        if (reference[i].real == real) {
            values[found++] = reference[i].event_ms;
        }
    }
    return found > 0 ? stats_median(values, found) : 0.0;
}

// Times of the reference as shares of its median in the pairs with inputs of the same kind: a
// kernel may take longer on integers than on real numbers.  Samples of a kind that no pair has are
// skipped.  Returns the number of shares.
static int shares_of(const struct guarded *guarded, const struct pairs_sample *samples, int count,
                     double ret_shares[STATS_SAMPLES_MAX]) {
    const double usual[2] = {median_of_kind(guarded->reference, guarded->count, false),
                             median_of_kind(guarded->reference, guarded->count, true)};
    int found = 0;
    for (int i = 0; i < count; i++) {
        if (usual[samples[i].real] > 0.0) {
            ret_shares[found++] = samples[i].event_ms / usual[samples[i].real];
        }
    }
    return found;
}

static bool calibration_believe(const struct guarded *guarded, char doubt[DOUBT_MAX]) {
    double shares[STATS_SAMPLES_MAX];
    int count = shares_of(guarded, guarded->calibration, guarded->calibration_count, shares);
    double now = median_of(guarded->reference, guarded->count, event_of);
    double alone = count > 0 ? stats_median(shares, count) : 1.0;
    if (!(fabs(1.0 / alone - 1.0) <= GUARD_DRIFT_MAX)) {
        return doubted(doubt, "the reference took %.6f ms alone, but %.6f ms next to the kernel",
                       alone * now, now);
    }
    return true;
}

bool guards_are_unsteady(const double *ratios, const double *reference_ms, int count) {
    return stats_spread(ratios, count) > GUARD_SPREAD_MAX &&
           stats_spread(reference_ms, count) <= GUARD_SPREAD_QUIET;
}

static bool spread_believe(const struct guarded *guarded, char doubt[DOUBT_MAX]) {
    double ratio[STATS_SAMPLES_MAX];
    double reference[STATS_SAMPLES_MAX];
    double shares[STATS_SAMPLES_MAX];
    for (int i = 0; i < guarded->count; i++) {
        reference[i] = guarded->reference[i].event_ms;
        ratio[i] = reference[i] / guarded->student[i].event_ms;
    }
    (void)shares_of(guarded, guarded->reference, guarded->count, shares);
    double ratios = stats_spread(ratio, guarded->count);
    double references = stats_spread(shares, guarded->count);
    bool unsteady = guards_are_unsteady(ratio, reference, guarded->count);
    if ((ratios > GUARD_SPREAD_MAX && !unsteady) || references > GUARD_SPREAD_MAX) {
        return doubted(doubt,
                       "the times are too noisy: half of the ratios are %.1f %% apart, half of the "
                       "reference's times %.1f %%",
                       100 * ratios, 100 * references);
    }
    return true;
}

static bool throttling_believe(const struct guarded *guarded, char doubt[DOUBT_MAX]) {
    int slowed = 0;
    uint32_t reasons = 0;
    for (int i = 0; i < guarded->count; i++) {
        // Only the reference's worker can be trusted: no student code runs there.
        uint32_t bits = guarded->reference[i].state.reasons & GPU_REASONS_OF_A_PROBLEM;
        slowed += bits != 0;
        reasons |= bits;
    }
    if (slowed > GUARD_THROTTLED_SHARE * guarded->count) {
        return doubted(doubt,
                       "the GPU was slowed down in %d of %d pairs by %s (NVML's reasons 0x%x)",
                       slowed, guarded->count,
                       (reasons & (GPU_REASON_SW_THERMAL | GPU_REASON_HW_THERMAL)) != 0
                           ? _("heat")
                           : _("its power supply"),
                       reasons);
    }
    return true;
}

bool guards_believe(const struct guarded *guarded, char doubt[DOUBT_MAX]) {
    assert(guarded->count >= 2 && guarded->count <= STATS_SAMPLES_MAX);
    for (int i = 0; i < guarded->count; i++) {
        if (!sample_believe(guarded, &guarded->student[i], _("the kernel"), doubt) ||
            !sample_believe(guarded, &guarded->reference[i], _("the reference"), doubt)) {
            return false;
        }
    }
    return clock_believe(guarded, doubt) && beside_believe(guarded, doubt) &&
           calibration_believe(guarded, doubt) && spread_believe(guarded, doubt) &&
           throttling_believe(guarded, doubt);
}
