// Points from verdicts and ratios, in whole milli-points, and the names of verdicts.
#include <string.h>

#include "judge/model/points.h"
#include "suite.h"  // last: Check has a macro called fail

START_TEST(only_pass_gives_points) {
    const struct exercise exercise = {.points_max = 40000, .speed_points = 10000};
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++) {
        int64_t points = score_correctness(&exercise, (enum verdict)verdict);
        ck_assert_int_eq(points, verdict == VERDICT_PASS ? 30000 : 0);
    }
}
END_TEST

START_TEST(parts_add_up_and_the_first_take_the_rest) {
    static const struct exercise_speed equal[] = {{.weight = 1}, {.weight = 1}, {.weight = 1},
                                                  {.weight = 1}, {.weight = 1}, {.weight = 1},
                                                  {.weight = 1}};
    for (int64_t total = 0; total < 100; total++) {
        for (int count = 1; count < 8; count++) {
            int64_t sum = 0;
            for (int i = 0; i < count; i++) {
                int64_t part = score_part(total, equal, count, i);
                ck_assert_int_ge(part, total / count);
                ck_assert(i == 0 || part <= score_part(total, equal, count, i - 1));
                sum += part;
            }
            ck_assert_int_eq(sum, total);
        }
    }
    ck_assert_int_eq(score_part(10000, equal, 3, 0), 3334);
    ck_assert_int_eq(score_part(10000, equal, 3, 1), 3333);
}
END_TEST

START_TEST(parts_follow_the_weights_and_add_up) {
    static const struct exercise_speed list[] = {
        {.weight = 3}, {.weight = 3}, {.weight = 2}, {.weight = 1}, {.weight = 1}};
    ck_assert_int_eq(score_part(5000, list, 5, 0), 1500);
    ck_assert_int_eq(score_part(5000, list, 5, 2), 1000);
    ck_assert_int_eq(score_part(5000, list, 5, 4), 500);
    for (int64_t total = 0; total < 200; total++) {
        int64_t sum = 0;
        for (int i = 0; i < 5; i++) {
            sum += score_part(total, list, 5, i);
        }
        ck_assert_int_eq(sum, total);
    }
}
END_TEST

START_TEST(the_interval_decides_against_98_percent_of_full) {
    ck_assert_int_eq(score_speed_verdict(0.5, 0.6, 0.5), SPEED_FAST);
    ck_assert_int_eq(score_speed_verdict(0.98 * 0.5, 0.6, 0.5), SPEED_FAST);  // just at it
    ck_assert_int_eq(score_time_verdict(0.4, 0.6, 0.5, true), SPEED_UNSTEADY);
    ck_assert_int_eq(score_time_verdict(0.4, 0.6, 0.5, false), SPEED_MARGINAL);
    ck_assert_int_eq(score_time_verdict(0.5, 0.9, 0.5, true), SPEED_FAST);  // even at its slowest
    ck_assert_int_eq(score_time_verdict(0.1, 0.4, 0.5, true), SPEED_SLOW);
    ck_assert_int_eq(score_speed(1000, SPEED_UNSTEADY, 0.5, 0.5, 0.3), 1000);
    ck_assert_int_eq(score_speed(1000, SPEED_UNSTEADY, 0.4, 0.5, 0.3), 500);
    ck_assert_int_eq(score_speed_verdict(0.4899, 0.4901, 0.5), SPEED_MARGINAL);
    ck_assert_int_eq(score_speed_verdict(0.4, 0.98 * 0.5, 0.5), SPEED_MARGINAL);
    ck_assert_int_eq(score_speed_verdict(0.4, 0.4899, 0.5), SPEED_SLOW);  // just below it
}
END_TEST

START_TEST(an_equal_kernel_is_fast_at_the_largest_full) {
    ck_assert_int_eq(score_speed_verdict(0.97, 1.02, 0.97), SPEED_FAST);
    ck_assert_int_eq(score_speed_verdict(1.0, 1.0, 0.97), SPEED_FAST);
}
END_TEST

