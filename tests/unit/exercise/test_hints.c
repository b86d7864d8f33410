// Hints are read in steps; a file that lacks one is refused with its line.
#include "exercise/hints.h"

#include "scratch.h"
#include "suite.h"

#define GOOD                                                                                       \
    "# Hints\n\n## 1 Load\n\n### question\n\nWhat?\n\n### where\n\nThere.\n\n### pseudocode\n\n"   \
    "```\n## no heading\n```\n\n## 2 Add\n### question\nQ2\n### where\nW2\n### pseudocode\nP2"

static enum status read_step(const char *text, int step, char **ret_text, int *ret_count,
                             struct error *err) {
    struct scratch scratch = scratch_make();
    char path[PATH_BYTES_MAX];
    scratch_write(&scratch, "hints.md", text, path);
    enum status status = hint_read(path, step, ret_text, ret_count, err);
    size_t length = strlen(scratch.folder) + 1;
    if (status && err && strncmp(err->text, scratch.folder, length - 1) == 0) {
        memmove(err->text, err->text + length, strlen(err->text + length) + 1);
    }
    scratch_remove(&scratch);
    return status;
}

START_TEST(steps_come_in_order_over_all_todos) {
    static const char *const texts[] = {"What?", "There.", "```\n## no heading\n```",
                                        "Q2",    "W2",     "P2"};
    for (int step = 0; step < 6; step++) {
        char *text = NULL;
        int count = 0;
        ck_assert_int_eq(read_step(GOOD, step, &text, &count, NULL), STATUS_OK);
        ck_assert_str_eq(text, texts[step]);
        ck_assert_int_eq(count, 6);
        free(text);
    }
}
END_TEST

START_TEST(a_step_after_the_last_is_refused) {
    char *text = NULL;
    int count = 0;
    struct error err;
    ck_assert_int_eq(read_step(GOOD, 6, &text, &count, &err), STATUS_BAD_USAGE);
    ck_assert_str_eq(err.text, "hints.md: there is no hint 7; the file has 6");
}
END_TEST

static const struct {
    const char *text;
    const char *message;
} bad_files[] = {
    {"", "hints.md:0: expected `## 1 what it is about`"},
    {"# Hints\n", "hints.md:1: expected `## 1 what it is about`"},
    {"## 2 Load\n", "hints.md:1: expected `## 1 what it is about`"},
    {"## 12 Load\n", "hints.md:1: expected `## 1 what it is about`"},
    {"### question\n", "hints.md:1: expected `##` and the number of the hint"},
    {"## 1 L\n### where\n", "hints.md:2: expected `### question`"},
    {"## 1 L\n### questions\n", "hints.md:2: expected `### question`"},
    {"## 1 L\n### question\n## 2 M\n", "hints.md:3: expected `### where` of hint 1 first"},
    {"## 1 L\n### question\n### where\n", "hints.md:3: expected `### pseudocode`"},
    {"## 1 L\n### question\n### where\n### pseudocode\n### question\n",
     "hints.md:5: expected `##` and the number of the hint"},
};

START_TEST(wrong_file_is_named_with_its_line) {
    char *text = NULL;
    int count = 0;
    struct error err = {""};
    ck_assert_int_eq(read_step(bad_files[_i].text, 0, &text, &count, &err), STATUS_BAD_DATA);
    ck_assert_str_eq(err.text, bad_files[_i].message);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("hints");
    TCase *tests = tcase_create("hints");
    tcase_add_test(tests, steps_come_in_order_over_all_todos);
    tcase_add_test(tests, a_step_after_the_last_is_refused);
    tcase_add_loop_test(tests, wrong_file_is_named_with_its_line, 0,
                        (int)(sizeof bad_files / sizeof *bad_files));
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
