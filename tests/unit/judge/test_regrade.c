// Points of stored results, computed from their samples with the thresholds of a course.
#include <string.h>

#include "judge/result/regrade_result.h"
#include "judge/result/result.h"
#include "suite.h"  // last: Check has a macro called fail

#define SAMPLES 11

static struct exercise exercise;
static struct course course;
static struct regrade regrade;

static void setup(void) {
    exercise = (struct exercise){.name = "tiled",
                                 .points_max = 40000,
                                 .speed_points = 10000,
                                 .timed_count = 2,
                                 .timed = {{{64, 64, 64}, .full = 0.9, .zero = 0.5, .weight = 3},
                                           {{65, 65, 65}, .full = 0.9, .zero = 0.5, .weight = 1}}};
    memset(&course, 0, sizeof course);
    course.exercises[0] = exercise;
    course.exercise_count = 1;
}

// Samples of a kernel whose pairs have this ratio to the reference.  All are equal except two,
// which are `apart` above and below.
static json_t *speed_of(int n, double ratio, double apart, int64_t points, int64_t points_max) {
    json_t *student = json_array();
    json_t *reference = json_array();
    for (int i = 0; i < SAMPLES; i++) {
        double shift = i == 0 ? -apart : i == 1 ? apart : 0.0;
        json_array_append_new(student, json_real(1.0));
        json_array_append_new(reference, json_real(ratio + shift));
    }
    return json_pack("{s[iii] ssss sfsfsfsfsf sIsI soso}", "size", n, n, n, "basis", "measured",
                     "verdict", "fast", "ratio", ratio, "low", ratio - apart, "high", ratio + apart,
                     "full", 0.9, "zero", 0.5, "points", (json_int_t)points, "points_max",
                     (json_int_t)points_max, "student_ms", student, "reference_ms", reference);
}

static json_t *result_of(const char *verdict, int64_t points, json_t *speed) {
    return json_pack("{sssIsIs[{sssssbsIsIso}]}", "schema", RESULT_SCHEMA, "points",
                     (json_int_t)points, "points_max", (json_int_t)40000, "exercises", "name",
                     "tiled", "verdict", verdict, "complete", 1, "points", (json_int_t)points,
                     "points_max", (json_int_t)40000, "speed", speed);
}

static void again(json_t *result) {
    struct error err = {.text = ""};
    ck_assert_ptr_nonnull(result);
    ck_assert_msg(regrade_result(&course, result, &regrade, &err) == STATUS_OK, "%s", err.text);
}

static void refused(json_t *result, const char *words) {
    struct error err = {.text = ""};
    ck_assert_ptr_nonnull(result);
    ck_assert_int_eq(regrade_result(&course, result, &regrade, &err), STATUS_BAD_DATA);
    ck_assert_msg(strstr(err.text, words) != NULL, "%s", err.text);
    json_decref(result);
}

START_TEST(samples_give_the_stored_points) {
    // fast, and half-way between zero and full
    json_t *speed =
        json_pack("[oo]", speed_of(64, 0.95, 0.0, 7500, 7500), speed_of(65, 0.7, 0.0, 1250, 2500));
    json_t *result = result_of("pass", 38750, speed);
    again(result);
    ck_assert(!regrade.differs);
    ck_assert_int_eq(regrade.row_count, 3);
    ck_assert_int_eq(regrade.points, 38750);
    ck_assert_int_eq(regrade.points_max, 40000);
    json_decref(result);
}
END_TEST

START_TEST(a_threshold_that_changed_changes_the_points_and_the_file) {
    json_t *speed =
        json_pack("[oo]", speed_of(64, 0.95, 0.0, 7500, 7500), speed_of(65, 0.7, 0.0, 1250, 2500));
    json_t *result = result_of("pass", 38750, speed);
    course.exercises[0].timed[1].full = 0.7;
    again(result);
    ck_assert(regrade.differs);
    ck_assert_int_eq(regrade.row[2].stored, 1250);
    ck_assert_int_eq(regrade.row[2].points, 2500);
    ck_assert_str_eq(regrade.row[2].why, "full and zero are 0.7 and 0.5 now, and were 0.9 and 0.5");
    ck_assert_int_eq(json_integer_value(json_object_get(result, "points")), 40000);
    again(result);  // what was put into it regrades to itself
    ck_assert(!regrade.differs);
    json_decref(result);
}
END_TEST

START_TEST(what_the_samples_do_not_give_is_told) {
    json_t *first = speed_of(64, 0.7, 0.0, 7500, 7500);
    json_object_set_new(first, "ratio", json_real(0.95));
    json_t *speed = json_pack("[oo]", first, speed_of(65, 0.95, 0.0, 2500, 2500));
    json_t *result = result_of("pass", 40000, speed);
    again(result);
    ck_assert(regrade.differs);
    ck_assert_str_eq(regrade.row[1].why,
                     "the file says ratio 0.95, its samples and counts give 0.7");
    ck_assert_int_eq(regrade.row[1].points, 3750);
    json_decref(result);
}
END_TEST

START_TEST(points_that_were_raised_are_told) {
    json_t *speed =
        json_pack("[oo]", speed_of(64, 0.7, 0.0, 7500, 7500), speed_of(65, 0.95, 0.0, 2500, 2500));
    json_t *result = result_of("pass", 40000, speed);
    again(result);
    ck_assert(regrade.differs);
    ck_assert_str_eq(regrade.row[1].why,
                     "the points in the file are not those that its ratio gives");
    json_decref(result);
}
END_TEST

