// Where a missing barrier belongs, and where nothing is said.
#include "judge/code/barrier_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"  // last: Check has a macro called fail

#define HEAD                                                                                       \
    "__global__ void k(const float *A, const float *B, float *C, int M, int N, int K) {\n"         \
    "    int tx = threadIdx.x; int row = tx; const int tiles = ceil_div(K, 16);\n"

// Lines 3 on.  The first accesses are those of S1 and S2, the second ones of R1 and R2; those that
// a text lacks have no race.
static const struct {
    const char *text;
    bool reads_first;
    int findings;  // after it
    uint32_t after, before;
} cases[] = {
    {HEAD "    for (int t = 0; t < tiles; ++t) {\n"
          "        S1[tx] = A[t];\n"
          "        S2[tx] = B[t];\n"
          "        for (int k = 0; k < 16; ++k) {\n"
          "            acc += R1[k] * R2[k];\n"
          "        }\n"
          "    }\n"
          "}\n",
     false, 1, 5, 6},
    {HEAD "    for (int t = 0; t < tiles; ++t) {\n"
          "        R1[tx] = A[t];\n"
          "        R2[tx] = B[t];\n"
          "        __syncthreads();\n"
          "        for (int k = 0; k < 16; ++k) {\n"
          "            acc += S1[k] * S2[k];\n"
          "        }\n"
          "    }\n"
          "}\n",
     true, 1, 9, 4},
    {HEAD "    if (tx < 16) {\n"
          "        S1[tx] = A[tx];\n"
          "    }\n"
          "    C[tx] = R1[15 - tx];\n"
          "}\n",
     false, 1, 5, 6},
    // The read was seen first, but nothing leads from it back to the store …
    {HEAD "    if (tx < 16) {\n"
          "        R1[tx] = A[tx];\n"
          "    }\n"
          "    C[tx] = S1[15 - tx];\n"
          "}\n",
     true, 1, 5, 6},
    // … also in a function that each kernel calls once,
    {"__device__ void f() {\n"
     "    R1[tx] = A[tx];\n"
     "    C[tx] = S1[15 - tx];\n"
     "}\n" HEAD "    f();\n"
     "}\n",
     true, 1, 2, 3},
    // but not if it may come back.
    {"__device__ void f() {\n"
     "    R1[tx] = A[tx];\n"
     "    C[tx] = S1[15 - tx];\n"
     "}\n" HEAD "    f();\n"
     "    f();\n"
     "}\n",
     true, 1, 0, 0},
    {HEAD "    do {\n"
          "        R1[tx] = A[tx];\n"
          "        C[tx] = S1[15 - tx];\n"
          "    } while (row < M);\n"
          "}\n",
     true, 1, 0, 0},
    // The condition of an `if` reads what a thread has stored before …
    {HEAD "    if (tx == 0) {\n"
          "        R1[0] = A[tx];\n"
          "    }\n"
          "    if (S1[0] > 0.0f && row == 0) {\n"
          "        C[tx] = 1.0f;\n"
          "    }\n"
          "}\n",
     true, 1, 5, 6},
    // … but a barrier has no place after the condition, nor before that of a loop.
    {HEAD "    if (S1[0] > 0.0f) {\n"
          "        C[tx] = 1.0f;\n"
          "    }\n"
          "    R1[tx] = A[tx];\n"
          "}\n",
     true, 1, 0, 0},
    {HEAD "    for (int t = 0; t < tiles; ++t) {\n"
          "        R1[0] = A[tx];\n"
          "        if (S1[0] > 0.0f) {\n"
          "            C[tx] = 1.0f;\n"
          "        }\n"
          "    }\n"
          "}\n",
     true, 1, 0, 0},
    // Two barriers: no place is in both gaps.
    {HEAD "    S1[tx] = A[tx];\n"
          "    C[tx] = R1[15 - tx];\n"
          "    S2[tx] = B[tx];\n"
          "    C[tx] += R2[15 - tx];\n"
          "}\n",
     false, 2, 3, 4},
    // Only some threads would come there.
    {HEAD "    if (row < M) {\n"
          "        S1[tx] = A[tx];\n"
          "        C[tx] = R1[15 - tx];\n"
          "    }\n"
          "}\n",
     false, 1, 0, 0},
    {HEAD "    if (row >= M) return;\n"
          "    S1[tx] = A[tx];\n"
          "    C[tx] = R1[15 - tx];\n"
          "}\n",
     false, 1, 0, 0},
    {HEAD "    for (int i = tx; i < N; i += 16) {\n"
          "        S1[tx] = A[i];\n"
          "        C[i] = R1[15 - tx];\n"
          "    }\n"
          "}\n",
     false, 1, 0, 0},
    // All threads would.
    {HEAD "    for (int s = blockDim.x / 2; s > 0; s /= 2) {\n"
          "        if (tx < s) { S1[tx] = R1[tx + s]; }\n"
          "    }\n"
          "}\n",
     false, 1, 0, 0},  // one line: it has no gap
    {HEAD "    for (int s = blockDim.x / 2; s > 0; s /= 2) {\n"
          "        if (tx < s) {\n"
          "            S1[tx] +=\n"
          "                R1[tx + s];\n"
          "        }\n"
          "    }\n"
          "}\n",
     false, 1, 0, 0},  // nor has one statement
    // A body without braces takes no further statement.
    {HEAD "    for (int s = 1; s < 16; s *= 2)\n"
          "        if (tx < s) {\n"
          "            S1[tx] +=\n"
          "                R1[tx + s];\n"
          "        }\n"
          "}\n",
     false, 1, 0, 0},
};

