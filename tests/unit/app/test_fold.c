// Lines that are wider than a screen.
#include <stdlib.h>

#include "app/watch/screen.h"
#include "suite.h"

static const struct {
    const char *text;
    const char *lines;  // at 20 columns
} folds[] = {
    {"", ""},
    {"exactly twenty cells\n", "exactly twenty cells\n"},
    {"a line with one word too many\n", "a line with one word\ntoo many\n"},
    {"  indented, and a little longer\n", "  indented, and a\n  little longer\n"},
    {"  read    lessons/verdicts.md\n", "  read    lessons/ve\n          rdicts.md\n"},
    {"  03  tiled  Tiled multiplication\n",
     "  03  tiled  Tiled\n             multipl\n             ication\n"},
    {"one\n\nlast, without an end", "one\n\nlast, without an end\n"},
    {"blanks at the end of      \n", "blanks at the end of\n"},
    {"\033[1mbold text is as wide as text\033[0m\n",
     "\033[1mbold text is as wide\nas text\033[0m\n"},
    {"\033[2Jnothing \033is erased here", "[2Jnothing is erased\nhere\n"},
    {"  │  7 | quoted, and marked below\n", "  │  7 | quoted, and\n"},
    {"数据竞争数据竞争数据竞争\n", "数据竞争数据竞争数据\n竞争\n"},
    {"                              far\n", "                    \nfar\n"},
};

START_TEST(a_line_is_broken_at_a_blank_and_hangs) {
    char *lines = folded(folds[_i].text, 20);
    ck_assert_str_eq(lines, folds[_i].lines);
    free(lines);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("fold");
    TCase *tests = tcase_create("fold");
    tcase_add_loop_test(tests, a_line_is_broken_at_a_blank_and_hangs, 0,
                        sizeof folds / sizeof *folds);
    suite_add_tcase(suite, tests);
    return suite;
}
