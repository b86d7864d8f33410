// Whole files: every way in which reading or writing one fails, and that nothing is half-written.
#include "base/file.h"
#include "base/memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratch.h"
#include "suite.h"

static struct scratch scratch;
static char path[PATH_BYTES_MAX];

static void setup(void) {
    scratch = scratch_make();
}

static void teardown(void) {
    scratch_remove(&scratch);
}

static int entries(void) {
    struct dirent **list = NULL;
    int count = scandir(scratch.folder, &list, NULL, NULL);
    for (int i = 0; i < count; i++) {
        free(list[i]);
    }
    free(list);
    return count - 2;
}

START_TEST(file_is_read_whole_with_a_nul_behind) {
    char *text = NULL;
    size_t bytes = 0;
    scratch_write(&scratch, "a", "abc", path);
    ck_assert_int_eq(file_write(path, "x\0y", 3, NULL), STATUS_OK);
    ck_assert_int_eq(file_read(path, 3, &text, &bytes, NULL), STATUS_OK);
    ck_assert_uint_eq(bytes, 3);
    ck_assert_int_eq(memcmp(text, "x\0y\0", 4), 0);
    free(text);
}
END_TEST

START_TEST(what_is_no_file_to_read_is_bad_data) {
    char *text = NULL;
    size_t bytes = 0;
    struct error err;
    scratch_write(&scratch, "big", "1234", path);
    ck_assert_int_eq(file_read(path, 3, &text, &bytes, &err), STATUS_BAD_DATA);
    ck_assert_ptr_nonnull(strstr(err.text, "/big: has 4 bytes; the limit is 3"));
    ck_assert_int_eq(file_read(scratch.folder, 3, &text, &bytes, &err), STATUS_BAD_DATA);
    ck_assert_ptr_nonnull(strstr(err.text, ": is a folder, not a file"));
    ck_assert_int_eq(path_make(path, NULL, "%s/absent", scratch.folder), STATUS_OK);
    ck_assert_int_eq(file_read(path, 3, &text, &bytes, &err), STATUS_BAD_DATA);
    ck_assert_ptr_nonnull(strstr(err.text, "/absent: No such file or directory"));
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert_int_eq(file_read(path, 3, &text, &bytes, &err), STATUS_BAD_DATA);
    ck_assert_ptr_nonnull(strstr(err.text, ": is not a regular file"));
    ck_assert_ptr_null(text);
}
END_TEST

START_TEST(failed_write_leaves_the_earlier_file_and_nothing_else) {
    struct error err;
    scratch_write(&scratch, "folder/a", "earlier", path);
    // a folder cannot be replaced by rename
    ck_assert_int_eq(path_make(path, NULL, "%s/folder", scratch.folder), STATUS_OK);
    ck_assert_int_eq(file_write(path, "new", 3, &err), STATUS_SYSTEM);
    ck_assert_ptr_nonnull(strstr(err.text, "/folder: cannot write: Is a directory"));
    ck_assert_int_eq(entries(), 1);
}
END_TEST

START_TEST(written_file_has_the_usual_mode) {
    struct stat info;
    mode_t mask = umask(022);
    scratch_write(&scratch, "a", "abc", path);
    (void)umask(mask);
    ck_assert_int_eq(stat(path, &info), 0);
    ck_assert_uint_eq(info.st_mode & 0777, 0644);
    ck_assert_int_eq(entries(), 1);
}
END_TEST

START_TEST(folders_are_made_with_those_above) {
    struct error err;
    ck_assert_int_eq(path_make(path, NULL, "%s/a/b/c", scratch.folder), STATUS_OK);
    ck_assert_int_eq(folder_make(path, NULL), STATUS_OK);
    ck_assert_int_eq(folder_make(path, NULL), STATUS_OK);
    scratch_write(&scratch, "file", "", path);
    memcpy(path + strlen(path), "/b", 3);
    ck_assert_int_eq(folder_make(path, &err), STATUS_SYSTEM);
    ck_assert_ptr_nonnull(strstr(err.text, "/file: cannot make the folder"));
}
END_TEST

// A disk that fails is not the same as a file that is absent; here, a name that is too long.
START_TEST(what_cannot_be_looked_at_is_not_taken_for_absent) {
    char name[2 * NAME_MAX];
    bool exists = false;
    ck_assert_int_eq(file_exists("/", &exists, NULL), STATUS_OK);
    ck_assert(exists);
    ck_assert_int_eq(file_exists("/nonexistent/file", &exists, NULL), STATUS_OK);
    ck_assert(!exists);
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    ck_assert_int_eq(file_exists(name, &exists, NULL), STATUS_SYSTEM);
}
END_TEST

