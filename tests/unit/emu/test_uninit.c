// The checker of uninitialised reads: by byte, by block.
#include "emu/check/uninit.h"

#include "rig.h"
#include "suite.h"

static struct rig rig;
static struct uninit *uninit;

static void next_block(uint32_t x, uint32_t y) {
    struct block_place place = rig_block(x, y);
    uninit_block_begin(uninit, &place);
}

static void begin(void) {
    rig_init(&rig);
    uninit = NULL;
    ck_assert_int_eq(vault_need(&uninit, sizeof *uninit, NULL), STATUS_OK);
    ck_assert_int_eq(uninit_launch_begin(uninit, &rig.shape, &rig.findings, NULL), STATUS_OK);
    next_block(0, 0);
}

static void done(void) {
    rig_done(&rig);
}

static void touch(enum memory_space space, uint32_t array, int64_t offset, uint32_t bytes,
                  enum access_kind kind) {
    struct access access = rig_access(&rig, space, array, offset, bytes, kind, 33, 0x700);
    uninit_access(uninit, &access);
}

static void load(int64_t offset, uint32_t bytes) {
    touch(SPACE_SHARED, RIG_TILE, offset, bytes, ACCESS_READ);
}

static void store(int64_t offset, uint32_t bytes) {
    touch(SPACE_SHARED, RIG_TILE, offset, bytes, ACCESS_WRITE);
}

START_TEST(read_after_write_is_clean) {
    store(8, 4);
    load(8, 4);
    load(10, 2);
    load(11, 1);
    ck_assert_uint_eq(rig.findings.count, 0);
}
END_TEST

START_TEST(read_before_any_write_is_found) {
    store(8, 4);
    load(12, 4);
    const struct finding *f = &rig.findings.list[0];
    ck_assert_uint_eq(rig.findings.count, 1);
    ck_assert_uint_eq(f->kind, FINDING_UNINITIALIZED);
    ck_assert_uint_eq(f->severity, SEVERITY_ERROR);
    ck_assert_uint_eq(f->pc, 0x700);
    ck_assert_uint_eq(f->space, SPACE_SHARED);
    ck_assert_uint_eq(f->array, RIG_TILE);
    ck_assert_int_eq(f->offset, 12);
    ck_assert_uint_eq(f->thread[0], 1);
    ck_assert_uint_eq(f->thread[1], 4);
}
END_TEST

START_TEST(what_another_block_wrote_does_not_count) {
    store(0, 4);
    next_block(1, 0);
    load(0, 4);
    ck_assert_uint_eq(rig.findings.count, 1);
    ck_assert_uint_eq(rig.findings.list[0].block[0], 1);
}
END_TEST

START_TEST(what_another_launch_wrote_does_not_count) {
    store(0, 4);
    ck_assert_int_eq(uninit_launch_begin(uninit, &rig.shape, &rig.findings, NULL), STATUS_OK);
    next_block(0, 0);
    load(0, 4);
    ck_assert_uint_eq(rig.findings.count, 1);
}
END_TEST

START_TEST(one_missing_byte_is_found) {
    store(0, 2);
    store(3, 1);
    load(0, 2);
    load(3, 1);
    ck_assert_uint_eq(rig.findings.count, 0);
    load(0, 4);
    ck_assert_uint_eq(rig.findings.count, 1);
    ck_assert_int_eq(rig.findings.list[0].offset, 2);
}
END_TEST

START_TEST(four_bytes_make_a_word) {
    for (int64_t offset = 0; offset < 4; offset++) {
        store(offset, 1);
    }
    load(0, 4);
    ck_assert_uint_eq(rig.findings.count, 0);
}
END_TEST

START_TEST(vectors_cover_all_their_words) {
    store(16, 16);
    load(16, 16);
    load(28, 4);
    ck_assert_uint_eq(rig.findings.count, 0);
    load(24, 16);
    ck_assert_uint_eq(rig.findings.count, 1);
    ck_assert_int_eq(rig.findings.list[0].offset, 32);
}
END_TEST

START_TEST(atomic_reads_and_then_writes) {
    touch(SPACE_SHARED, RIG_TILE, 0, 4, ACCESS_ATOMIC);
    ck_assert_uint_eq(rig.findings.count, 1);
    load(0, 4);
    ck_assert_uint_eq(rig.findings.list[0].count, 1);
}
END_TEST