START_TEST(fast_gives_all_whatever_the_median) {
    ck_assert_int_eq(score_speed(5000, SPEED_FAST, 2.0, 0.95, 0.3), 5000);
    ck_assert_int_eq(score_speed(5000, SPEED_FAST, 0.94, 0.95, 0.3), 5000);
}
END_TEST

START_TEST(slow_is_linear_between_zero_and_full) {
    ck_assert_int_eq(score_speed(5000, SPEED_SLOW, 0.5, 0.9, 0.1), 2500);
    ck_assert_int_eq(score_speed(5000, SPEED_SLOW, 0.1, 0.9, 0.1), 0);
    ck_assert_int_eq(score_speed(5000, SPEED_SLOW, 0.05, 0.9, 0.1), 0);
    ck_assert_int_eq(score_speed(3, SPEED_SLOW, 0.5, 0.9, 0.1), 2);  // 1.5, to the nearest
    ck_assert_int_eq(score_speed(0, SPEED_SLOW, 0.5, 0.9, 0.1), 0);
}
END_TEST

START_TEST(points_never_fall_as_the_ratio_rises) {
    int64_t last = 0;
    for (int i = 0; i <= 2000; i++) {
        double ratio = i / 1000.0;
        enum speed_verdict verdict = score_speed_verdict(ratio, ratio, 0.95);
        int64_t points = score_speed(9999, verdict, ratio, 0.95, 0.3);
        ck_assert_int_ge(points, last);
        ck_assert_int_le(points, 9999);
        last = points;
    }
    ck_assert_int_eq(last, 9999);
}
END_TEST

START_TEST(marginal_goes_by_the_median) {
    ck_assert_int_eq(score_speed(8000, SPEED_MARGINAL, 0.98 * 0.9, 0.9, 0.1), 8000);
    ck_assert_int_eq(score_speed(8000, SPEED_MARGINAL, 0.86, 0.9, 0.1), 7600);
}
END_TEST

START_TEST(names_of_verdicts_come_back) {
    for (int i = 0; i < VERDICT_COUNT; i++) {
        enum verdict verdict = VERDICT_COUNT;
        ck_assert(verdict_parse(verdict_name((enum verdict)i), &verdict));
        ck_assert_int_eq(verdict, i);
        ck_assert_uint_gt(strlen(verdict_title(verdict)), 0);
    }
    enum verdict untouched = VERDICT_RACE;
    ck_assert(!verdict_parse("Pass", &untouched));
    ck_assert_int_eq(untouched, VERDICT_RACE);
    ck_assert_str_eq(verdict_name(VERDICT_COUNT), "unknown");
    ck_assert_str_eq(speed_verdict_name(SPEED_MARGINAL), "marginal");
}
END_TEST

START_TEST(the_earlier_verdict_takes_precedence) {
    ck_assert_int_eq(verdict_first(VERDICT_RACE, VERDICT_UNINITIALIZED), VERDICT_RACE);
    ck_assert_int_eq(verdict_first(VERDICT_PASS, VERDICT_NO_ANSWER), VERDICT_NO_ANSWER);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("score");
    TCase *tests = tcase_create("points");
    tcase_add_test(tests, only_pass_gives_points);
    tcase_add_test(tests, parts_add_up_and_the_first_take_the_rest);
    tcase_add_test(tests, parts_follow_the_weights_and_add_up);
    tcase_add_test(tests, the_interval_decides_against_98_percent_of_full);
    tcase_add_test(tests, an_equal_kernel_is_fast_at_the_largest_full);
    tcase_add_test(tests, fast_gives_all_whatever_the_median);
    tcase_add_test(tests, slow_is_linear_between_zero_and_full);
    tcase_add_test(tests, points_never_fall_as_the_ratio_rises);
    tcase_add_test(tests, marginal_goes_by_the_median);
    tcase_add_test(tests, names_of_verdicts_come_back);
    tcase_add_test(tests, the_earlier_verdict_takes_precedence);
    suite_add_tcase(suite, tests);
    return suite;
}