// A lost part can only be provoked by a fault: tests/faults shows that it is noticed.
START_TEST(text_of_a_closed_stream_is_whole) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = xopen_memstream(&text, &bytes);
    (void)fputs("whole", stream);
    xclose_memstream(stream, &text);
    ck_assert_str_eq(text, "whole");
    free(text);
}
END_TEST

START_TEST(removing_a_folder_follows_no_link) {
    char kept[PATH_BYTES_MAX];
    char link_path[PATH_BYTES_MAX];
    scratch_write(&scratch, "kept/file", "", kept);
    scratch_write(&scratch, "gone/file", "", path);
    *strrchr(path, '/') = '\0';
    *strrchr(kept, '/') = '\0';
    ck_assert_int_eq(path_make(link_path, NULL, "%s/link", path), STATUS_OK);
    ck_assert_int_eq(symlink(kept, link_path), 0);
    ck_assert_int_eq(folder_remove(path, NULL), STATUS_OK);
    ck_assert_int_eq(access(path, F_OK), -1);
    memcpy(kept + strlen(kept), "/file", 6);
    ck_assert_int_eq(access(kept, F_OK), 0);
    ck_assert_int_eq(folder_remove(path, NULL), STATUS_OK);  // absent is fine
}
END_TEST

START_TEST(path_that_is_too_long_is_refused) {
    char *name = malloc(PATH_BYTES_MAX + 1);
    ck_assert_ptr_nonnull(name);
    memset(name, 'x', PATH_BYTES_MAX);
    name[PATH_BYTES_MAX] = '\0';
    ck_assert_int_eq(path_make(path, NULL, "%s", name), STATUS_BAD_USAGE);
    name[PATH_BYTES_MAX - 1] = '\0';
    ck_assert_int_eq(path_make(path, NULL, "%s", name), STATUS_OK);
    free(name);
}
END_TEST

// Source: FIPS 180-4, example "abc".
START_TEST(sha256_is_that_of_the_standard) {
    char text[65];
    sha256_hex("abc", 3, text);
    ck_assert_str_eq(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
END_TEST

START_TEST(a_folder_is_removed_whatever_a_program_left_in_it) {
    char folder[] = "/tmp/test_file.XXXXXX";
    char outside[] = "/tmp/test_file.XXXXXX";
    struct stat info;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_ptr_nonnull(mkdtemp(outside));
    int level = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ck_assert_int_eq(symlinkat(outside, level, "link"), 0);
    for (int i = 0; i < 300; i++) {  // deeper than a path can say
        static const char name[] = "a_folder_with_a_long_name";
        ck_assert_int_eq(mkdirat(level, name, 0700), 0);
        int next = openat(level, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        ck_assert_int_eq(fchmod(level, 0), 0);
        (void)close(level);
        level = next;
    }
    (void)close(level);
    ck_assert_int_eq(folder_remove(folder, NULL), STATUS_OK);
    ck_assert_int_ne(stat(folder, &info), 0);
    ck_assert_int_eq(stat(outside, &info), 0);  // what a link leads to stays
    ck_assert_int_eq(folder_remove(outside, NULL), STATUS_OK);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("file");
    TCase *tests = tcase_create("file");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, a_folder_is_removed_whatever_a_program_left_in_it);
    tcase_add_test(tests, file_is_read_whole_with_a_nul_behind);
    tcase_add_test(tests, what_is_no_file_to_read_is_bad_data);
    tcase_add_test(tests, failed_write_leaves_the_earlier_file_and_nothing_else);
    tcase_add_test(tests, written_file_has_the_usual_mode);
    tcase_add_test(tests, folders_are_made_with_those_above);
    tcase_add_test(tests, what_cannot_be_looked_at_is_not_taken_for_absent);
    tcase_add_test(tests, text_of_a_closed_stream_is_whole);
    tcase_add_test(tests, removing_a_folder_follows_no_link);
    tcase_add_test(tests, path_that_is_too_long_is_refused);
    tcase_add_test(tests, sha256_is_that_of_the_standard);
    suite_add_tcase(suite, tests);
    return suite;
}
