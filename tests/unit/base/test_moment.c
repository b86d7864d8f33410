// Dates: what is read, what is refused.
#include "exercise/assignment.h"

#include "suite.h"

static const struct {
    const char *text;
    int64_t seconds;
} dates[] = {
    {"1970-01-01T00:00:00Z", 0},
    {"2026-12-01T23:59:00+01:00", 1796165940},
    {"2026-12-01T22:59:00Z", 1796165940},
    {"2026-12-01T22:59:00.999Z", 1796165940},
    {"2026-12-01T17:29:00-05:30", 1796165940},
    {"2024-02-29T12:00:00+00:00", 1709208000},
};

START_TEST(date_is_read) {
    int64_t seconds = 0;
    ck_assert_msg(moment_parse(dates[_i].text, &seconds), "%s", dates[_i].text);
    ck_assert_int_eq(seconds, dates[_i].seconds);
}
END_TEST

static const char *const wrong[] = {
    "",
    "2026-12-01",
    "2026-12-01T23:59:00",  // of which place?
    "2026-12-01 23:59:00Z",
    "2026-02-29T23:59:00Z",
    "2026-13-01T23:59:00Z",
    "2026-00-01T23:59:00Z",
    "2026-12-01T24:00:00Z",
    "2026-12-01T23:60:00Z",
    "2026-12-01T23:59:60Z",
    "2026-12-01T23:59:00+1:00",
    "2026-12-01T23:59:00+01:60",
    "2026-12-01T23:59:00.Z",
    "2026-12-01T23:59:00Zulu",
    "-026-12-01T23:59:00Z",
};

START_TEST(anything_else_is_refused) {
    int64_t seconds = 7;
    ck_assert_msg(!moment_parse(wrong[_i], &seconds), "%s", wrong[_i]);
    ck_assert_int_eq(seconds, 7);
}
END_TEST

START_TEST(date_is_written_in_utc) {
    char text[MOMENT_TEXT_BYTES];
    moment_format(1796165940, text);
    ck_assert_str_eq(text, "2026-12-01T22:59:00Z");
    moment_format(MOMENT_NONE, text);
    ck_assert_str_eq(text, "");
}
END_TEST

SUITE() {
    Suite *suite = suite_create("moment");
    TCase *test_case = tcase_create("moment");
    tcase_add_loop_test(test_case, date_is_read, 0, sizeof dates / sizeof dates[0]);
    tcase_add_loop_test(test_case, anything_else_is_refused, 0, sizeof wrong / sizeof wrong[0]);
    tcase_add_test(test_case, date_is_written_in_utc);
    suite_add_tcase(suite, test_case);
    return suite;
}
