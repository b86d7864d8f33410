// The seed of a class and its folder: what is drawn is HMAC-SHA256, and one run has the folder.
#include "class/seed.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scratch.h"
#include "suite.h"
#include "base/file.h"
#include "class/folder.h"

// The expected values are those of Python's hmac, with the bytes 0 to 31 as the key.
START_TEST(draws_are_hmac_sha256) {
    struct class_seed seed;
    char pseudonym[PSEUDONYM_BYTES];
    char text[SEED_TEXT_BYTES];
    char submission[65];
    for (int i = 0; i < CLASS_SEED_BYTES; i++) {
        seed.byte[i] = (unsigned char)i;
        memcpy(submission + 2 * i, "ab", 3);
    }
    class_pseudonym(&seed, "anna", pseudonym);
    ck_assert_str_eq(pseudonym, "c8745dab7aa1c9eb");
    seed_format(class_submission_seed(&seed, "anna", submission), text);
    ck_assert_str_eq(text, "580c90157d20ac31dbc8e08c693033e7");
}
END_TEST

START_TEST(students_share_what_decides_about_points) {
    struct class_seed seed = {{1, 2, 3}};
    struct seed anna = class_submission_seed(&seed, "anna", "ab");
    struct seed ben = class_submission_seed(&seed, "ben", "cd");
    struct seed anna_shared = seed_shared(anna);
    struct seed ben_shared = seed_shared(ben);
    ck_assert_mem_eq(&anna_shared, &ben_shared, sizeof anna_shared);
    ck_assert_mem_ne(&anna, &ben, sizeof anna);
    int others = 0;
    for (unsigned char i = 0; i < 20; i++) {  // another class may draw something else
        struct class_seed other = {{i}};
        struct seed drawn = seed_shared(class_submission_seed(&other, "anna", "ab"));
        others += memcmp(&drawn, &anna_shared, sizeof drawn) != 0;
    }
    ck_assert_int_gt(others, 10);
}
END_TEST

START_TEST(seed_is_drawn_once_and_private) {
    struct scratch scratch = scratch_make();
    struct class_seed first;
    struct class_seed again;
    struct error err;
    char path[PATH_BYTES_MAX];
    struct stat info;
    ck_assert_int_eq(class_seed_open(scratch.folder, &first, &err), STATUS_OK);
    ck_assert_int_eq(class_seed_open(scratch.folder, &again, &err), STATUS_OK);
    ck_assert_mem_eq(&first, &again, sizeof first);
    ck_assert_int_eq(path_make(path, &err, "%s/seed", scratch.folder), STATUS_OK);
    ck_assert_int_eq(stat(path, &info), 0);
    ck_assert_uint_eq(info.st_mode & 0777, 0600);
    ck_assert_int_eq(file_write(path, "0123\n", 5, &err), STATUS_OK);
    ck_assert_int_eq(class_seed_open(scratch.folder, &again, &err), STATUS_BAD_DATA);
    scratch_remove(&scratch);
}
END_TEST

START_TEST(folder_has_one_run_at_a_time) {
    struct scratch scratch = scratch_make();
    struct error err;
    int fd = -1;
    int second = -1;
    ck_assert_int_eq(class_folder_open(scratch.folder, &err), STATUS_OK);
    ck_assert_int_eq(class_folder_user(scratch.folder), 0);
    pid_t child = fork();
    if (child == 0) {  // a run that is killed
        int held = -1;
        _exit(class_folder_lock(scratch.folder, &held, NULL) ? 1 : 0);
    }
    int state = 1;
    ck_assert_int_eq(waitpid(child, &state, 0), child);
    ck_assert_int_eq(state, 0);
    ck_assert_int_eq(class_folder_user(scratch.folder), 0);
    ck_assert_int_eq(class_folder_lock(scratch.folder, &fd, &err), STATUS_OK);
    ck_assert_int_eq(class_folder_user(scratch.folder), getpid());
    ck_assert_int_eq(class_folder_lock(scratch.folder, &second, &err), STATUS_BAD_USAGE);
    ck_assert_int_eq(class_folder_user(scratch.folder), getpid());  // asking has released nothing
    ck_assert_int_eq(close(fd), 0);
    ck_assert_int_eq(class_folder_lock(scratch.folder, &fd, &err), STATUS_OK);
    ck_assert_int_eq(close(fd), 0);
    scratch_remove(&scratch);
}
END_TEST

START_TEST(folder_of_other_files_is_refused) {
    struct scratch scratch = scratch_make();
    struct error err;
    char path[PATH_BYTES_MAX];
    ck_assert_int_eq(path_make(path, &err, "%s/thesis.tex", scratch.folder), STATUS_OK);
    ck_assert_int_eq(file_write(path, "x", 1, &err), STATUS_OK);
    ck_assert_int_eq(class_folder_open(scratch.folder, &err), STATUS_BAD_USAGE);
    ck_assert_ptr_nonnull(strstr(err.text, "thesis.tex"));
    ck_assert_int_eq(class_folder_open(path, &err), STATUS_BAD_USAGE);
    scratch_remove(&scratch);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("class_seed");
    TCase *tests = tcase_create("class_seed");
    tcase_add_test(tests, draws_are_hmac_sha256);
    tcase_add_test(tests, students_share_what_decides_about_points);
    tcase_add_test(tests, seed_is_drawn_once_and_private);
    tcase_add_test(tests, folder_has_one_run_at_a_time);
    tcase_add_test(tests, folder_of_other_files_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