START_TEST(two_arrays_are_two_memories) {
    store(0, 4);
    touch(SPACE_SHARED, RIG_FLAGS, 0, 4, ACCESS_READ);
    ck_assert_uint_eq(rig.findings.count, 1);
    ck_assert_uint_eq(rig.findings.list[0].array, RIG_FLAGS);
}
END_TEST

START_TEST(global_memory_and_out_of_bounds_are_left_to_others) {
    touch(SPACE_GLOBAL, ARRAY_C, 0, 4, ACCESS_READ);
    load(RIG_BYTES, 4);
    load(-4, 4);
    ck_assert_uint_eq(rig.findings.count, 0);
}
END_TEST

START_TEST(many_blocks_do_not_wear_the_stamps_out) {
    uninit->block_stamp = 0xffffffffu;  // the last block number
    store(0, 4);
    load(0, 4);
    ck_assert_uint_eq(rig.findings.count, 0);
    next_block(0, 1);
    load(0, 4);
    ck_assert_uint_eq(rig.findings.count, 1);
    store(0, 4);
    load(0, 4);
    ck_assert_uint_eq(rig.findings.list[0].count, 1);
}
END_TEST

// struct { float; char; } and struct { char; double; }.
static const uint8_t padded[] = {8,  0, 0, 0, 0, 0, 0, 1, 1, 1,                          //
                                 16, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0,  //
                                 0,  0};

static void load_copied(int64_t offset, uint32_t bytes, uint32_t copy_bytes, uint32_t copy_at) {
    struct access access =
        rig_access(&rig, SPACE_SHARED, RIG_TILE, offset, bytes, ACCESS_READ, 33, 0x700);
    access.copy_bytes = copy_bytes;
    access.copy_at = copy_at;
    uninit_access(uninit, &access);
}

START_TEST(padding_of_a_copy_is_no_byte_to_write) {
    uninit->padding = padded;
    store(0, 5);
    load(0, 8);               // in one piece
    load_copied(4, 4, 8, 4);  // in two
    store(16, 1);
    load_copied(16, 4, 16, 0);
    load_copied(20, 4, 16, 4);
    ck_assert_uint_eq(rig.findings.count, 0);
}
END_TEST

START_TEST(member_beside_padding_has_to_be_written) {
    uninit->padding = padded;
    store(0, 4);
    load(0, 8);  // the char too
    ck_assert_uint_eq(rig.findings.count, 1);
    ck_assert_int_eq(rig.findings.list[0].offset, 4);
    load_copied(20, 4, 8, 4);
    ck_assert_uint_eq(rig.findings.list[0].count, 2);
    load_copied(24, 4, 16, 8);
    ck_assert_uint_eq(rig.findings.list[0].count, 3);
}
END_TEST

START_TEST(load_of_one_member_is_no_copy_with_padding) {
    uninit->padding = padded;
    load(8, 8);  // a double
    ck_assert_uint_eq(rig.findings.count, 1);
}
END_TEST

START_TEST(copy_at_an_unknown_place_goes_by_the_elements_of_the_array) {
    uninit->padding = padded;
    store(0, 1);
    load_copied(8, 8, COPY_OF_UNKNOWN, 0);
    ck_assert_uint_eq(rig.findings.count, 1);
    rig.shared.array[RIG_TILE].element_bytes = 16;
    load_copied(4, 4, COPY_OF_UNKNOWN, 0);
    ck_assert_uint_eq(rig.findings.list[0].count, 1);
    load_copied(8, 4, COPY_OF_UNKNOWN, 0);
    ck_assert_uint_eq(rig.findings.list[0].count, 2);
}
END_TEST

SUITE() {
    const TTest *const tests[] = {
        read_after_write_is_clean,
        read_before_any_write_is_found,
        what_another_block_wrote_does_not_count,
        what_another_launch_wrote_does_not_count,
        one_missing_byte_is_found,
        four_bytes_make_a_word,
        vectors_cover_all_their_words,
        atomic_reads_and_then_writes,
        two_arrays_are_two_memories,
        global_memory_and_out_of_bounds_are_left_to_others,
        many_blocks_do_not_wear_the_stamps_out,
        padding_of_a_copy_is_no_byte_to_write,
        member_beside_padding_has_to_be_written,
        load_of_one_member_is_no_copy_with_padding,
        copy_at_an_unknown_place_goes_by_the_elements_of_the_array,
    };
    Suite *suite = suite_create("uninit");
    TCase *tcase = tcase_create("uninit");
    tcase_add_checked_fixture(tcase, begin, done);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        tcase_add_test(tcase, tests[i]);
    }
    suite_add_tcase(suite, tcase);
    return suite;
}
