// The numbers of a reference: kept whole, or not believed.
#include "judge/speed/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "suite.h"  // last: Check has a macro called fail

static char folder[] = "/tmp/tilegrade-facts-XXXXXX";
static char path[PATH_BYTES_MAX];
static struct reference_facts made, found;
static struct error err;

static void set_up(void) {
    memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(path_make(path, &err, "%s/tiled.json", folder), STATUS_OK);
    memset(&made, 0, sizeof made);
    memset(&found, 0, sizeof found);
    memset(made.key, 'a', sizeof made.key - 1);
    made.plan_count = made.size_count = 2;
    for (int i = 0; i < 2; i++) {
        made.plan_size[i] = made.size[i].size = (struct size){16 + i, 32, 64};
        made.plan[i] = (struct planned_launch){
            .is_valid = true, .is_one = i == 0, .blocks = 1ull << 40, .block_threads = 256};
        made.size[i].shared_bytes = 2048;
        made.size[i].launch_count = (uint32_t)i;
        // Each sum differs from the others, so that none can be read in place of another.
        uint64_t next = (uint64_t)i << 50;
#define FIELD_SET(field, text) made.size[i].counts.field = ++next;
        COUNT_FIELDS(FIELD_SET)
        COUNT_JUDGE_FIELDS(FIELD_SET)
#undef FIELD_SET
    }
    ck_assert_int_eq(reference_facts_write(path, &made, &err), STATUS_OK);
}

static void tear_down(void) {
    ck_assert_int_eq(folder_remove(folder, &err), STATUS_OK);
}

static enum status take(bool own) {
    memset(&found, 0, sizeof found);
    return reference_facts_read(path, own, &found, &err);
}

START_TEST(all_numbers_come_back) {
    ck_assert_int_eq(take(true), STATUS_OK);
    ck_assert_mem_eq(&found, &made, sizeof made);
    ck_assert_ptr_eq(reference_facts_find(&found, made.size[1].size), &found.size[1]);
    ck_assert_ptr_null(reference_facts_find(&found, (struct size){16, 32, 65}));
}
END_TEST

START_TEST(a_file_with_one_byte_changed_is_not_believed) {
    char *text = NULL;
    size_t bytes = 0;
    ck_assert_int_eq(file_read(path, FILE_BYTES_MAX, &text, &bytes, &err), STATUS_OK);
    for (size_t i = 0; i < bytes; i += 1 + bytes / 200) {
        text[i] ^= 1;
        ck_assert_int_eq(file_write(path, text, bytes, &err), STATUS_OK);
        ck_assert_msg(take(true) == STATUS_BAD_DATA, "byte %zu", i);
        text[i] ^= 1;
    }
    ck_assert_int_eq(file_write(path, text, bytes / 2, &err), STATUS_OK);
    ck_assert_int_eq(take(true), STATUS_BAD_DATA);
    free(text);
}
END_TEST

START_TEST(a_file_that_others_can_write_is_not_believed) {
    ck_assert_int_eq(chmod(path, 0664), 0);
    ck_assert_int_eq(take(true), STATUS_BAD_DATA);
    ck_assert_int_eq(take(false), STATUS_OK);  // of a handout: it is the student's own
    ck_assert_int_eq(chmod(path, 0644), 0);
    ck_assert_int_eq(take(true), STATUS_OK);
}
END_TEST

START_TEST(a_link_is_not_believed) {
    char other[PATH_BYTES_MAX];
    ck_assert_int_eq(path_make(other, &err, "%s/other.json", folder), STATUS_OK);
    ck_assert_int_eq(rename(path, other), 0);
    ck_assert_int_eq(symlink(other, path), 0);
    ck_assert_int_eq(take(true), STATUS_BAD_DATA);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("reference_facts");
    TCase *tcase = tcase_create("reference_facts");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, all_numbers_come_back);
    tcase_add_test(tcase, a_file_with_one_byte_changed_is_not_believed);
    tcase_add_test(tcase, a_file_that_others_can_write_is_not_believed);
    tcase_add_test(tcase, a_link_is_not_believed);
    suite_add_tcase(suite, tcase);
    return suite;
}
