// The bounds checker: the last byte inside, the first one outside, and stores to the inputs.
#include "emu/check/address_checks.h"

#include "rig.h"
#include "suite.h"

static struct rig rig;
static const struct block_place place = {.index = {1, 0, 0}, .linear = 1};

static void begin(void) {
    rig_init(&rig);
}

static void done(void) {
    rig_done(&rig);
}

static bool touch(enum memory_space space, uint32_t array, int64_t offset, enum access_kind kind) {
    struct access access = rig_access(&rig, space, array, offset, 4, kind, 17, 0x500);
    return bounds_access(&rig.findings, &rig.shape, &place, &access);
}

START_TEST(first_and_last_element_are_clean) {
    ck_assert(!touch(SPACE_GLOBAL, ARRAY_A, 0, ACCESS_READ));
    ck_assert(!touch(SPACE_GLOBAL, ARRAY_C, RIG_BYTES - 4, ACCESS_WRITE));
    ck_assert(!touch(SPACE_GLOBAL, ARRAY_C, 0, ACCESS_ATOMIC));
    ck_assert(!touch(SPACE_SHARED, RIG_TILE, RIG_BYTES - 4, ACCESS_WRITE));
    ck_assert_uint_eq(rig.findings.count, 0);
}
END_TEST

START_TEST(element_behind_the_end_is_out_of_bounds) {
    ck_assert(touch(SPACE_GLOBAL, ARRAY_C, RIG_BYTES, ACCESS_WRITE));
    const struct finding *f = &rig.findings.list[0];
    ck_assert_uint_eq(rig.findings.count, 1);
    ck_assert_uint_eq(f->kind, FINDING_OUT_OF_BOUNDS);
    ck_assert_uint_eq(f->severity, SEVERITY_ERROR);
    ck_assert_uint_eq(f->array, ARRAY_C);
    ck_assert_int_eq(f->offset, RIG_BYTES);
    ck_assert_uint_eq(f->array_bytes, RIG_BYTES);
    ck_assert_uint_eq(f->access, ACCESS_WRITE);
    ck_assert_uint_eq(f->block[0], 1);
    ck_assert_uint_eq(f->thread[0], 1);
    ck_assert_uint_eq(f->thread[1], 2);
}
END_TEST

START_TEST(element_before_the_start_is_out_of_bounds) {
    ck_assert(touch(SPACE_SHARED, RIG_TILE, -4, ACCESS_READ));
    ck_assert_int_eq(rig.findings.list[0].offset, -4);
    ck_assert_uint_eq(rig.findings.list[0].space, SPACE_SHARED);
    ck_assert_uint_eq(rig.findings.list[0].flags, 0);
}
END_TEST

START_TEST(element_across_the_end_is_out_of_bounds) {
    ck_assert(touch(SPACE_GLOBAL, ARRAY_A, RIG_BYTES - 2, ACCESS_READ));
    ck_assert_uint_eq(rig.findings.count, 1);
}
END_TEST

START_TEST(dynamic_array_is_named_as_such) {
    rig.shared.array[RIG_TILE].is_dynamic = 1;
    ck_assert(touch(SPACE_SHARED, RIG_TILE, RIG_BYTES, ACCESS_READ));
    ck_assert_uint_eq(rig.findings.list[0].detail, OUTSIDE_DYNAMIC);
}
END_TEST

START_TEST(store_to_an_input_is_found_and_let_through) {
    ck_assert(!touch(SPACE_GLOBAL, ARRAY_A, 0, ACCESS_WRITE));
    ck_assert(!touch(SPACE_GLOBAL, ARRAY_B, 0, ACCESS_ATOMIC));
    ck_assert_uint_eq(rig.findings.count, 2);
    ck_assert_uint_eq(rig.findings.list[0].kind, FINDING_INPUT_WRITTEN);
    ck_assert_uint_eq(rig.findings.list[1].array, ARRAY_B);
}
END_TEST

START_TEST(store_behind_an_input_is_out_of_bounds) {
    ck_assert(touch(SPACE_GLOBAL, ARRAY_A, RIG_BYTES, ACCESS_WRITE));
    ck_assert_uint_eq(rig.findings.list[0].kind, FINDING_OUT_OF_BOUNDS);
}
END_TEST

SUITE() {
    const TTest *const tests[] = {
        first_and_last_element_are_clean,
        element_behind_the_end_is_out_of_bounds,
        element_before_the_start_is_out_of_bounds,
        element_across_the_end_is_out_of_bounds,
        dynamic_array_is_named_as_such,
        store_to_an_input_is_found_and_let_through,
        store_behind_an_input_is_out_of_bounds,
    };
    Suite *suite = suite_create("bounds");
    TCase *tcase = tcase_create("bounds");
    tcase_add_checked_fixture(tcase, begin, done);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        tcase_add_test(tcase, tests[i]);
    }
    suite_add_tcase(suite, tcase);
    return suite;
}
