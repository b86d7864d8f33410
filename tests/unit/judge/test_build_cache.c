// The cache of builds: a build is found whole or not at all, and named by everything that goes into
// it.
#include "judge/compile/build_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "device/build_report.h"
#include "suite.h"

static char root[] = "/tmp/tilegrade-cache-XXXXXX";
static char folder[5][PATH_BYTES_MAX];  // include, shim, programs, scratch, cache
enum { INCLUDE, SHIM, PROGRAMS, SCRATCH, CACHE };

static void put(const char *in, const char *name, const char *text) {
    char path[PATH_BYTES_MAX];
    struct error err;
    ck_assert_int_eq(path_make(path, &err, "%s/%s", in, name), STATUS_OK);
    ck_assert_int_eq(file_write(path, text, strlen(text), &err), STATUS_OK);
}

static void set_up(void) {
    static const char *const names[] = {"include", "shim", "programs", "scratch", "cache"};
    struct error err;
    memcpy(root + strlen(root) - 6, "XXXXXX", 6);
    ck_assert_ptr_nonnull(mkdtemp(root));
    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(path_make(folder[i], &err, "%s/%s", root, names[i]), STATUS_OK);
        ck_assert_int_eq(folder_make(folder[i], &err), STATUS_OK);
    }
    put(folder[INCLUDE], "matmul.cuh", "header");
    put(folder[SHIM], "cuda_emu.h", "shim");
    put(folder[PROGRAMS], "emu-worker.o", "runtime");
    put(folder[PROGRAMS], "libemu-worker.a", "library");
    put(folder[PROGRAMS], "libexpected.a", "library");
    put(folder[PROGRAMS], "tilegrade-inspect", "inspector");
}

static void tear_down(void) {
    struct error err;
    ck_assert_int_eq(folder_remove(root, &err), STATUS_OK);
}

// The key of a build of `text` with one step that has `flag`.
static void key_of(const char *text, const char *flag, char key[BUILD_CACHE_KEY_BYTES]) {
    static struct build_plan plan;
    struct device_paths paths;
    struct error err;
    memset(&paths, 0, sizeof paths);
    memset(&plan, 0, sizeof plan);
    memcpy(paths.include, folder[INCLUDE], PATH_BYTES_MAX);
    memcpy(paths.shim, folder[SHIM], PATH_BYTES_MAX);
    memcpy(paths.programs, folder[PROGRAMS], PATH_BYTES_MAX);
    char compiler[] = "/usr/bin/g++";
    char word[64];
    (void)snprintf(word, sizeof word, "%s", flag);
    plan.step_count = 1;
    plan.step[0].argument[0] = compiler;
    plan.step[0].argument[1] = word;
    ck_assert_int_eq(build_cache_key(&paths, &plan, (struct text){text, strlen(text)}, key, &err),
                     STATUS_OK);
}

