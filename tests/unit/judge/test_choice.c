// Which files index an array that a condition chooses.
#include "judge/code/kernel_text.h"

#include "suite.h"

static const struct {
    const char *text;
    bool is_indexed;
} rows[] = {
    {"x = (c ? A : B)[i % 8];", true},
    {"x = (c ? (A) : f(B))\n    [i % 8][j];", true},
    {"x = ((c ? A : B))[i % 8];", true},
    {"x = (c ? s : t).a[i % 8];", false},  // g++ computes this index once
    {"#define FROM (c ? A : B)\nx = FROM[i % 8];", true},
    {"#define FROM A\nx = c ? FROM[i % 8] : B[i % 8];", false},
    {"x = (c ? i : j) + A[i % 8];", false},
    {"x = A[(c ? i : j) % 8];", false},
    {"x = (A + i)[i % 8] + (c ? 1 : 2);", false},
    {"// (c ? A : B)[i]\n", false},
    {"", false},
};

START_TEST(a_choice_with_an_index_is_found) {
    ck_assert_int_eq(choice_is_indexed(rows[_i].text), rows[_i].is_indexed);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("choice");
    TCase *tests = tcase_create("choice");
    tcase_add_loop_test(tests, a_choice_with_an_index_is_found, 0,
                        (int)(sizeof rows / sizeof *rows));
    suite_add_tcase(suite, tests);
    return suite;
}
