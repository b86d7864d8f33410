// Reading a submitted file: whatever lies under its name is a verdict, what cannot be read is
// trouble of ours.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "judge/judge_source.h"
#include "suite.h"  // last: Check has a macro called fail

static char folder[] = "/tmp/test_judge_source.XXXXXX";

static const char *path_of(const char *name) {
    static char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void file_make(const char *name, const char *bytes, size_t count) {
    ck_assert_int_eq(file_write(path_of(name), bytes, count, NULL), STATUS_OK);
}

// Reads one file and compares verdict and sentence.
static void expect(const char *name, enum verdict verdict, const char *headline) {
    struct judge_source source;
    struct error err = {.text = ""};
    ck_assert_msg(judge_source_read(folder, name, &source, &err) == STATUS_OK, "%s", err.text);
    ck_assert_int_eq(source.verdict, verdict);
    ck_assert_str_eq(source.headline, headline);
    judge_source_done(&source);
}

START_TEST(a_missing_file_is_no_kernel) {
    expect("a.cu", VERDICT_NO_KERNEL,
           "a.cu is missing: the kernel of this exercise belongs in it.");
}
END_TEST

START_TEST(a_folder_is_no_kernel) {
    ck_assert_int_eq(mkdir(path_of("folder.cu"), 0700), 0);
    expect("folder.cu", VERDICT_NO_KERNEL,
           "folder.cu is a folder; it must be a file with the kernel.");
}
END_TEST

START_TEST(a_link_is_not_followed) {
    file_make("real.cu", "int x;", 6);
    ck_assert_int_eq(symlink("real.cu", path_of("link.cu")), 0);
    expect("link.cu", VERDICT_NO_KERNEL, "link.cu is a link; put the file itself there.");
}
END_TEST

START_TEST(a_pipe_is_not_waited_for) {
    ck_assert_int_eq(mkfifo(path_of("pipe.cu"), 0600), 0);
    expect("pipe.cu", VERDICT_NO_KERNEL, "pipe.cu is no regular file.");
}
END_TEST

START_TEST(the_limit_of_size_is_exact) {
    char *bytes = calloc(1, SOURCE_BYTES_MAX + 1);
    memset(bytes, ' ', SOURCE_BYTES_MAX + 1);
    file_make("just.cu", bytes, SOURCE_BYTES_MAX);
    file_make("more.cu", bytes, SOURCE_BYTES_MAX + 1);
    free(bytes);
    expect("just.cu", VERDICT_PASS, "");
    expect("more.cu", VERDICT_NOT_ALLOWED,
           "more.cu is larger than 256 KiB, the limit for one file.");
}
END_TEST

START_TEST(a_readable_file_comes_whole_with_its_hash) {
    struct judge_source source;
    file_make("whole.cu", "abc", 3);
    ck_assert_int_eq(judge_source_read(folder, "whole.cu", &source, NULL), STATUS_OK);
    ck_assert_uint_eq(source.bytes, 3);
    ck_assert_str_eq(source.text, "abc");
    // FIPS 180-4, the example of a message of one block.
    ck_assert_str_eq(source.sha256,
                     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    judge_source_done(&source);
}
END_TEST

START_TEST(what_is_shown_has_neither_mark_nor_carriage_returns_and_keeps_its_columns) {
    char text[] = "\xef\xbb\xbfone\r\ntw\xfco\r!\n";
    struct judge_source source = {.text = text, .bytes = strlen(text)};
    char *shown = NULL;
    ck_assert_int_eq(judge_source_show(&source, &shown, NULL), STATUS_OK);
    ck_assert_str_eq(shown, "one\ntw\xfco\r!\n");
    free(shown);
    source.bytes++;  // a NUL among the bytes: no text
    ck_assert_int_eq(judge_source_show(&source, &shown, NULL), STATUS_OK);
    ck_assert_ptr_null(shown);
}
END_TEST

START_TEST(no_permission_is_trouble_and_not_a_zero) {
    struct judge_source source;
    struct error err = {.text = ""};
    char want[256];
    file_make("secret.cu", "abc", 3);
    ck_assert_int_eq(chmod(folder, 0711), 0);
    ck_assert_int_eq(chmod(path_of("secret.cu"), 0000), 0);
    bool root = geteuid() == 0;
    if (root) {
        ck_assert_int_eq(seteuid(65534), 0);  // root may read anything
    }
    enum status status = judge_source_read(folder, "secret.cu", &source, &err);
    if (root) {
        ck_assert_int_eq(seteuid(0), 0);
    }
    ck_assert_int_eq(status, STATUS_SYSTEM);
    (void)snprintf(want, sizeof want,
                   "%s: cannot be opened; check who may read it: Permission denied",
                   path_of("secret.cu"));
    ck_assert_str_eq(err.text, want);
}
END_TEST

int main(void) {
    if (!mkdtemp(folder)) {
        return EXIT_FAILURE;
    }
    Suite *suite = suite_create("judge_source");
    TCase *tests = tcase_create("read");
    tcase_add_test(tests, a_missing_file_is_no_kernel);
    tcase_add_test(tests, a_folder_is_no_kernel);
    tcase_add_test(tests, a_link_is_not_followed);
    tcase_add_test(tests, a_pipe_is_not_waited_for);
    tcase_add_test(tests, the_limit_of_size_is_exact);
    tcase_add_test(tests, a_readable_file_comes_whole_with_its_hash);
    tcase_add_test(tests,
                   what_is_shown_has_neither_mark_nor_carriage_returns_and_keeps_its_columns);
    tcase_add_test(tests, no_permission_is_trouble_and_not_a_zero);
    suite_add_tcase(suite, tests);
    int code = suite_run(suite);
    (void)folder_remove(folder, NULL);
    return code;
}
