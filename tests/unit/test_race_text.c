// The sentences that a student reads about races, word for word.
#include "finding_text.h"

static struct judged_finding race_of(enum access_kind first, enum access_kind second) {
    struct judged_finding finding = finding_of(FINDING_RACE);
    finding.finding.access = first;
    finding.finding.other_access = second;
    finding.finding.line = 13;
    finding.finding.other_line = 22;
    return finding;
}

START_TEST(race_store_then_load_names_the_barrier_after_loading) {
    expect(race_of(ACCESS_WRITE, ACCESS_READ),
           "The barrier after loading is missing: line 13 stores As[3][0], then line 22 "
           "reads it. The first was thread (5, 3, 0), the second thread (0, 3, 0), both "
           "of block (1, 2, 0). Threads run in any order, so the read may come before the "
           "store.",
           "tiled.cu:13: the barrier after loading is missing: line 13 stores As[3][0], "
           "then line 22 reads it.");
}
END_TEST

START_TEST(race_load_then_store_names_the_barrier_after_computing) {
    expect(race_of(ACCESS_READ, ACCESS_WRITE),
           "The barrier after computing is missing: line 13 reads As[3][0], then line 22 "
           "stores it. The first was thread (5, 3, 0), the second thread (0, 3, 0), both "
           "of block (1, 2, 0). Threads run in any order, so a fast thread may overwrite "
           "what a slow one still has to read.",
           "tiled.cu:13: the barrier after computing is missing: line 13 reads As[3][0], "
           "then line 22 stores it.");
}
END_TEST

START_TEST(race_of_two_stores_names_no_barrier) {
    expect(race_of(ACCESS_WRITE, ACCESS_WRITE),
           "Two threads store the same element: line 13 stores As[3][0], then line 22 "
           "stores it. The first was thread (5, 3, 0), the second thread (0, 3, 0), both "
           "of block (1, 2, 0). Threads run in any order, so which value stays is chance.",
           "tiled.cu:13: two threads store the same element: line 13 stores As[3][0], "
           "then line 22 stores it.");
}
END_TEST

START_TEST(race_with_an_atomic_says_what_atomics_order) {
    expect(race_of(ACCESS_ATOMIC, ACCESS_READ),
           "No barrier lies between the two accesses: line 13 changes As[3][0] with an "
           "atomic operation, then line 22 reads it. The first was thread (5, 3, 0), the "
           "second thread (0, 3, 0), both of block (1, 2, 0). An atomic operation is "
           "ordered only with other atomic operations, and one of these is none.",
           "tiled.cu:13: no barrier lies between the two accesses: line 13 changes "
           "As[3][0] with an atomic operation, then line 22 reads it.");
}
END_TEST

START_TEST(race_inside_a_warp_explains_independent_threads) {
    struct judged_finding finding = race_of(ACCESS_WRITE, ACCESS_READ);
    finding.finding.flags = FINDING_SAME_WARP;
    expect(finding,
           "No `__syncwarp` lies between the two accesses: line 13 stores As[3][0], then line "
           "22 reads it. The first was thread (5, 3, 0), the second thread (0, 3, 0), both "
           "of block (1, 2, 0). Threads run in any order, so the read may come before the "
           "store. Both threads belong to one warp, but since Volta the threads of a warp "
           "do not run in lock-step (independent thread scheduling).",
           "tiled.cu:13: no `__syncwarp` lies between the two accesses: line 13 stores "
           "As[3][0], then line 22 reads it.");
}
END_TEST

START_TEST(race_between_blocks_names_both_blocks) {
    struct judged_finding finding = race_of(ACCESS_WRITE, ACCESS_WRITE);
    finding.finding.flags = FINDING_BETWEEN_BLOCKS;
    finding.finding.space = SPACE_GLOBAL;
    finding.finding.array = ARRAY_C;
    finding.finding.offset = 4 * 41;
    finding.finding.other_block[0] = 0;
    expect(finding,
           "Two blocks use one element: line 13 stores C[1][1], then line 22 stores it. "
           "The first was thread (5, 3, 0) of block (1, 2, 0), the second thread (0, 3, "
           "0) of block (0, 2, 0). Blocks run in any order and no barrier orders them, so "
           "the result is chance.",
           "tiled.cu:13: two blocks use one element: line 13 stores C[1][1], then line 22 "
           "stores it.");
}
END_TEST

START_TEST(race_of_equal_values_is_harmless) {
    struct judged_finding finding = race_of(ACCESS_WRITE, ACCESS_WRITE);
    finding.finding.flags = FINDING_SAME_VALUE;
    finding.finding.severity = SEVERITY_WARNING;
    expect(finding,
           "Two threads store the same element: line 13 stores As[3][0], then line 22 "
           "stores it. The first was thread (5, 3, 0), the second thread (0, 3, 0), both "
           "of block (1, 2, 0). All stored the same value, so the result does not change.",
           "tiled.cu:13: two threads store the same element: line 13 stores As[3][0], "
           "then line 22 stores it.");
    ck_assert_int_eq(finding_verdict(&finding.finding), VERDICT_PASS);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("race_text");
    TCase *tests = tcase_create("texts");
    tcase_add_test(tests, race_store_then_load_names_the_barrier_after_loading);
    tcase_add_test(tests, race_load_then_store_names_the_barrier_after_computing);
    tcase_add_test(tests, race_of_two_stores_names_no_barrier);
    tcase_add_test(tests, race_with_an_atomic_says_what_atomics_order);
    tcase_add_test(tests, race_inside_a_warp_explains_independent_threads);
    tcase_add_test(tests, race_between_blocks_names_both_blocks);
    tcase_add_test(tests, race_of_equal_values_is_harmless);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
