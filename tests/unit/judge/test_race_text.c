// The sentences that a student reads about races, word for word.
#include "race_text.h"

static const char *too_early = "Threads run in any order, so the read may come before the store.";
static const char *too_late = "Threads run in any order, so a fast thread may overwrite what a "
                              "slow one still has to read.";

START_TEST(race_store_then_load_names_the_barrier_after_loading) {
    const struct judged_finding race = race_of(ACCESS_WRITE, ACCESS_READ);
    says(race,
         "a `__syncthreads()` is missing after loading (between line 13 and line 22): line 13 "
         "stores As[3][0], then line 22 reads it",
         too_early);
    says(in_lines(race, 30, 22),
         "a `__syncthreads()` is missing after loading, before line 22 of the next round: line 30 "
         "stores As[3][0], then line 22 reads it",
         too_early);
    says(in_lines(race, 22, 22),
         "a `__syncthreads()` is missing in line 22, between storing and reading: line 22 stores "
         "As[3][0], then line 22 reads it",
         too_early);
}
END_TEST

START_TEST(race_load_then_store_names_the_barrier_after_computing) {
    const struct judged_finding race = race_of(ACCESS_READ, ACCESS_WRITE);
    says(in_lines(race, 22, 13),
         "a `__syncthreads()` is missing after computing, before line 13 of the next round: line "
         "22 reads As[3][0], then line 13 stores it",
         too_late);
    says(race,
         "a `__syncthreads()` is missing after computing (between line 13 and line 22): line 13 "
         "reads As[3][0], then line 22 stores it",
         too_late);
    says(in_lines(race, 22, 22),
         "a `__syncthreads()` is missing in line 22, between reading and storing: line 22 reads "
         "As[3][0], then line 22 stores it",
         too_late);
}
END_TEST

START_TEST(race_without_lines_still_names_the_barrier) {
    struct judged_finding race = in_lines(race_of(ACCESS_WRITE, ACCESS_READ), 0, 22);
    expect(race,
           "A `__syncthreads()` is missing after loading: an unknown line stores As[3][0], then "
           "line 22 reads it. The first was thread (5, 3, 0), the second thread (0, 3, 0), both "
           "of block (1, 2, 0). Threads run in any order, so the read may come before the "
           "store.",
           "tiled.cu: a `__syncthreads()` is missing after loading: an unknown line stores "
           "As[3][0], then line 22 reads it.");
}
END_TEST

START_TEST(race_of_two_stores_names_no_barrier) {
    const struct judged_finding race = race_of(ACCESS_WRITE, ACCESS_WRITE);
    const char *why = "Threads run in any order, so either value may remain.";
    says(race,
         "two threads store As[3][0]: one in line 13, the other in line 22, and nothing orders "
         "them",
         why);
    says(in_lines(race, 13, 13),
         "two threads store As[3][0], both in line 13, and nothing orders them", why);
}
END_TEST

START_TEST(race_with_an_atomic_says_what_atomics_order) {
    const char *why = "An atomic operation is ordered only with other atomic operations, and one "
                      "of these two accesses is not atomic.";
    says(race_of(ACCESS_ATOMIC, ACCESS_READ),
         "a `__syncthreads()` is missing between line 13 and line 22: line 13 changes As[3][0] "
         "with an atomic operation, then line 22 reads it",
         why);
    says(race_of(ACCESS_WRITE, ACCESS_ATOMIC),
         "a `__syncthreads()` is missing between line 13 and line 22: line 13 stores As[3][0], "
         "then line 22 changes it with an atomic operation",
         why);
    says(in_lines(race_of(ACCESS_READ, ACCESS_ATOMIC), 13, 13),
         "nothing orders these two accesses: line 13 reads As[3][0], then line 13 changes it with "
         "an atomic operation",
         why);
}
END_TEST

