// Elements of C that were never written, found by the poison that is left in them, on any device.
#include "product.h"
#include "suite.h"

START_TEST(unwritten_elements_come_before_wrong_ones) {
    for (int kind = INPUTS_EXACT; kind <= INPUTS_REAL; kind++) {
        struct matrices x = matrices_new((enum inputs_kind)kind, 67, 33, 20);
        multiply(&x);
        x.c[0] += 1.0f;
        poison_fill(c_at(&x, 64, 0), 3 * 33);
        struct oracle_report report = check(&x);
        ck_assert_int_eq(report.verdict, VERDICT_NOT_WRITTEN);
        ck_assert_int_eq(report.row, 64);
        ck_assert_int_eq(report.column, 0);
        ck_assert_uint_eq(report.unwritten_count, 99);
        ck_assert_str_eq(plain(report.cause), "Rows 64..66 of C are never written.");
        ck_assert_str_eq(plain(report.evidence), "");
        matrices_free(&x);
    }
}
END_TEST

START_TEST(one_unwritten_element_is_not_written) {
    struct matrices x = matrices_new(INPUTS_EXACT, 4, 4, 4);
    multiply(&x);
    poison_fill(c_at(&x, 3, 3), 1);
    ck_assert_str_eq(plain(check(&x).cause), "C[3][3] is never written.");
    ck_assert_str_eq(plain(check(&x).evidence), "");
    poison_fill(c_at(&x, 1, 2), 1);
    ck_assert_str_eq(plain(check(&x).evidence), "The first of 2 elements is C[1][2].");
    poison_fill(x.c, 16);
    ck_assert_str_eq(plain(check(&x).cause), "C is never written.");
    matrices_free(&x);
}
END_TEST

START_TEST(unwritten_columns_and_rows_are_named) {
    struct matrices x = matrices_new(INPUTS_EXACT, 6, 8, 2);
    multiply(&x);
    for (int32_t i = 0; i < 6; i++) {
        poison_fill(c_at(&x, i, 6), 2);
    }
    ck_assert_str_eq(plain(check(&x).cause), "Columns 6..7 of C are never written.");
    poison_fill(c_at(&x, 5, 0), 8);
    ck_assert_str_eq(plain(check(&x).cause), "Row 5 and columns 6..7 of C are never written.");
    multiply(&x);
    for (int32_t i = 1; i < 6; i += 2) {
        poison_fill(c_at(&x, i, 0), 8);
    }
    ck_assert_str_eq(plain(check(&x).cause), "3 of 6 rows of C are never written.");
    poison_fill(c_at(&x, 0, 0), 1);
    ck_assert_str_eq(plain(check(&x).cause), "25 of 48 elements of C are never written.");
    matrices_free(&x);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("unwritten");
    TCase *tests = tcase_create("unwritten");
    tcase_add_test(tests, unwritten_elements_come_before_wrong_ones);
    tcase_add_test(tests, one_unwritten_element_is_not_written);
    tcase_add_test(tests, unwritten_columns_and_rows_are_named);
    suite_add_tcase(suite, tests);
    return suite;
}
