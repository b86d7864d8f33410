// Words and lines of plain text.
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"  // last: Check has a macro called fail

START_TEST(letters_of_words_are_those_of_compilers) {
    for (const char *at = "azAZ09_$\x80\xff"; *at != '\0'; at++) {
        ck_assert(text_is_word(*at));
    }
    for (const char *at = " .-@[`{/:\1\x7f"; *at != '\0'; at++) {
        ck_assert(!text_is_word(*at));
    }
    ck_assert(!text_is_word('\0'));
}
END_TEST

START_TEST(a_start_and_a_word_are_compared_whole) {
    ck_assert(text_starts("abc", "ab") && text_starts("abc", ""));
    ck_assert(!text_starts("ab", "abc") && !text_starts("xab", "ab"));
    ck_assert(text_is("const x", 5, "const"));
    ck_assert(!text_is("const x", 4, "const") && !text_is("const x", 5, "consts"));
}
END_TEST

START_TEST(lines_come_without_their_ends) {
    const char *rest = "a\n\nbc";
    size_t bytes = 9;
    const char *line = text_line(&rest, &bytes);
    ck_assert(text_is(line, bytes, "a"));
    line = text_line(&rest, &bytes);
    ck_assert(text_is(line, bytes, ""));
    line = text_line(&rest, &bytes);
    ck_assert(text_is(line, bytes, "bc"));
    ck_assert_ptr_null(text_line(&rest, &bytes));
    ck_assert_int_eq(text_line_number("a\n\nbc", 0), 1);
    ck_assert_int_eq(text_line_number("a\n\nbc", 1), 1);
    ck_assert_int_eq(text_line_number("a\n\nbc", 3), 3);
}
END_TEST

START_TEST(a_word_is_found_but_not_as_part_of_another) {
    ck_assert_int_eq(text_word_line("xAs\nAsx $As\n(As)\nAs", "As"), 3);
    ck_assert_int_eq(text_word_line("xAs Asx As_", "As"), 0);
    ck_assert_int_eq(text_word_line("As", "As"), 1);
    ck_assert_int_eq(text_word_line("As", ""), 0);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("text");
    TCase *tests = tcase_create("text");
    tcase_add_test(tests, letters_of_words_are_those_of_compilers);
    tcase_add_test(tests, a_start_and_a_word_are_compared_whole);
    tcase_add_test(tests, lines_come_without_their_ends);
    tcase_add_test(tests, a_word_is_found_but_not_as_part_of_another);
    suite_add_tcase(suite, tests);
    return suite;
}