START_TEST(race_among_locks_or_arrivals_names_no_barrier) {
    struct judged_finding race = race_of(ACCESS_READ, ACCESS_WRITE);
    race.finding.detail = RACE_AMONG_LOCKS;
    says(race, "nothing orders these two accesses: line 13 reads As[3][0], then line 22 stores it",
         "If a lock guards them, it must be one lock for both threads. One atomic operation must "
         "take it, and a fence is needed after that and before the lock is opened. If no lock "
         "guards them, they need a barrier between them.");
    race.finding.detail = RACE_LACKS_WARP;
    says(race,
         "a `__syncwarp()` is missing before one lane arrives at the mbarrier for its warp: line "
         "13 reads As[3][0], then line 22 stores it",
         "An arrival hands on what its own thread has done, and what a barrier has ordered before "
         "it. Since Volta the lanes of a warp do not run in lock-step, so others may still read.");
    race = race_of(ACCESS_WRITE, ACCESS_READ);
    race.finding.detail = RACE_RELAXED;
    says(race,
         "the arrival between these two accesses is relaxed, so it hands on no store: line 13 "
         "stores As[3][0], then line 22 reads it",
         "Threads that wait for a relaxed arrival may overwrite what its thread has read, but may "
         "not yet see what it has stored.");
}
END_TEST

START_TEST(race_in_global_memory_speaks_of_no_tiles) {
    struct judged_finding race = race_of(ACCESS_WRITE, ACCESS_READ);
    race.finding.space = SPACE_GLOBAL;
    race.finding.array = ARRAY_C;
    race.finding.offset = 4 * 41;
    says(race,
         "a `__syncthreads()` is missing between line 13 and line 22: line 13 stores C[1][1], "
         "then line 22 reads it",
         too_early);
}
END_TEST

START_TEST(race_inside_a_warp_explains_independent_threads) {
    struct judged_finding finding = race_of(ACCESS_WRITE, ACCESS_READ);
    finding.finding.flags = FINDING_SAME_WARP;
    says(finding,
         "a `__syncwarp()` is missing between line 13 and line 22: line 13 stores As[3][0], then "
         "line 22 reads it",
         "Threads run in any order, so the read may come before the store. Both threads belong "
         "to one warp, but since Volta the threads of a warp do not run in lock-step "
         "(independent thread scheduling).");
    finding.finding.detail = RACE_AMONG_PHASES;
    says(finding,
         "nothing orders these two accesses: line 13 stores As[3][0], then line 22 reads it",
         "An mbarrier orders them if the thread of the first access arrives after it, and the "
         "thread of the second one waits for that phase before it. Both threads belong to one "
         "warp, so `__syncwarp()` orders them too.");
    finding.finding.flags = 0;
    says(finding,
         "nothing orders these two accesses: line 13 stores As[3][0], then line 22 reads it",
         "An mbarrier orders them if the thread of the first access arrives after it, and the "
         "thread of the second one waits for that phase before it. A barrier of the block orders "
         "them too.");
}
END_TEST

// A line with two accesses, and what to mark for each.
static struct judged_finding in_statement(const char *text, struct source_span mark,
                                          struct source_span other) {
    struct judged_finding race = in_lines(race_of(ACCESS_READ, ACCESS_WRITE), 22, 22);
    (void)snprintf(race.shown.text, sizeof race.shown.text, "%s", text);
    (void)snprintf(race.other_shown.text, sizeof race.other_shown.text, "%s", text);
    race.shown.mark = mark;
    race.other_shown.mark = other;
    return race;
}

START_TEST(race_of_a_statement_that_changes_an_element_names_no_barrier) {
    const struct source_span target = {0, 8};
    static const char *const clause = "several threads change As[3][0] in line 22 at the same "
                                      "time: each reads it, then stores it";
    static const char *const why =
        "A change is lost if another thread reads before it is stored. An atomic operation does "
        "it in one step; otherwise no two threads may change the same element.";
    const struct source_span element = {0, 6};
    says(in_statement("s[key] += 1;", element, element), clause, why);
    says(in_statement("s[key]++;", element, (struct source_span){6, 1}), clause, why);
    says(in_statement("s[t + 0] += s[t + k];", (struct source_span){12, 8}, target),
         "a `__syncthreads()` is missing in line 22, between reading and storing: line 22 reads "
         "As[3][0], then line 22 stores it",
         too_late);
}
END_TEST