static void place_of(const char *text, const char *name, uint32_t *ret_line, uint32_t *ret_column) {
    const char *found = strstr(text, name);
    const char *start = text;
    *ret_line = 1;
    for (const char *at = text; at < found; at++) {
        if (*at == '\n') {
            ++*ret_line;
            start = at + 1;
        }
    }
    *ret_column = (uint32_t)(found - start) + 1;
}

static void race_add(const char *text, const char *first, const char *second, bool reads_first,
                     struct finding_list *findings) {
    struct judged_finding race = {
        .finding = {.kind = FINDING_RACE,
                    .severity = SEVERITY_ERROR,
                    .space = SPACE_SHARED,
                    .count = 10,
                    .access = reads_first ? ACCESS_READ : ACCESS_WRITE,
                    .other_access = reads_first ? ACCESS_WRITE : ACCESS_READ}};
    if (!strstr(text, first)) {
        return;
    }
    (void)snprintf(race.array, sizeof race.array, "%s", first);
    place_of(text, first, &race.finding.line, &race.shown.column);
    place_of(text, second, &race.finding.other_line, &race.other_shown.column);
    findings->list[findings->count++] = race;
}

START_TEST(a_barrier_has_one_place) {
    static struct finding_list findings;
    const char *text = cases[_i].text;
    findings.count = 0;
    race_add(text, "S1", "R1", cases[_i].reads_first, &findings);
    race_add(text, "S2", "R2", cases[_i].reads_first, &findings);
    int races = findings.count;
    barriers_find(text, strlen(text), &findings);
    const struct judged_finding *first = &findings.list[0];
    ck_assert_int_eq(findings.count, cases[_i].findings);
    ck_assert_uint_eq(first->barrier.after, cases[_i].after);
    ck_assert_uint_eq(first->barrier.before, cases[_i].before);
    bool joined = findings.count < races;
    ck_assert_uint_eq(first->finding.count, joined ? 20 : 10);
    ck_assert_int_eq(first->barrier.also_count, joined);
    ck_assert_str_eq(first->barrier.also[0].array, joined ? "S2" : "");
}
END_TEST

// Whether a barrier can be between the two lines at all.
static enum barrier_use use_of(const char *text) {
    static struct finding_list findings;
    findings.count = 0;
    race_add(text, "S1", "R1", true, &findings);
    barriers_find(text, strlen(text), &findings);
    return findings.list[0].barrier.use;
}

START_TEST(no_barrier_is_among_some_threads) {
    ck_assert_int_eq(use_of(HEAD "    if (tx < 8) {\n"
                                 "        float a = S1[tx];\n"
                                 "        R1[tx] = a;\n"
                                 "    }\n"
                                 "}\n"),
                     BARRIER_UNPROVED);
    // In a loop, only a barrier after the condition may help; and all threads may enter it.
    ck_assert_int_eq(use_of(HEAD "    for (int s = 8; s > 0; s /= 2) {\n"
                                 "        if (tx < s) {\n"
                                 "            float a = S1[tx];\n"
                                 "            R1[tx] = a;\n"
                                 "        }\n"
                                 "    }\n"
                                 "}\n"),
                     BARRIER_UNPROVED);
    ck_assert_int_eq(use_of(HEAD "    if (tiles > 1) {\n"
                                 "        float a = S1[tx];\n"
                                 "        R1[tx] = a;\n"
                                 "    }\n"
                                 "}\n"),
                     BARRIER_HELPS);
}
END_TEST

