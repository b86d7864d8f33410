// What is kept of a kernel's output.
#include "judge/run/run_worker.h"

#include <string.h>

#include "suite.h"  // last: Check has a macro called fail

START_TEST(short_output_is_kept_as_it_is) {
    char shown[OUTPUT_SHOWN_MAX];
    run_output_cut("a\nb", shown);
    ck_assert_str_eq(shown, "a\nb");
    run_output_cut("", shown);
    ck_assert_str_eq(shown, "");
}
END_TEST

START_TEST(twenty_lines_are_kept_and_the_rest_is_marked) {
    char text[OUTPUT_LINES_MAX * 2 + 3] = "";
    char want[OUTPUT_LINES_MAX * 2 + 8];
    char shown[OUTPUT_SHOWN_MAX];
    for (int i = 0; i < OUTPUT_LINES_MAX; i++) {
        memcpy(text + 2 * i, "x\n", 2);
    }
    run_output_cut(text, shown);
    ck_assert_str_eq(shown, text);
    (void)snprintf(want, sizeof want, "%s…\n", text);
    memcpy(text + 2 * OUTPUT_LINES_MAX, "y\n", 2);
    run_output_cut(text, shown);
    ck_assert_str_eq(shown, want);
}
END_TEST

START_TEST(a_line_that_does_not_fit_is_left_out_whole) {
    static char text[2 * OUTPUT_SHOWN_MAX];
    char shown[OUTPUT_SHOWN_MAX];
    memset(text, 'x', sizeof text - 1);
    text[3] = '\n';
    run_output_cut(text, shown);
    ck_assert_str_eq(shown, "xxx\n…\n");
    text[3] = 'x';
    run_output_cut(text, shown);
    ck_assert_uint_lt(strlen(shown), OUTPUT_SHOWN_MAX);
    ck_assert_uint_gt(strlen(shown), OUTPUT_SHOWN_MAX - 16);
    ck_assert_str_eq(shown + strlen(shown) - 6, "x\n…\n");
}
END_TEST

SUITE() {
    Suite *suite = suite_create("run_output");
    TCase *tests = tcase_create("run_output");
    tcase_add_test(tests, short_output_is_kept_as_it_is);
    tcase_add_test(tests, twenty_lines_are_kept_and_the_rest_is_marked);
    tcase_add_test(tests, a_line_that_does_not_fit_is_left_out_whole);
    suite_add_tcase(suite, tests);
    return suite;
}
