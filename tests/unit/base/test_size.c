// Sizes as people write them.
#include "base/size.h"

#include "suite.h"

static const struct {
    const char *text;
    struct size size;
} good[] = {
    {"67x33x129", {67, 33, 129}},
    {"1", {1, 1, 1}},
    {"16384", {16384, 16384, 16384}},
    {"007x1x1", {7, 1, 1}},
};

static const char *const bad[] = {"",       "0",       "16385",  "1x2",
                                  "1x2x",   "1x2x3x4", "-1x2x3", "1 x2x3",
                                  "1x2x3 ", "1X2X3",   "0x1x1",  "99999999999999999999",
                                  "1.5",    "x",       "+1",     "1x2x0"};

START_TEST(good_text_is_read) {
    struct size size;
    ck_assert_int_eq(size_parse(good[_i].text, &size, NULL), STATUS_OK);
    ck_assert_int_eq(size.m, good[_i].size.m);
    ck_assert_int_eq(size.n, good[_i].size.n);
    ck_assert_int_eq(size.k, good[_i].size.k);
}
END_TEST

START_TEST(bad_text_is_named) {
    struct size size = {-7, -7, -7};
    struct error err;
    char message[200];
    ck_assert_int_eq(size_parse(bad[_i], &size, &err), STATUS_BAD_USAGE);
    (void)snprintf(message, sizeof message,
                   "bad size '%s': write MxNxK, such as 67x33x129, each from 1 to 16384", bad[_i]);
    ck_assert_str_eq(err.text, message);
    ck_assert_int_eq(size.m, -7);  // written only on success
}
END_TEST

START_TEST(format_and_parse_are_inverse) {
    char text[SIZE_TEXT_MAX];
    struct size size;
    size_format((struct size){16384, 1, 999}, text);
    ck_assert_str_eq(text, "16384x1x999");
    ck_assert_int_eq(size_parse(text, &size, NULL), STATUS_OK);
    ck_assert_int_eq(size.k, 999);
}
END_TEST

START_TEST(products_do_not_overflow) {
    struct size size = {SIZE_DIMENSION_MAX, SIZE_DIMENSION_MAX, SIZE_DIMENSION_MAX};
    ck_assert_uint_eq(size_elements_c(size), 268435456u);
    ck_assert(size_multiply_adds(size) == 4398046511104ull);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("size");
    TCase *tests = tcase_create("size");
    tcase_add_loop_test(tests, good_text_is_read, 0, (int)(sizeof good / sizeof *good));
    tcase_add_loop_test(tests, bad_text_is_named, 0, (int)(sizeof bad / sizeof *bad));
    tcase_add_test(tests, format_and_parse_are_inverse);
    tcase_add_test(tests, products_do_not_overflow);
    suite_add_tcase(suite, tests);
    return suite;
}