START_TEST(everything_that_goes_in_is_in_the_key) {
    char first[BUILD_CACHE_KEY_BYTES];
    char key[BUILD_CACHE_KEY_BYTES];
    key_of("text", "-O1", first);
    key_of("text", "-O1", key);
    ck_assert_str_eq(first, key);
    key_of("texu", "-O1", key);
    ck_assert_str_ne(first, key);
    key_of("text", "-O2", key);
    ck_assert_str_ne(first, key);
    static const struct {
        int in;
        const char *name;
    } files[] = {{INCLUDE, "matmul.cuh"},        {INCLUDE, "another.h"},
                 {SHIM, "cuda_emu.h"},           {PROGRAMS, "emu-worker.o"},
                 {PROGRAMS, "libemu-worker.a"},  {PROGRAMS, "libexpected.a"},
                 {PROGRAMS, "tilegrade-inspect"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        put(folder[files[i].in], files[i].name, "changed");
        key_of("text", "-O1", key);
        ck_assert_msg(strcmp(first, key) != 0, "%s does not count", files[i].name);
        memcpy(first, key, sizeof first);
    }
}
END_TEST

// Keeps a build of two files and two steps under `key`.
static void keep(const char *key) {
    char first[] = "a warning\n";
    char second[] = "";
    char *outputs[] = {first, second};
    put(folder[SCRATCH], "worker", "program");
    put(folder[SCRATCH], BUILD_REPORT, "{}");
    put(folder[SCRATCH], BUILD_SOURCE, "text");
    build_cache_keep(folder[CACHE], key, folder[SCRATCH], 2, outputs);
}

static bool is_file(const char *name, const char *text) {
    char path[PATH_BYTES_MAX];
    char *found = NULL;
    size_t bytes = 0;
    struct error err;
    if (path_make(path, &err, "%s/%s", folder[SCRATCH], name) ||
        file_read(path, 1024, &found, &bytes, &err)) {
        return false;
    }
    bool same = strcmp(found, text) == 0;
    free(found);
    return same;
}

// Tries to take `key` into an empty folder.
static bool take(const char *key, char **outputs) {
    struct error err;
    ck_assert_int_eq(folder_remove(folder[SCRATCH], &err), STATUS_OK);
    ck_assert_int_eq(folder_make(folder[SCRATCH], &err), STATUS_OK);
    return build_cache_take(folder[CACHE], key, folder[SCRATCH], 2, outputs);
}

START_TEST(what_was_kept_is_found_but_for_the_source) {
    char *outputs[2] = {NULL, NULL};
    keep("key");
    ck_assert(take("key", outputs));
    ck_assert(is_file("worker", "program"));
    ck_assert(is_file(BUILD_REPORT, "{}"));
    ck_assert(!is_file(BUILD_SOURCE, "text"));
    ck_assert_str_eq(outputs[0], "a warning\n");
    ck_assert_str_eq(outputs[1], "");
    free(outputs[0]);
    free(outputs[1]);
    ck_assert(!take("another", outputs));
}
END_TEST

START_TEST(entry_with_one_byte_changed_is_none) {
    char *outputs[2] = {NULL, NULL};
    char path[PATH_BYTES_MAX];
    struct error err;
    struct stat info;
    keep("key");
    ck_assert_int_eq(path_make(path, &err, "%s/key", folder[CACHE]), STATUS_OK);
    ck_assert_int_eq(stat(path, &info), 0);
    FILE *file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, info.st_size / 2, SEEK_SET), 0);
    int byte = fgetc(file);
    ck_assert_int_eq(fseek(file, info.st_size / 2, SEEK_SET), 0);
    (void)fputc(byte ^ 1, file);
    (void)fclose(file);
    ck_assert(!take("key", outputs));
    ck_assert_ptr_null(outputs[0]);
    ck_assert(!is_file("worker", "program"));
}
END_TEST

START_TEST(half_an_entry_is_none) {
    char *outputs[2] = {NULL, NULL};
    char path[PATH_BYTES_MAX];
    struct error err;
    struct stat info;
    keep("key");
    ck_assert_int_eq(path_make(path, &err, "%s/key", folder[CACHE]), STATUS_OK);
    ck_assert_int_eq(stat(path, &info), 0);
    ck_assert_int_eq(truncate(path, info.st_size / 2), 0);
    ck_assert(!take("key", outputs));
    ck_assert_int_eq(truncate(path, 3), 0);
    ck_assert(!take("key", outputs));
    ck_assert_int_eq(truncate(path, 0), 0);
    ck_assert(!take("key", outputs));
}
END_TEST

START_TEST(entry_of_other_steps_is_none) {
    char *outputs[3] = {NULL, NULL, NULL};
    keep("key");
    struct error err;
    ck_assert_int_eq(folder_remove(folder[SCRATCH], &err), STATUS_OK);
    ck_assert_int_eq(folder_make(folder[SCRATCH], &err), STATUS_OK);
    ck_assert(!build_cache_take(folder[CACHE], "key", folder[SCRATCH], 3, outputs));
    ck_assert_ptr_null(outputs[0]);
}
END_TEST

START_TEST(entry_used_longest_ago_goes_first) {
    char *outputs[2] = {NULL, NULL};
    char key[16];
    for (int i = 0; i < BUILD_CACHE_ENTRIES_MAX; i++) {
        (void)snprintf(key, sizeof key, "key%d", i);
        keep(key);
    }
    ck_assert(take("key0", outputs));  // used just now
    free(outputs[0]);
    free(outputs[1]);
    outputs[0] = outputs[1] = NULL;
    keep("one more");
    ck_assert(!take("key1", outputs));
    ck_assert(take("key0", outputs));
    free(outputs[0]);
    free(outputs[1]);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("build_cache");
    TCase *tcase = tcase_create("build_cache");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, everything_that_goes_in_is_in_the_key);
    tcase_add_test(tcase, what_was_kept_is_found_but_for_the_source);
    tcase_add_test(tcase, entry_with_one_byte_changed_is_none);
    tcase_add_test(tcase, half_an_entry_is_none);
    tcase_add_test(tcase, entry_of_other_steps_is_none);
    tcase_add_test(tcase, entry_used_longest_ago_goes_first);
    suite_add_tcase(suite, tcase);
    return suite;
}
