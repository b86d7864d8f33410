// Reading a submitted file: anything that has its name gets a verdict; a file that cannot be read
// is our trouble.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "judge/submission/submission.h"
#include "suite.h"  // last: Check has a macro called fail

static char folder[] = "/tmp/test_judge_source.XXXXXX";
static int folder_fd;

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
    struct submitted source;
    struct error err = {.text = ""};
    ck_assert_msg(submitted_read(folder_fd, name, &source, &err) == STATUS_OK, "%s", err.text);
    ck_assert_int_eq(source.verdict, verdict);
    ck_assert_str_eq(plain(source.headline), headline);
    submitted_done(&source);
}

START_TEST(a_file_that_is_not_there_is_missing) {
    expect("a.cu", VERDICT_MISSING, "a.cu is missing: the kernel of this exercise belongs in it.");
}
END_TEST

// Files that were handed in under a name that is not quite right, and the sentences about them.
static const struct {
    const char *path, *file, *headline;
} nearly[] = {
    {"Warp.cu", "warp.cu", "there is `Warp.cu`: rename it if that is the kernel."},
    {"matmul_thin.cu", "thin.cu", "there is `matmul_thin.cu`: rename it if that is the kernel."},
    {"wide (1).cu", "wide.cu", "there is `wide (1).cu`: rename it if that is the kernel."},
    {"deep.cu.txt", "deep.cu", "there is `deep.cu.txt`: rename it if that is the kernel."},
    {"hand-in/low.cu", "low.cu",
     "there is `hand-in/low.cu`, but kernel files belong at the top of the folder."},
};

START_TEST(a_file_of_nearly_the_name_is_told) {
    char headline[256];
    (void)mkdir(path_of("hand-in"), 0700);
    file_make(nearly[_i].path, "int x;", 6);
    (void)snprintf(headline, sizeof headline, "%s is missing; %s", nearly[_i].file,
                   nearly[_i].headline);
    expect(nearly[_i].file, VERDICT_MISSING, headline);
}
END_TEST

START_TEST(lines_end_where_a_compiler_ends_them) {
    struct submitted source;
    file_make("returns.cu", "// a\rint b;\r\nint c;\n\r", 21);
    ck_assert_int_eq(submitted_read(folder_fd, "returns.cu", &source, NULL), STATUS_OK);
    ck_assert_str_eq(source.text, "// a\nint b;\r\nint c;\n\n");
    ck_assert_uint_eq(source.bytes, 21);
    submitted_done(&source);
}
END_TEST

START_TEST(a_file_of_another_name_is_not_told) {
    file_make("tall_old.cu", "int x;", 6);
    file_make("register_tall.cu", "int x;", 6);
    file_make("tall\033[2J.cu", "int x;", 6);
    ck_assert_int_eq(mkdir(path_of("tall"), 0700), 0);
    ck_assert_int_eq(symlink("/etc/passwd", path_of("tall.txt")), 0);
    ck_assert_int_eq(symlink("/etc", path_of("linked")), 0);
    expect("tall.cu", VERDICT_MISSING,
           "tall.cu is missing: the kernel of this exercise belongs in it.");
    expect("passwd", VERDICT_MISSING,
           "passwd is missing: the kernel of this exercise belongs in it.");
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
    expect("pipe.cu", VERDICT_NO_KERNEL, "pipe.cu is not a regular file.");
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
    struct submitted source;
    file_make("whole.cu", "abc", 3);
    ck_assert_int_eq(submitted_read(folder_fd, "whole.cu", &source, NULL), STATUS_OK);
    ck_assert_uint_eq(source.bytes, 3);
    ck_assert_str_eq(source.text, "abc");
    // FIPS 180-4, the example of a message of one block.
    ck_assert_str_eq(source.sha256,
                     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    submitted_done(&source);
}
END_TEST

START_TEST(what_is_shown_has_neither_mark_nor_carriage_returns_and_keeps_its_columns) {
    char text[] = "\xef\xbb\xbfone\r\ntw\xfco\r!\n";
    struct submitted source = {.text = text, .bytes = strlen(text)};
    char *shown = submitted_show(&source);
    ck_assert_str_eq(shown, "one\ntw\xfco\r!\n");
    free(shown);
    source.bytes++;  // a NUL among the bytes: not a text
    ck_assert_ptr_null(submitted_show(&source));
}
END_TEST

START_TEST(no_permission_is_trouble_and_not_a_zero) {
    struct submitted source;
    struct error err = {.text = ""};
    file_make("secret.cu", "abc", 3);
    ck_assert_int_eq(chmod(folder, 0711), 0);
    ck_assert_int_eq(chmod(path_of("secret.cu"), 0000), 0);
    bool root = geteuid() == 0;
    if (root) {
        ck_assert_int_eq(seteuid(65534), 0);  // root may read anything
    }
    enum status status = submitted_read(folder_fd, "secret.cu", &source, &err);
    if (root) {
        ck_assert_int_eq(seteuid(0), 0);
    }
    ck_assert_int_eq(status, STATUS_SYSTEM);
    ck_assert_str_eq(err.text,
                     "secret.cu: cannot be opened; check who may read it: Permission denied");
}
END_TEST

static void folder_begin(void) {
    ck_assert_ptr_nonnull(mkdtemp(folder));
    folder_fd = open(folder, O_PATH | O_DIRECTORY);
}

static void folder_end(void) {
    (void)folder_remove(folder, NULL);
}

SUITE() {
    Suite *suite = suite_create("judge_source");
    TCase *tests = tcase_create("read");
    tcase_add_unchecked_fixture(tests, folder_begin, folder_end);
    tcase_add_test(tests, a_file_that_is_not_there_is_missing);
    tcase_add_loop_test(tests, a_file_of_nearly_the_name_is_told, 0,
                        (int)(sizeof nearly / sizeof *nearly));
    tcase_add_test(tests, lines_end_where_a_compiler_ends_them);
    tcase_add_test(tests, a_file_of_another_name_is_not_told);
    tcase_add_test(tests, a_folder_is_no_kernel);
    tcase_add_test(tests, a_link_is_not_followed);
    tcase_add_test(tests, a_pipe_is_not_waited_for);
    tcase_add_test(tests, the_limit_of_size_is_exact);
    tcase_add_test(tests, a_readable_file_comes_whole_with_its_hash);
    tcase_add_test(tests,
                   what_is_shown_has_neither_mark_nor_carriage_returns_and_keeps_its_columns);
    tcase_add_test(tests, no_permission_is_trouble_and_not_a_zero);
    suite_add_tcase(suite, tests);
    return suite;
}