START_TEST(race_of_two_functions_does_not_speak_of_rounds) {
    struct judged_finding race = in_lines(race_of(ACCESS_WRITE, ACCESS_READ), 30, 22);
    race.barrier.is_apart = true;
    says(race,
         "a `__syncthreads()` is missing after loading: line 30 stores As[3][0], then line 22 "
         "reads it",
         too_early);
}
END_TEST

static struct judged_finding race_of_blocks(enum access_kind first, enum access_kind second) {
    struct judged_finding finding = race_of(first, second);
    finding.finding.flags = FINDING_BETWEEN_BLOCKS;
    finding.finding.space = SPACE_GLOBAL;
    finding.finding.array = ARRAY_C;
    finding.finding.offset = 4 * 41;
    finding.finding.other_block[0] = 0;
    return finding;
}

START_TEST(race_between_blocks_names_both_blocks) {
    who = "The first was thread (5, 3, 0) of block (1, 2, 0), the second thread (0, 3, 0) of block "
          "(0, 2, 0).";
    const char *why =
        "Blocks run in any order and no barrier orders them, so the result is unpredictable.";
    says(race_of_blocks(ACCESS_WRITE, ACCESS_WRITE),
         "C[1][1] is written by two blocks, (1, 2) and (0, 2)", why);
    expect(race_of_blocks(ACCESS_WRITE, ACCESS_READ),
           "Block (1, 2) stores C[1][1] in line 13, and block (0, 2) reads it in line 22: nothing "
           "orders two blocks. The first was thread (5, 3, 0) of block (1, 2, 0), the second "
           "thread (0, 3, 0) of block (0, 2, 0). Blocks run in any order and no barrier orders "
           "them, so the result is unpredictable.",
           "tiled.cu:13: block (1, 2) stores C[1][1] in line 13, and block (0, 2) reads it in "
           "line 22: nothing orders two blocks.");
    expect(race_of_blocks(ACCESS_READ, ACCESS_ATOMIC),
           "Block (1, 2) reads C[1][1] in line 13, and block (0, 2) changes it with an atomic "
           "operation in line 22: nothing orders two blocks. The first was thread (5, 3, 0) of "
           "block (1, 2, 0), the second thread (0, 3, 0) of block (0, 2, 0). Blocks run in any "
           "order and no barrier orders them, so the result is unpredictable.",
           "tiled.cu:13: block (1, 2) reads C[1][1] in line 13, and block (0, 2) changes it with "
           "an atomic operation in line 22: nothing orders two blocks.");
}
END_TEST

START_TEST(blocks_have_a_third_index_where_the_grid_has) {
    struct judged_finding finding = race_of_blocks(ACCESS_WRITE, ACCESS_WRITE);
    finding.finding.other_block[2] = 1;
    who = "The first was thread (5, 3, 0) of block (1, 2, 0), the second thread (0, 3, 0) of block "
          "(0, 2, 1).";
    says(finding, "C[1][1] is written by two blocks, (1, 2, 0) and (0, 2, 1)",
         "Blocks run in any order and no barrier orders them, so the result is unpredictable.");
}
END_TEST

START_TEST(a_read_before_the_store_of_another_block_names_both) {
    struct judged_finding finding = race_of(ACCESS_READ, ACCESS_WRITE);
    finding.finding.kind = FINDING_UNINITIALIZED;
    finding.finding.flags = FINDING_BETWEEN_BLOCKS;
    finding.finding.space = SPACE_GLOBAL;
    finding.finding.array = ARRAY_WORKSPACE;
    finding.finding.offset = 8;
    memset(finding.finding.other_block, 0, sizeof finding.finding.other_block);
    expect(finding,
           "Block (1, 2, 0) reads workspace[2] in line 13 before the first block stores it in line "
           "22. The first was thread (5, 3, 0) of block (1, 2, 0), the second thread (0, 3, 0) of "
           "the first block. The block that reads must wait until the value is there, and the "
           "other one must store it before it says so. If it is a flag or a counter, an earlier "
           "launch must store its first value.",
           "tiled.cu:13: block (1, 2, 0) reads workspace[2] in line 13 before the first block "
           "stores it in line 22.");
}
END_TEST

