// Order statistics of paired timings: the tables, and the confidence that they promise.
#include <math.h>

#include "measure/stats.h"
#include "suite.h"

START_TEST(looks_are_at_11_21_41_and_81) {
    const int looks[] = {11, 21, 41, 81};
    for (int i = 0; i < STATS_LOOKS; i++) {
        ck_assert_int_eq(stats_look(i), looks[i]);
    }
    ck_assert_int_eq(STATS_SAMPLES_MAX, 81);
}
END_TEST

START_TEST(orders_are_1_3_10_and_26_and_none_between) {
    ck_assert_int_eq(stats_order(11), 1);
    ck_assert_int_eq(stats_order(21), 3);
    ck_assert_int_eq(stats_order(41), 10);
    ck_assert_int_eq(stats_order(81), 26);
    ck_assert_int_eq(stats_order(12), 0);
    ck_assert_int_eq(stats_order(0), 0);
}
END_TEST

// P(X < k) for X binomial (n, 1/2), summed term by term.
static double binomial_below(int n, int k) {
    double term = pow(0.5, n);
    double sum = 0.0;
    for (int i = 0; i < k; i++) {
        sum += term;
        term *= (double)(n - i) / (i + 1);
    }
    return sum;
}

START_TEST(each_order_is_the_largest_that_misses_at_most_1_in_1000) {
    for (int i = 0; i < STATS_LOOKS; i++) {
        int n = stats_look(i);
        int k = stats_order(n);
        ck_assert_double_le(2 * binomial_below(n, k), 0.001);
        ck_assert_double_gt(2 * binomial_below(n, k + 1), 0.001);
    }
}
END_TEST

START_TEST(median_of_odd_and_even_counts_in_any_order) {
    const double odd[] = {3.0, 1.0, 2.0};
    const double even[] = {4.0, 1.0, 3.0, 2.0};
    const double one[] = {7.5};
    ck_assert_double_eq(stats_median(odd, 3), 2.0);
    ck_assert_double_eq(stats_median(even, 4), 2.5);
    ck_assert_double_eq(stats_median(one, 1), 7.5);
    ck_assert_double_eq(odd[0], 3.0);  // the samples keep their order
}
END_TEST

// The samples 1 … n, in an order that is not sorted.
static void shuffled(double *samples, int n) {
    for (int i = 0; i < n; i++) {
        samples[i] = (double)((i * 7) % n + 1);
    }
}

START_TEST(interval_is_the_kth_smallest_to_the_kth_largest) {
    const double lows[] = {1, 3, 10, 26};
    for (int i = 0; i < STATS_LOOKS; i++) {
        double samples[STATS_SAMPLES_MAX];
        double low = 0.0;
        double high = 0.0;
        int n = stats_look(i);
        // 7 divides 21, so the step is 8, with which every count visits all samples.
        for (int j = 0; j < n; j++) {
            samples[j] = (double)((j * 8) % n + 1);
        }
        stats_interval(samples, n, &low, &high);
        ck_assert_double_eq(low, lows[i]);
        ck_assert_double_eq(high, n + 1 - lows[i]);
    }
}
END_TEST

START_TEST(spread_is_the_distance_of_the_quartiles) {
    double samples[11];
    shuffled(samples, 11);  // quartiles 3 and 9, median 6
    ck_assert_double_eq_tol(stats_spread(samples, 11), 1.0, 1e-12);
    const double same[] = {5.0, 5.0, 5.0, 5.0};
    ck_assert_double_eq(stats_spread(same, 4), 0.0);
}
END_TEST

// 81 ratios, of which `below` are `low` and the others `high`.
static enum stats_decision decide(int n, int below, double low, double high, double needed) {
    double ratios[STATS_SAMPLES_MAX];
    for (int i = 0; i < n; i++) {
        ratios[i] = i < below ? low : high;
    }
    return stats_decide(ratios, n, needed);
}

START_TEST(lower_end_at_the_needed_ratio_is_fast_and_one_sample_below_is_not) {
    ck_assert_int_eq(decide(11, 0, 0.9, 0.95, 0.95), STATS_FAST);
    ck_assert_int_eq(decide(11, 1, 0.9, 0.95, 0.95), STATS_UNDECIDED);
    ck_assert_int_eq(decide(21, 2, 0.9, 0.95, 0.95), STATS_FAST);
    ck_assert_int_eq(decide(21, 3, 0.9, 0.95, 0.95), STATS_UNDECIDED);
}
END_TEST

START_TEST(upper_end_below_the_needed_ratio_is_slow_and_at_it_is_not) {
    ck_assert_int_eq(decide(11, 11, 0.94, 1.0, 0.95), STATS_SLOW);
    ck_assert_int_eq(decide(11, 11, 0.95, 1.0, 0.95), STATS_FAST);
    ck_assert_int_eq(decide(11, 10, 0.94, 1.0, 0.95), STATS_UNDECIDED);
    ck_assert_int_eq(decide(41, 32, 0.94, 1.0, 0.95), STATS_SLOW);
    ck_assert_int_eq(decide(41, 31, 0.94, 1.0, 0.95), STATS_UNDECIDED);
}
END_TEST

