// Order statistics need no assumption about how timings are distributed, which is why they are
// used.
#include "measure/stats.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
