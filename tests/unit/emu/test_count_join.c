// Loads of shared memory as the compiler joins them.
#include "emu/count/count.h"

#include <stdlib.h>

#include "emu/count/count_rules.h"
#include "suite.h"  // last: Check has a macro called fail

#define ALL_LANES 0xffffffffu

static struct count_join *join_make(void) {
    struct count_join *join = calloc(1, sizeof *join);
    ck_assert_ptr_nonnull(join);
    return join;
}

// One request in which lane l loads the word at start + l * stride bytes.
static void load(struct count_join *join, uint32_t start, uint32_t stride) {
    uint32_t address[WARP_LANES];
    uint32_t ideal = 0;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        address[lane] = start + lane * stride;
    }
    uint32_t wavefronts = count_wavefronts(address, BANK_BYTES, ALL_LANES, &ideal);
    struct count_pattern pattern = count_pattern_of(address, ALL_LANES, wavefronts);
    count_join_load(join, 0, &pattern, address[0]);
}

START_TEST(four_words_of_one_place_are_one_request) {
    struct count_join *join = join_make();
    for (uint32_t k = 0; k < 16; k++) {
        load(join, 4 * k, 0);  // a broadcast along a row
    }
    count_join_flush(join, 0);
    ck_assert_uint_eq(join->requests, 4);
    ck_assert_uint_eq(join->wavefronts, 8);  // two for each request: halves of a warp never merge
    free(join);
}
END_TEST

START_TEST(order_of_the_words_and_others_between_do_not_matter) {
    struct count_join *join = join_make();
    static const uint32_t order[] = {8, 0, 12, 4};
    for (int i = 0; i < 4; i++) {
        load(join, order[i], 0);
        load(join, 4096 + 128 * (uint32_t)i, 4);  // a row of another array
    }
    count_join_flush(join, 0);
    ck_assert_uint_eq(join->requests, 1 + 4);
    free(join);
}
END_TEST

START_TEST(a_barrier_parts_what_could_be_joined) {
    struct count_join *join = join_make();
    load(join, 0, 0);
    load(join, 4, 0);
    count_join_flush(join, 0);
    load(join, 8, 0);
    load(join, 12, 0);
    count_join_flush(join, 0);
    ck_assert_uint_eq(join->requests, 2);  // two pairs, not one of four
    free(join);
}
END_TEST

START_TEST(two_words_that_start_at_4_are_not_joined) {
    struct count_join *join = join_make();
    load(join, 4, 0);
    load(join, 8, 0);
    count_join_flush(join, 0);
    ck_assert_uint_eq(join->requests, 2);
    free(join);
}
END_TEST

START_TEST(lanes_a_word_apart_are_not_joined) {
    struct count_join *join = join_make();
    for (uint32_t k = 0; k < 4; k++) {
        load(join, 4 * k, 4);  // lanes would need each other's words: no thread loads 16 bytes
    }
    count_join_flush(join, 0);
    ck_assert_uint_eq(join->requests, 4);
    ck_assert_uint_eq(join->wavefronts, 4);
    free(join);
}
END_TEST

START_TEST(a_column_read_four_wide_costs_8_passes_a_word) {
    struct count_join *join = join_make();
    for (uint32_t k = 0; k < 4; k++) {
        load(join, 4 * k, 128);  // 32 wavefronts for each word
    }
    count_join_flush(join, 0);
    ck_assert_uint_eq(join->requests, 1);
    ck_assert_uint_eq(join->wavefronts, 32);
    free(join);
}
END_TEST

START_TEST(the_same_word_again_is_another_load) {
    struct count_join *join = join_make();
    load(join, 0, 0);
    load(join, 0, 0);
    count_join_flush(join, 0);
    ck_assert_uint_eq(join->requests, 2);
    free(join);
}
END_TEST

START_TEST(more_places_than_fit_are_all_counted) {
    struct count_join *join = join_make();
    for (uint32_t i = 0; i < 3 * COUNT_CHUNKS_MAX; i++) {
        load(join, COUNT_CHUNK_BYTES * i, 0);
    }
    count_join_flush(join, 0);
    ck_assert_uint_eq(join->requests, 3 * COUNT_CHUNKS_MAX);
    ck_assert_uint_eq(join->wavefronts, 3 * COUNT_CHUNKS_MAX);
    free(join);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("count_join");
    TCase *tests = tcase_create("join");
    tcase_add_test(tests, four_words_of_one_place_are_one_request);
    tcase_add_test(tests, order_of_the_words_and_others_between_do_not_matter);
    tcase_add_test(tests, a_barrier_parts_what_could_be_joined);
    tcase_add_test(tests, two_words_that_start_at_4_are_not_joined);
    tcase_add_test(tests, lanes_a_word_apart_are_not_joined);
    tcase_add_test(tests, a_column_read_four_wide_costs_8_passes_a_word);
    tcase_add_test(tests, the_same_word_again_is_another_load);
    tcase_add_test(tests, more_places_than_fit_are_all_counted);
    suite_add_tcase(suite, tests);
    return suite;
}