START_TEST(race_of_equal_values_is_harmless) {
    const char *why = "All threads stored the same value, so the result does not change, but the "
                      "same work is done more than once.";
    struct judged_finding finding = race_of(ACCESS_WRITE, ACCESS_WRITE);
    finding.finding.flags = FINDING_SAME_VALUE;
    finding.finding.severity = SEVERITY_NOTE;
    says(finding,
         "two threads store the same value to As[3][0]: one in line 13, the other in line 22, and "
         "nothing orders them",
         why);
    ck_assert_int_eq(finding_verdict(&finding.finding), VERDICT_PASS);
    finding = race_of_blocks(ACCESS_WRITE, ACCESS_WRITE);
    finding.finding.flags |= FINDING_SAME_VALUE;
    finding.finding.severity = SEVERITY_NOTE;
    who = "The first was thread (5, 3, 0) of block (1, 2, 0), the second thread (0, 3, 0) of block "
          "(0, 2, 0).";
    says(finding, "C[1][1] is written by two blocks, (1, 2) and (0, 2), with the same value", why);
}
END_TEST

START_TEST(race_that_a_barrier_does_not_end_names_none) {
    struct judged_finding race = race_of(ACCESS_WRITE, ACCESS_READ);
    race.barrier.use = BARRIER_UNPROVED;
    says(race, "nothing orders these two accesses: line 13 stores As[3][0], then line 22 reads it",
         too_early);
    race = race_of(ACCESS_READ, ACCESS_WRITE);
    race.barrier.use = BARRIER_IN_ROUND;
    race.barrier.round_before = 12;
    says(race,
         "a `__syncthreads()` is missing before line 12 of the next round: line 13 reads "
         "As[3][0], then line 22 stores it",
         "Threads run in any order, so one may be in the next round while another is still in this "
         "one.");
    race.barrier.use = BARRIER_UNPROVED;
    race.barrier.branch_line = 9;
    says(race, "nothing orders these two accesses: line 13 reads As[3][0], then line 22 stores it",
         "Threads run in any order, so a fast thread may overwrite what a slow one still has to "
         "read. A barrier between these two lines would be under the condition of line 9, which "
         "may differ between threads. All threads must reach a barrier.");
}
END_TEST

SUITE() {
    Suite *suite = suite_create("race_text");
    TCase *tests = tcase_create("texts");
    tcase_add_test(tests, race_store_then_load_names_the_barrier_after_loading);
    tcase_add_test(tests, race_load_then_store_names_the_barrier_after_computing);
    tcase_add_test(tests, race_without_lines_still_names_the_barrier);
    tcase_add_test(tests, race_of_two_stores_names_no_barrier);
    tcase_add_test(tests, race_with_an_atomic_says_what_atomics_order);
    tcase_add_test(tests, race_among_locks_or_arrivals_names_no_barrier);
    tcase_add_test(tests, race_in_global_memory_speaks_of_no_tiles);
    tcase_add_test(tests, race_inside_a_warp_explains_independent_threads);
    tcase_add_test(tests, race_of_a_statement_that_changes_an_element_names_no_barrier);
    tcase_add_test(tests, race_of_two_functions_does_not_speak_of_rounds);
    tcase_add_test(tests, race_between_blocks_names_both_blocks);
    tcase_add_test(tests, blocks_have_a_third_index_where_the_grid_has);
    tcase_add_test(tests, a_read_before_the_store_of_another_block_names_both);
    tcase_add_test(tests, race_of_equal_values_is_harmless);
    tcase_add_test(tests, race_that_a_barrier_does_not_end_names_none);
    suite_add_tcase(suite, tests);
    return suite;
}