START_TEST(the_interval_is_that_of_the_samples) {
    // The outermost samples bound the interval of eleven.
    json_t *speed = json_pack("[oo]", speed_of(64, 0.89, 0.03125, 7500, 7500),
                              speed_of(65, 0.95, 0.0, 2500, 2500));
    json_t *result = result_of("pass", 40000, speed);
    again(result);
    const json_t *row = json_array_get(
        json_object_get(json_array_get(json_object_get(result, "exercises"), 0), "speed"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(row, "verdict")), "marginal");
    ck_assert_double_eq(json_real_value(json_object_get(row, "low")), 0.89 - 0.03125);
    json_decref(result);
}
END_TEST

// The times of the student alone vary by a quarter.
START_TEST(an_unsteady_kernel_stays_unsteady) {
    json_t *row = speed_of(64, 0.89, 0.0, 7500, 7500);
    for (size_t i = 0; i < SAMPLES; i += 2) {
        json_array_set_new(json_object_get(row, "student_ms"), i, json_real(1.25));
    }
    json_t *result =
        result_of("pass", 40000, json_pack("[oo]", row, speed_of(65, 0.95, 0.0, 2500, 2500)));
    again(result);
    row = json_array_get(
        json_object_get(json_array_get(json_object_get(result, "exercises"), 0), "speed"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(row, "verdict")), "unsteady");
    json_decref(result);
}
END_TEST

START_TEST(a_wrong_kernel_has_no_points_whatever_its_speed) {
    json_t *speed = json_pack("[o]", speed_of(64, 2.0, 0.0, 7500, 7500));
    json_t *result = result_of("race", 0, speed);
    again(result);
    ck_assert(!regrade.differs);
    ck_assert_int_eq(regrade.row_count, 1);
    ck_assert_int_eq(regrade.points, 0);
    ck_assert_int_eq(regrade.points_max, 40000);
    json_decref(result);
}
END_TEST

START_TEST(what_was_left_out_stays_out) {
    json_t *result = result_of("needs_gpu", 0, json_array());
    json_t *only = json_array_get(json_object_get(result, "exercises"), 0);
    json_object_set_new(only, "complete", json_false());
    json_object_set_new(only, "points_max", json_integer(0));  // as older results have it
    json_object_set_new(result, "points_max", json_integer(0));
    again(result);
    ck_assert(!regrade.differs);
    ck_assert_int_eq(regrade.points_max, 0);
    ck_assert_ptr_null(json_object_get(result, "points_open"));
    json_decref(result);
}
END_TEST

START_TEST(open_points_stay_open) {
    json_t *result = result_of("needs_gpu", 0, json_array());
    json_t *only = json_array_get(json_object_get(result, "exercises"), 0);
    json_object_set_new(only, "complete", json_false());
    json_object_set_new(only, "points_open", json_integer(40000));
    json_object_set_new(result, "points_open", json_integer(40000));
    again(result);
    ck_assert(!regrade.differs);
    ck_assert_int_eq(regrade.points_max, 40000);
    ck_assert_int_eq(regrade.points_open, 40000);
    ck_assert_int_eq(json_integer_value(json_object_get(result, "points_open")), 40000);
    json_decref(result);
}
END_TEST

START_TEST(results_that_are_not_whole_are_refused) {
    json_t *short_of_one = speed_of(65, 0.95, 0.0, 2500, 2500);
    json_array_remove(json_object_get(short_of_one, "student_ms"), 0);
    json_t *no_time = speed_of(65, 0.95, 0.0, 2500, 2500);
    json_array_set_new(json_object_get(no_time, "student_ms"), 3, json_real(0.0));
    refused(result_of("pass", 40000, json_pack("[oo]", speed_of(64, 1.0, 0.0, 0, 0), short_of_one)),
            "no whole samples");
    refused(result_of("pass", 40000, json_pack("[oo]", speed_of(64, 1.0, 0.0, 0, 0), no_time)),
            "no whole samples");
    refused(result_of("pass", 40000, json_pack("[o]", speed_of(64, 1.0, 0.0, 0, 0))),
            "65x65x65 counts now");
    refused(result_of("fine", 40000, json_array()), "no verdict");
    refused(json_pack("{ss}", "schema", "other"), "not a result of tilegrade");
    refused(json_pack("{sss[{ss}]}", "schema", RESULT_SCHEMA, "exercises", "name", "gone"),
            "no exercise 'gone'");
}
END_TEST

SUITE() {
    Suite *suite = suite_create("regrade");
    TCase *tests = tcase_create("regrade");
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_test(tests, samples_give_the_stored_points);
    tcase_add_test(tests, a_threshold_that_changed_changes_the_points_and_the_file);
    tcase_add_test(tests, what_the_samples_do_not_give_is_told);
    tcase_add_test(tests, points_that_were_raised_are_told);
    tcase_add_test(tests, the_interval_is_that_of_the_samples);
    tcase_add_test(tests, an_unsteady_kernel_stays_unsteady);
    tcase_add_test(tests, a_wrong_kernel_has_no_points_whatever_its_speed);
    tcase_add_test(tests, what_was_left_out_stays_out);
    tcase_add_test(tests, open_points_stay_open);
    tcase_add_test(tests, results_that_are_not_whole_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