START_TEST(undecided_at_81_is_marginal) {
    ck_assert_int_eq(decide(81, 26, 0.94, 1.0, 0.95), STATS_MARGINAL);
    ck_assert_int_eq(decide(81, 25, 0.94, 1.0, 0.95), STATS_FAST);
    ck_assert_int_eq(decide(81, 56, 0.94, 1.0, 0.95), STATS_SLOW);
    ck_assert_int_eq(decide(81, 55, 0.94, 1.0, 0.95), STATS_MARGINAL);
}
END_TEST

// xorshift64*; Vigna, "An experimental exploration of Marsaglia's xorshift generators", 2016.
static double uniform(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * 0x2545f4914f6cdd1dULL) >> 11) / 9007199254740992.0;
}

// One run of ratios around `truth`, 1 % noise and 2 % outliers of up to 30 %, as a decision.
static enum stats_decision simulated_run(double truth, double needed, uint64_t *state) {
    double ratios[STATS_SAMPLES_MAX];
    int count = 0;
    for (int look = 0; look < STATS_LOOKS; look++) {
        for (; count < stats_look(look); count++) {
            double noise = uniform(state) + uniform(state) + uniform(state) - 1.5;  // sd 0.5
            double outlier = uniform(state) < 0.02 ? 0.7 + 0.6 * uniform(state) : 1.0;
            ratios[count] = truth * (1.0 + 0.02 * noise) * outlier;
        }
        enum stats_decision decision = stats_decide(ratios, count, needed);
        if (decision != STATS_UNDECIDED) {
            return decision;
        }
    }
    return STATS_UNDECIDED;
}

START_TEST(two_thousand_runs_decide_on_the_right_side) {
    uint64_t state = 88172645463325252ULL;
    int wrongly_slow = 0;
    int wrongly_fast = 0;
    int at_the_edge = 0;
    for (int i = 0; i < 2000; i++) {
        wrongly_slow += simulated_run(0.97, 0.95, &state) != STATS_FAST;
        wrongly_fast += simulated_run(0.93, 0.95, &state) != STATS_SLOW;
        enum stats_decision edge = simulated_run(0.95, 0.95, &state);
        ck_assert_int_ne(edge, STATS_UNDECIDED);
        at_the_edge += edge == STATS_SLOW;
    }
    ck_assert_int_eq(wrongly_slow, 0);
    ck_assert_int_eq(wrongly_fast, 0);
    // A ratio right at the edge is called slow in at most 4 * 0.05 % of runs: 4 of 2000 are
    // expected at the very most, and more than 14 would be seen once in 10000 such tests.
    ck_assert_int_le(at_the_edge, 14);
}
END_TEST

START_TEST(samples_are_above_others_unless_they_mix) {
    const double low[] = {1.0, 1.1, 1.2, 1.3, 1.4};
    const double high[] = {1.5, 1.6, 1.7, 1.8, 1.9, 2.0};
    const double one_between[] = {1.35, 1.6, 1.7, 1.8, 1.9, 2.0};
    const double two_between[] = {1.35, 1.36, 1.7, 1.8, 1.9, 2.0};
    ck_assert(stats_above(high, 6, low, 5));
    ck_assert(!stats_above(low, 5, high, 6));
    ck_assert(stats_above(one_between, 6, low, 5));
    ck_assert(!stats_above(two_between, 6, low, 5));
    ck_assert(!stats_above(low, 5, low, 5));
}
END_TEST

START_TEST(few_samples_have_their_range_as_interval) {
    const double few[STATS_FEW] = {0.02, 0.01, 0.03};
    double low = 0.0;
    double high = 0.0;
    stats_interval(few, STATS_FEW, &low, &high);
    ck_assert_double_eq(low, 0.01);
    ck_assert_double_eq(high, 0.03);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("stats");
    TCase *tests = tcase_create("stats");
    tcase_add_test(tests, looks_are_at_11_21_41_and_81);
    tcase_add_test(tests, orders_are_1_3_10_and_26_and_none_between);
    tcase_add_test(tests, each_order_is_the_largest_that_misses_at_most_1_in_1000);
    tcase_add_test(tests, median_of_odd_and_even_counts_in_any_order);
    tcase_add_test(tests, interval_is_the_kth_smallest_to_the_kth_largest);
    tcase_add_test(tests, spread_is_the_distance_of_the_quartiles);
    tcase_add_test(tests, lower_end_at_the_needed_ratio_is_fast_and_one_sample_below_is_not);
    tcase_add_test(tests, upper_end_below_the_needed_ratio_is_slow_and_at_it_is_not);
    tcase_add_test(tests, undecided_at_81_is_marginal);
    tcase_add_test(tests, two_thousand_runs_decide_on_the_right_side);
    tcase_add_test(tests, samples_are_above_others_unless_they_mix);
    tcase_add_test(tests, few_samples_have_their_range_as_interval);
    suite_add_tcase(suite, tests);
    return suite;
}