START_TEST(barriers_are_written_at_either_place) {
    static struct finding_list findings;
    const char *text = HEAD "    for (int t = 0; t < tiles; ++t) {\n"
                            "        float a = S1[t];\n"
                            "        R1[tx] = a;\n"
                            "    }\n"
                            "}\n";
    findings.count = 0;
    race_add(text, "S1", "R1", true, &findings);
    barriers_find(text, strlen(text), &findings);
    char *made = barriers_write(text, strlen(text), &findings, false);
    ck_assert_ptr_nonnull(strstr(made, "S1[t]; __syncthreads();\n        R1[tx] = a;\n"));
    free(made);
    made = barriers_write(text, strlen(text), &findings, true);
    ck_assert_ptr_nonnull(strstr(made, "S1[t];\n        R1[tx] = a; __syncthreads();\n"));
    ck_assert_uint_eq(findings.list[0].barrier.round_before, 4);
    free(made);
}
END_TEST

// The text with a barrier at the end of the round.
static char *with_round(const char *text) {
    static struct finding_list findings;
    findings.count = 0;
    race_add(text, "S1", "R1", true, &findings);
    barriers_find(text, strlen(text), &findings);
    ck_assert_uint_eq(findings.list[0].barrier.after, 0);
    return barriers_write(text, strlen(text), &findings, true);
}

START_TEST(a_barrier_of_a_branch_or_a_statement_ends_the_round) {
    char *made = with_round(HEAD "    for (int s = 8; s > 0; s /= 2) {\n"
                                 "        if (tx < s) {\n"
                                 "            float a = S1[tx];\n"
                                 "            R1[tx] = a;\n"
                                 "        }\n"
                                 "    }\n"
                                 "}\n");
    ck_assert_ptr_nonnull(strstr(made, "a;\n        } __syncthreads();\n    }\n"));
    free(made);
    made = with_round(HEAD "    for (int s = 8; s > 0; s /= 2)\n"
                           "        if (tx < s) R1[tx] += S1[tx + s];\n"
                           "}\n");
    ck_assert_ptr_nonnull(strstr(made, "s /= 2) {\n"));
    ck_assert_ptr_nonnull(strstr(made, "S1[tx + s]; __syncthreads(); }\n}\n"));
    free(made);
    // Some threads make fewer rounds than others.
    made = with_round(HEAD "    for (int s = tx; s > 0; s /= 2) {\n"
                           "        R1[tx] += S1[tx + s];\n"
                           "    }\n"
                           "}\n");
    ck_assert_ptr_null(strstr(made, "__syncthreads"));
    free(made);
}
END_TEST

START_TEST(lines_of_two_functions_have_no_order) {
    static struct finding_list findings;
    const char *text = "__device__ void f() {\n"
                       "    C[tx] = R1[15 - tx];\n"
                       "}\n" HEAD "    S1[tx] = A[tx];\n"
                       "    f();\n"
                       "    C[tx] = R2[tx];\n"
                       "}\n";
    for (int i = 0; i < 2; i++) {
        findings.count = 0;
        race_add(text, "S1", i == 0 ? "R1" : "R2", false, &findings);
        findings.list[0].finding.flags = FINDING_SAME_WARP;
        barriers_find(text, strlen(text), &findings);
        ck_assert(findings.list[0].barrier.is_apart == (i == 0));
    }
}
END_TEST

static enum race_gap gap_of_flag(const char *text) {
    static struct finding_list findings;
    findings.count = 0;
    race_add(text, "S1", "R1", false, &findings);
    findings.list[0].finding.detail = RACE_OF_FLAG;
    barriers_find(text, strlen(text), &findings);
    return (enum race_gap)findings.list[0].finding.detail;
}

