// Hints are read in steps; a file that lacks one is refused with its line.
#include "exercise/hints.h"

#include "scratch.h"
#include "suite.h"

#define TODO(n) "## " n " Load\n\n### question\nQ\n### where\nW\n### pseudocode\nP\n"

// Reads a file of that text; the folder is left out of a message.
static enum status read_text(const char *text, struct hints *ret_hints, struct error *err) {
    struct scratch scratch = scratch_make();
    char path[PATH_BYTES_MAX];
    scratch_write(&scratch, "hints.md", text, path);
    enum status status = hints_read(path, ret_hints, err);
    size_t length = strlen(scratch.folder) + 1;
    if (status && err && strncmp(err->text, scratch.folder, length - 1) == 0) {
        memmove(err->text, err->text + length, strlen(err->text + length) + 1);
    }
    scratch_remove(&scratch);
    return status;
}

START_TEST(hints_are_found_by_todo_and_by_verdict) {
    struct hints hints;
    ck_assert_int_eq(
        read_text("# Hints\n\n## race, uninitialized: two\n### question\n\nWhy?\n\n" TODO(
                      "1") "## 2 Add\n### question\nQ2\n### where\nW2\n### pseudocode\n"
                           "```\n## no heading\n```\n",
                  &hints, NULL),
        STATUS_OK);
    ck_assert_int_eq(hints.count, 3);
    ck_assert_int_eq(hints.todo_count, 2);
    const struct hint *add = hint_of_todo(&hints, 2);
    ck_assert_str_eq(add->title, "Add");
    ck_assert_str_eq(add->steps[1], "W2");
    ck_assert_str_eq(add->steps[2], "```\n## no heading\n```");
    const struct hint *race = hint_of_verdict(&hints, "uninitialized");
    ck_assert_ptr_eq(race, hint_of_verdict(&hints, "race"));
    ck_assert_str_eq(race->title, "two");
    ck_assert_int_eq(race->step_count, 1);
    ck_assert_str_eq(race->steps[0], "Why?");
    ck_assert_ptr_null(hint_of_verdict(&hints, "crash"));
    ck_assert_ptr_null(hint_of_todo(&hints, 0));
    hints_done(&hints);
}
END_TEST

START_TEST(a_section_of_a_page_says_what_it_means_and_what_to_try) {
    struct scratch scratch = scratch_make();
    char path[PATH_BYTES_MAX];
    struct hints hints;
    scratch_write(&scratch, "verdicts.md",
                  "# V\n\n## race\n\nTwo\nthreads.\n\n```\nx\n```\n\nRead: R.\n\nMore.\n\n"
                  "Try: T.\n\n## crash\n\nIt stops.\n",
                  path);
    ck_assert_int_eq(hints_of_page(path, "race", &hints, NULL), STATUS_OK);
    ck_assert_int_eq(hints.list[0].step_count, 2);
    ck_assert_str_eq(hints.list[0].steps[0], "Two\nthreads.");
    ck_assert_str_eq(hints.list[0].steps[1], "Read: R.\n\nTry: T.");
    hints_done(&hints);
    ck_assert_int_eq(hints_of_page(path, "rac", &hints, NULL), STATUS_OK);
    ck_assert_int_eq(hints.count, 0);
    hints_done(&hints);
    scratch_remove(&scratch);
}
END_TEST

static const struct {
    const char *text;
    const char *message;
} bad_files[] = {
    {"", "hints.md:0: expected `## 1 what it is about` or `## race: what it is about`"},
    {"# Hints\n", "hints.md:1: expected `## 1 what it is about` or `## race: what it is about`"},
    {"## 2 Load\n", "hints.md:1: expected `## 1 what it is about` or `## race: what it is about`"},
    {"## 12 Load\n", "hints.md:1: expected `## 1 what it is about` or `## race: what it is about`"},
    {"### question\n", "hints.md:1: expected `##` and the number of the hint"},
    {"## 1 L\n### where\n", "hints.md:2: expected `### question`"},
    {"## 1 L\n### questions\n", "hints.md:2: expected `### question`"},
    {"## 1 L\n### question\n## 2 M\n", "hints.md:3: expected `### where` of hint 1 first"},
    {"## 1 L\n### question\n### where\n", "hints.md:3: expected `### pseudocode`"},
    {"## race two\n",
     "hints.md:1: expected `## 1 what it is about` or `## race: what it is about`"},
    {"## race: two\n## 1 L\n", "hints.md:2: expected `### question`"},
    {"## race: two\n### question\n",
     "hints.md:2: expected `## 1 what it is about` or `## race: what it is about`"},
    {"## 1 L\n### question\n### where\n### pseudocode\n### question\n",
     "hints.md:5: expected `##` and the number of the hint"},
};

START_TEST(wrong_file_is_named_with_its_line) {
    struct hints hints;
    struct error err = {.text = ""};
    ck_assert_int_eq(read_text(bad_files[_i].text, &hints, &err), STATUS_BAD_DATA);
    ck_assert_str_eq(err.text, bad_files[_i].message);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("hints");
    TCase *tests = tcase_create("hints");
    tcase_add_test(tests, hints_are_found_by_todo_and_by_verdict);
    tcase_add_test(tests, a_section_of_a_page_says_what_it_means_and_what_to_try);
    tcase_add_loop_test(tests, wrong_file_is_named_with_its_line, 0,
                        (int)(sizeof bad_files / sizeof *bad_files));
    suite_add_tcase(suite, tests);
    return suite;
}
