// Which bytes of the workspace count as written, and what a read of the others becomes.
#include "emu/check/uninit.h"

#include "emu/memory/kernel_memory.h"
#include "rig.h"
#include "suite.h"  // last: Check has a macro called fail

static struct rig rig;
static struct workspace workspace;
static const struct block_place place = {.index = {1, 1, 0}, .linear = 3};

static void setup(void) {
    rig_init(&rig);
    memset(rig.global[ARRAY_WORKSPACE], SHARED_JUNK, RIG_BYTES);
    workspace = (struct workspace){.written = NULL};
    ck_assert_int_eq(workspace_begin(&workspace, RIG_BYTES, NULL), STATUS_OK);
}

static void teardown(void) {
    rig_done(&rig);
}

// Returns the findings after one access.
static uint32_t touch(int64_t offset, uint32_t bytes, enum access_kind kind) {
    const struct access access =
        rig_access(&rig, SPACE_GLOBAL, ARRAY_WORKSPACE, offset, bytes, kind, 9, 0x100);
    workspace_access(&workspace, &rig.findings, &rig.shape, &place, &access);
    return rig.findings.count;
}

// The place of the store that the finding says came too late; 0: none.
static uint64_t late(int64_t offset, uint32_t bytes, const struct block_place *block) {
    const struct access access =
        rig_access(&rig, SPACE_GLOBAL, ARRAY_WORKSPACE, offset, bytes, ACCESS_WRITE, 5, 0x200);
    workspace_access(&workspace, &rig.findings, &rig.shape, block, &access);
    ck_assert_uint_eq(rig.findings.count, 1);
    return rig.findings.list[0].other_pc;
}

START_TEST(what_was_stored_may_be_read) {
    ck_assert_uint_eq(touch(RIG_BYTES - 4, 4, ACCESS_WRITE), 0);
    ck_assert_uint_eq(touch(RIG_BYTES - 4, 4, ACCESS_READ), 0);
    ck_assert_uint_eq(touch(16, 16, ACCESS_WRITE), 0);
    for (int64_t offset = 16; offset < 32; offset += 4) {
        ck_assert_uint_eq(touch(offset, 4, ACCESS_READ), 0);
    }
    ck_assert_uint_eq(touch(24, 8, ACCESS_ATOMIC), 0);
}
END_TEST

START_TEST(a_read_of_the_next_word_is_found) {
    (void)touch(8, 4, ACCESS_WRITE);
    ck_assert_uint_eq(touch(12, 4, ACCESS_READ), 1);
    const struct finding *f = &rig.findings.list[0];
    ck_assert_uint_eq(f->kind, FINDING_UNINITIALIZED);
    ck_assert_uint_eq(f->severity, SEVERITY_ERROR);
    ck_assert_uint_eq(f->space, SPACE_GLOBAL);
    ck_assert_uint_eq(f->array, ARRAY_WORKSPACE);
    ck_assert_int_eq(f->offset, 12);
    ck_assert_uint_eq(f->array_bytes, RIG_BYTES);
    ck_assert_uint_eq(f->block[0], 1);
    ck_assert_uint_eq(f->thread[0], 1);
    ck_assert_uint_eq(f->thread[1], 1);
}
END_TEST

START_TEST(a_wide_read_names_its_first_byte_that_is_missing) {
    (void)touch(32, 4, ACCESS_WRITE);
    (void)touch(36, 2, ACCESS_WRITE);
    ck_assert_uint_eq(touch(36, 2, ACCESS_READ), 0);
    ck_assert_uint_eq(touch(32, 16, ACCESS_READ), 1);
    ck_assert_int_eq(rig.findings.list[0].offset, 38);
}
END_TEST

START_TEST(an_atomic_operation_reads_before_it_writes) {
    ck_assert_uint_eq(touch(64, 4, ACCESS_ATOMIC), 1);
    ck_assert_uint_eq(touch(64, 4, ACCESS_READ), 1);
}
END_TEST

START_TEST(a_store_of_another_block_comes_too_late) {
    const struct block_place other = {.index = {0, 1, 0}, .linear = 2};
    const struct finding *f = &rig.findings.list[0];
    (void)touch(64, 4, ACCESS_READ);
    ck_assert_uint_eq(late(68, 4, &other), 0);
    ck_assert_uint_eq(late(64, 4, &other), 0x200);
    ck_assert_uint_eq(f->other_block[0], 0);
    ck_assert_uint_eq(f->other_block[1], 1);
    ck_assert_uint_eq(f->other_access, ACCESS_WRITE);
    ck_assert_uint_eq(f->flags, FINDING_BETWEEN_BLOCKS);
    ck_assert_uint_eq(touch(64, 4, ACCESS_READ), 1);
}
END_TEST

START_TEST(a_store_of_the_block_itself_is_not_too_late) {
    const struct block_place other = {.index = {0, 1, 0}, .linear = 2};
    (void)touch(64, 4, ACCESS_READ);
    ck_assert_uint_eq(late(64, 4, &place), 0);
    ck_assert_uint_eq(late(64, 4, &other), 0);
}
END_TEST

START_TEST(a_store_of_a_later_launch_is_not_too_late) {
    const struct block_place other = {.index = {0, 1, 0}, .linear = 2};
    (void)touch(64, 4, ACCESS_READ);
    workspace_launch_begin(&workspace);
    ck_assert_uint_eq(late(64, 4, &other), 0);
}
END_TEST

START_TEST(a_new_product_begins_with_nothing) {
    (void)touch(0, 4, ACCESS_WRITE);
    ck_assert_int_eq(workspace_begin(&workspace, RIG_BYTES / 2, NULL), STATUS_OK);
    ck_assert_uint_eq(touch(0, 4, ACCESS_READ), 1);
}
END_TEST

// A store without a callback of the compiler is recognised by the changed bytes.
START_TEST(memory_that_holds_something_was_stored) {
    workspace.sees_memory = true;
    rig.global[ARRAY_WORKSPACE][40] = 7;
    ck_assert_uint_eq(touch(40, 4, ACCESS_READ), 0);
    ck_assert_uint_eq(touch(44, 4, ACCESS_READ), 1);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("workspace");
    TCase *tcase = tcase_create("workspace");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, what_was_stored_may_be_read);
    tcase_add_test(tcase, a_read_of_the_next_word_is_found);
    tcase_add_test(tcase, a_wide_read_names_its_first_byte_that_is_missing);
    tcase_add_test(tcase, an_atomic_operation_reads_before_it_writes);
    tcase_add_test(tcase, a_store_of_another_block_comes_too_late);
    tcase_add_test(tcase, a_store_of_the_block_itself_is_not_too_late);
    tcase_add_test(tcase, a_store_of_a_later_launch_is_not_too_late);
    tcase_add_test(tcase, a_new_product_begins_with_nothing);
    tcase_add_test(tcase, memory_that_holds_something_was_stored);
    suite_add_tcase(suite, tcase);
    return suite;
}