START_TEST(a_flag_is_waited_for) {
    ck_assert_int_eq(gap_of_flag(HEAD "    S1[tx] = 1;\n"
                                      "    while (R1[0] == 0) { }\n"
                                      "}\n"),
                     RACE_LACKS_RELEASE);
    ck_assert_int_eq(gap_of_flag(HEAD "    S1[tx] = 1;\n"
                                      "    while (true) {\n"
                                      "        if (R1[0] != 0) break;\n"
                                      "    }\n"
                                      "}\n"),
                     RACE_LACKS_RELEASE);
    ck_assert_int_eq(gap_of_flag(HEAD "    int state;\n"
                                      "    S1[tx] = 1;\n"
                                      "    do {\n"
                                      "        state = R1[0];\n"
                                      "    } while (state == 0);\n"
                                      "}\n"),
                     RACE_LACKS_RELEASE);
    ck_assert_int_eq(gap_of_flag(HEAD "    for (int s = 16; s > 0; s /= 2) {\n"
                                      "        S1[tx] = 1;\n"
                                      "        float other = R1[tx + s];\n"
                                      "    }\n"
                                      "}\n"),
                     RACE_UNORDERED);
}
END_TEST

// The clue that the text gives for a race of two warps, or of two blocks.
static enum race_clue clue_of(const char *text, bool of_blocks) {
    static struct finding_list findings;
    findings.count = 0;
    race_add(text, "S1", "R1", false, &findings);
    if (of_blocks) {
        findings.list[0].finding.space = SPACE_GLOBAL;
        findings.list[0].finding.flags = FINDING_BETWEEN_BLOCKS;
    }
    barriers_find(text, strlen(text), &findings);
    return findings.list[0].barrier.clue;
}

START_TEST(a_call_that_waits_for_too_few_is_seen_between_the_accesses) {
    static const char *const wait[] = {"__syncwarp", "__threadfence", "__threadfence_block"};
    static const enum race_clue clues[] = {CLUE_WARP, CLUE_FENCE, CLUE_BLOCK_FENCE};
    for (size_t i = 0; i < sizeof wait / sizeof wait[0]; i++) {
        char text[800];
        (void)snprintf(text, sizeof text,
                       HEAD "    S1[tx] = A[tx];\n    %s();\n    C[tx] = R1[15];\n}\n", wait[i]);
        ck_assert_int_eq(clue_of(text, false), clues[i]);
        (void)snprintf(text, sizeof text,
                       HEAD "    S1[tx] = A[tx];\n    C[tx] = R1[15];\n    %s();\n}\n", wait[i]);
        ck_assert_int_eq(clue_of(text, false), CLUE_NONE);
        // Round the loop, it is between the two.
        (void)snprintf(text, sizeof text,
                       HEAD "    for (int t = 0; t < tiles; ++t) {\n        C[tx] = R1[15];\n"
                            "        S1[tx] = A[t];\n        %s();\n    }\n}\n",
                       wait[i]);
        ck_assert_int_eq(clue_of(text, false), clues[i]);
    }
}
END_TEST

START_TEST(the_largest_number_is_not_the_last_block) {
    static const char *const last = HEAD "    S1[blockIdx.x] = A[tx];\n"
                                         "    if (blockIdx.x == gridDim.x - 1) {\n"
                                         "        C[0] = R1[0];\n    }\n}\n";
    ck_assert_int_eq(clue_of(last, true), CLUE_NUMBER);
    ck_assert_int_eq(clue_of(last, false), CLUE_NONE);
    ck_assert_int_eq(clue_of(HEAD "    S1[blockIdx.x] = A[tx];\n"
                                  "    if (blockIdx.x < gridDim.x - 1) {\n"
                                  "        C[0] = R1[0];\n    }\n}\n",
                             true),
                     CLUE_NONE);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("explain_barrier");
    TCase *tests = tcase_create("places");
    tcase_add_loop_test(tests, a_barrier_has_one_place, 0, sizeof cases / sizeof cases[0]);
    tcase_add_test(tests, no_barrier_is_among_some_threads);
    tcase_add_test(tests, barriers_are_written_at_either_place);
    tcase_add_test(tests, a_barrier_of_a_branch_or_a_statement_ends_the_round);
    tcase_add_test(tests, lines_of_two_functions_have_no_order);
    tcase_add_test(tests, a_flag_is_waited_for);
    tcase_add_test(tests, a_call_that_waits_for_too_few_is_seen_between_the_accesses);
    tcase_add_test(tests, the_largest_number_is_not_the_last_block);
    suite_add_tcase(suite, tests);
    return suite;
}
