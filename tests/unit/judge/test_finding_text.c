// The sentences that a student reads about each kind of finding, word for word.
#include "finding_text.h"

static struct judged_finding bounds_of(enum memory_space space, uint32_t array, int64_t offset,
                                       uint64_t bytes) {
    struct judged_finding finding = finding_of(FINDING_OUT_OF_BOUNDS);
    finding.finding.space = space;
    finding.finding.array = array;
    finding.finding.offset = offset;
    finding.finding.array_bytes = bytes;
    return finding;
}

START_TEST(bounds_past_a_matrix_names_row_and_rows) {
    expect(bounds_of(SPACE_GLOBAL, ARRAY_A, 4 * 50 * 30, 4 * 50 * 30),
           "A[50][0] was read, but A has rows 0 to 49 (or column 30 of row 49 was meant). It "
           "was thread (5, 3, 0) of block (1, 2, 0). A GPU reads whatever is there, or "
           "stops the kernel.",
           "tiled.cu:22: A[50][0] was read, but A has rows 0 to 49 (or column 30 of row 49 was "
           "meant).");
}
END_TEST

START_TEST(bounds_of_b_and_c_use_their_own_columns) {
    expect(bounds_of(SPACE_GLOBAL, ARRAY_B, 4 * (30 * 40 + 3), 4 * 30 * 40),
           "B[30][3] was read, but B has rows 0 to 29 (or column 43 of row 29 was meant). It "
           "was thread (5, 3, 0) of block (1, 2, 0). A GPU reads whatever is there, or "
           "stops the kernel.",
           "tiled.cu:22: B[30][3] was read, but B has rows 0 to 29 (or column 43 of row 29 was "
           "meant).");
    struct judged_finding finding =
        bounds_of(SPACE_GLOBAL, ARRAY_C, 4 * (50 * 40 + 41), 4 * 50 * 40);
    finding.finding.access = ACCESS_WRITE;
    expect(finding,
           "C[51][1] was stored, but C has rows 0 to 49. It was thread (5, 3, 0) of block "
           "(1, 2, 0). A GPU overwrites whatever is there, or stops the kernel.",
           "tiled.cu:22: C[51][1] was stored, but C has rows 0 to 49.");
}
END_TEST

START_TEST(bounds_before_the_start_is_a_negative_index) {
    expect(bounds_of(SPACE_GLOBAL, ARRAY_A, -4, 4 * 50 * 30),
           "A was read 4 bytes before its start: an index is negative. It was thread (5, "
           "3, 0) of block (1, 2, 0). A GPU reads whatever is there, or stops the kernel.",
           "tiled.cu:22: A was read 4 bytes before its start: an index is negative.");
}
END_TEST

START_TEST(bounds_of_a_vector_that_starts_inside) {
    struct judged_finding finding =
        bounds_of(SPACE_GLOBAL, ARRAY_A, 4 * (50 * 30 - 2), 4 * 50 * 30);
    finding.finding.access_bytes = 16;
    expect(finding,
           "The 16 bytes at A[49][28] were read, but A ends after 8 of them. It was "
           "thread (5, 3, 0) of block (1, 2, 0). A GPU reads whatever is there, or "
           "stops the kernel.",
           "tiled.cu:22: the 16 bytes at A[49][28] were read, but A ends after 8 of them.");
}
END_TEST

START_TEST(bounds_past_shared_arrays) {
    expect(bounds_of(SPACE_SHARED, 0, 1024, 1024),
           "As[16][0] was read, but As has rows 0 to 15. It was thread (5, 3, 0) of block "
           "(1, 2, 0). A GPU reads whatever is there, or stops the kernel.",
           "tiled.cu:22: As[16][0] was read, but As has rows 0 to 15.");
    expect(bounds_of(SPACE_SHARED, 1, 256, 256),
           "row_sums[64] was read, but row_sums has elements 0 to 63. It was thread (5, "
           "3, 0) of block (1, 2, 0). A GPU reads whatever is there, or stops the kernel.",
           "tiled.cu:22: row_sums[64] was read, but row_sums has elements 0 to 63.");
    struct judged_finding dynamic = bounds_of(SPACE_SHARED, 2, 512, 512);
    dynamic.finding.detail = OUTSIDE_DYNAMIC;
    expect(dynamic,
           "tile[128] was read, but LAUNCH_CONFIG asks for only 512 bytes of dynamic shared "
           "memory: tile has elements 0 to 127. It was thread (5, 3, 0) of block (1, 2, 0). A GPU "
           "reads whatever is there, or stops the kernel.",
           "tiled.cu:22: tile[128] was read, but LAUNCH_CONFIG asks for only 512 bytes of dynamic "
           "shared memory: tile has elements 0 to 127.");
    dynamic = bounds_of(SPACE_SHARED, 2, 0, 0);
    dynamic.finding.detail = OUTSIDE_DYNAMIC;
    dynamic.finding.access = ACCESS_WRITE;
    expect(dynamic,
           "tile[0] was stored, but LAUNCH_CONFIG asks for no dynamic shared memory: "
           "`launch->shared_bytes` is 0. It was thread (5, 3, 0) of block (1, 2, 0). "
           "A GPU overwrites whatever is there, or stops the kernel.",
           "tiled.cu:22: tile[0] was stored, but LAUNCH_CONFIG asks for no dynamic shared memory: "
           "`launch->shared_bytes` is 0.");
}
END_TEST

START_TEST(bounds_of_an_index_past_its_row) {
    // Found before the access: the array is not known, but the index and the extent are.
    struct judged_finding finding = bounds_of(SPACE_NONE, ARRAY_NONE, 16, 16);
    finding.finding.detail = OUTSIDE_ROW;
    finding.finding.access = ACCESS_NONE;
    expect(finding,
           "The index 16 was used where an array has elements 0 to 15. It was thread (5, "
           "3, 0) of block (1, 2, 0). A GPU does not notice this: it uses a different "
           "element from the one that was meant.",
           "tiled.cu:22: the index 16 was used where an array has elements 0 to 15.");
    // The line and the table say which arrays are possible.
    (void)snprintf(finding.shown.text, sizeof finding.shown.text,
                   "acc += As[ty][k] * row_sums_of[k];");
    expect(finding,
           "The index 16 was used where an array has elements 0 to 15; in this line that could be "
           "As. It was thread (5, 3, 0) of block (1, 2, 0). A GPU does not notice "
           "this: it uses a different element from the one that was meant.",
           "tiled.cu:22: the index 16 was used where an array has elements 0 to 15; in this line "
           "that could be As.");
    // … and the column says which of them it is.
    finding.shown.mark = (struct source_span){7, 9};
    expect(finding,
           "The index 16 was used in As[ty][k], where As has elements 0 to 15. It was thread "
           "(5, 3, 0) of block (1, 2, 0). A GPU does not notice this: it uses a "
           "different element from the one that was meant.",
           "tiled.cu:22: the index 16 was used in As[ty][k], where As has elements 0 to 15.");
    finding.shown.mark = (struct source_span){0, 0};
    finding.finding.array_bytes = 17;
    finding.finding.offset = 17;
    expect(finding,
           "The index 17 was used where an array has elements 0 to 16. It was thread (5, "
           "3, 0) of block (1, 2, 0). A GPU does not notice this: it uses a different "
           "element from the one that was meant.",
           "tiled.cu:22: the index 17 was used where an array has elements 0 to 16.");
}
END_TEST

START_TEST(uninitialized_read_is_blamed_on_threads_that_returned) {
    struct judged_finding exited = finding_of(FINDING_EXITED_BEFORE_BARRIER);
    exited.finding.space = SPACE_NONE;
    exited.finding.array = ARRAY_NONE;
    exited.finding.count_waiting = 1;
    exited.finding.count_absent = 255;
    finding_explain(&exited, &table);
    struct judged_finding finding = finding_of(FINDING_UNINITIALIZED);
    finding_explain(&finding, &table);
    finding_blame(&finding, &exited);
    char headline[ERROR_TEXT_MAX];
    finding_headline(&finding, "tiled.cu", headline);
    ck_assert_str_eq(plain(headline),
                     "tiled.cu:22: As[3][0] was read, but nothing had been stored there; likely "
                     "because 255 threads of a block had returned in line 13 before the barrier "
                     "in line 22 that 1 other thread reaches.");
    ck_assert_str_eq(plain(finding.message),
                     "As[3][0] was read, but nothing had been stored there. It was thread (5, 3, "
                     "0) of block (1, 2, 0). Shared memory starts with arbitrary "
                     "values in every block. The likely cause: 255 threads of a block had "
                     "returned in line 13 before the barrier in line 22 that 1 other "
                     "thread reaches.");
}
END_TEST

START_TEST(a_gpu_knows_no_place) {
    struct judged_finding finding = finding_of(FINDING_OUT_OF_BOUNDS);
    finding.finding = (struct finding){.kind = FINDING_OUT_OF_BOUNDS,
                                       .severity = SEVERITY_ERROR,
                                       .count = 1,
                                       .space = SPACE_UNKNOWN,
                                       .array = ARRAY_NONE};
    finding.device = DEVICE_GPU;
    expect(finding,
           "Memory that belongs to no array was used. The GPU stopped the kernel and does not "
           "report where.",
           "tiled.cu: memory that belongs to no array was used.");
    finding.finding.kind = FINDING_MISALIGNED;
    expect(finding,
           "The address of a vector access is not a multiple of its size. The GPU stopped the "
           "kernel and does not report where.",
           "tiled.cu: the address of a vector access is not a multiple of its size.");
}
END_TEST

START_TEST(bounds_of_no_array) {
    struct judged_finding finding = bounds_of(SPACE_UNKNOWN, ARRAY_NONE, 0, 0);
    expect(finding,
           "Memory that belongs to no array was read. It was thread (5, 3, 0) of block "
           "(1, 2, 0). A GPU reads whatever is there, or stops the kernel.",
           "tiled.cu:22: memory that belongs to no array was read.");
}
END_TEST

START_TEST(uninitialized_shared_and_c) {
    expect(finding_of(FINDING_UNINITIALIZED),
           "As[3][0] was read, but nothing had been stored there. It was thread (5, 3, 0) "
           "of block (1, 2, 0). Shared memory starts with arbitrary values in "
           "every block.",
           "tiled.cu:22: As[3][0] was read, but nothing had been stored there.");
    struct judged_finding finding = finding_of(FINDING_UNINITIALIZED);
    finding.finding.space = SPACE_GLOBAL;
    finding.finding.array = ARRAY_C;
    finding.finding.offset = 4;
    expect(finding,
           "C[0][1] was read, but nothing had been stored there. It was thread (5, 3, 0) "
           "of block (1, 2, 0). C holds no useful value when the kernel "
           "starts.",
           "tiled.cu:22: C[0][1] was read, but nothing had been stored there.");
    finding.finding.detail = UNSET_LANE;
    finding.finding.offset = 16;
    expect(finding,
           "The shuffle reads the value of lane 16, which takes no part in it. It was thread (5, "
           "3, 0) of block (1, 2, 0). A lane takes part if it is in the mask, has not returned, "
           "and calls the shuffle too. What any other lane gives is not defined.",
           "tiled.cu:22: the shuffle reads the value of lane 16, which takes no part in it.");
}
END_TEST

START_TEST(barrier_divergence_counts_both_sides) {
    struct judged_finding finding = finding_of(FINDING_BARRIER_DIVERGENCE);
    finding.finding.space = SPACE_NONE;
    finding.finding.array = ARRAY_NONE;
    finding.finding.count_waiting = 208;
    finding.finding.count_absent = 48;
    expect(finding,
           "208 threads of a block wait at the barrier in line 22, but 48 wait at the one "
           "in line 13. This happened in block (1, 2, 0). All threads of a block must reach the "
           "same barrier; otherwise the block hangs or computes with half-filled tiles.",
           "tiled.cu:22: 208 threads of a block wait at the barrier in line 22, but 48 "
           "wait at the one in line 13.");
    finding.finding.other_pc = 0;
    finding.finding.other_line = 0;
    finding.finding.count_absent = 1;
    expect(finding,
           "208 threads of a block wait at the barrier in line 22, but 1 never reaches it. This "
           "happened in block (1, 2, 0). All threads of a block must reach the same "
           "barrier; otherwise the block hangs or computes with half-filled tiles.",
           "tiled.cu:22: 208 threads of a block wait at the barrier in line 22, but 1 never "
           "reaches it.");
}
END_TEST

START_TEST(calls_of_lanes_that_cannot_be_one) {
    struct judged_finding finding = finding_of(FINDING_BARRIER_DIVERGENCE);
    finding.finding.space = SPACE_NONE;
    finding.finding.array = ARRAY_NONE;
    finding.finding.other_pc = 0;
    finding.finding.other_line = 0;
    finding.finding.count_waiting = 1;
    finding.finding.count_absent = 0;
    finding.finding.detail = LANE_CALL_MASK;
    expect(finding,
           "The mask of the call in line 22 leaves out the lane that makes the call. This happened "
           "in block (1, 2, 0). The mask must name exactly the lanes that make the call; "
           "0xffffffff names all 32.",
           "tiled.cu:22: the mask of the call in line 22 leaves out the lane that makes the call.");
    finding.finding.detail = LANE_CALL_WIDTH;
    expect(finding,
           "The width of the shuffle in line 22 is not a power of two from 1 to 32. This happened "
           "in block (1, 2, 0).",
           "tiled.cu:22: the width of the shuffle in line 22 is not a power of two from 1 to 32.");
    finding.finding.detail = LANE_CALL_ABSENT;
    finding.finding.count_waiting = 16;
    expect(
        finding,
        "16 threads wait in line 22 for lanes of their masks that never arrive. This happened "
        "in block (1, 2, 0). The mask must name exactly the lanes that make the call; 0xffffffff "
        "names all 32.",
        "tiled.cu:22: 16 threads wait in line 22 for lanes of their masks that never arrive.");
    finding.finding.count_waiting = 1;
    finding.finding.other_line = 35;
    expect(finding,
           "1 thread waits in line 22 for lanes of its mask that wait at the barrier in line 35. "
           "This happened in block (1, 2, 0). The mask must name exactly the lanes that make the "
           "call; 0xffffffff names all 32.",
           "tiled.cu:22: 1 thread waits in line 22 for lanes of its mask that wait at the barrier "
           "in line 35.");
    finding.finding.detail = LANE_CALL_MATRIX;  // it has no mask, wherever the others wait
    expect(finding,
           "1 thread waits in line 22 for the rest of its warp, which does not make this call. "
           "This happened in block (1, 2, 0). Other threads wait in line 35. All 32 threads of a "
           "warp must make this call together, in the same line.",
           "tiled.cu:22: 1 thread waits in line 22 for the rest of its warp, which does not make "
           "this call.");
    finding.finding.count_waiting = 16;
    finding.finding.other_line = 0;
    expect(finding,
           "16 threads wait in line 22 for the rest of their warps, which do not make this call. "
           "This happened in block (1, 2, 0). All 32 threads of a warp must make this call "
           "together, in the same line.",
           "tiled.cu:22: 16 threads wait in line 22 for the rest of their warps, which do not "
           "make this call.");
}
END_TEST

START_TEST(exited_before_a_barrier) {
    struct judged_finding finding = finding_of(FINDING_EXITED_BEFORE_BARRIER);
    finding.finding.severity = SEVERITY_WARNING;
    finding.finding.space = SPACE_NONE;
    finding.finding.array = ARRAY_NONE;
    finding.finding.count_waiting = 240;
    finding.finding.count_absent = 16;
    expect(finding,
           "16 threads of a block had returned in line 13 before the barrier in line 22 "
           "that the other 240 reach. This happened in block (1, 2, 0). The barrier does not "
           "wait for them: if they had data to load, it is missing.",
           "tiled.cu:22: 16 threads of a block had returned in line 13 before the barrier "
           "in line 22 that the other 240 reach.");
}
END_TEST

START_TEST(input_written_leads_to_its_verdict) {
    struct judged_finding finding = finding_of(FINDING_INPUT_WRITTEN);
    finding.finding.space = SPACE_GLOBAL;
    finding.finding.array = ARRAY_B;
    finding.finding.access = ACCESS_WRITE;
    finding.finding.offset = 0;
    expect(finding,
           "B[0][0] was changed, but it is an input. It was thread (5, 3, 0) of block (1, "
           "2, 0). The kernel may store only to C.",
           "tiled.cu:22: B[0][0] was changed, but it is an input.");
    ck_assert_int_eq(finding_verdict(&finding.finding), VERDICT_INPUTS_CHANGED);
}
END_TEST

START_TEST(crashes_name_their_cause) {
    struct judged_finding finding = finding_of(FINDING_CRASH);
    finding.finding.space = SPACE_UNKNOWN;
    finding.finding.array = ARRAY_NONE;
    finding.finding.detail = CRASH_NULL_POINTER;
    expect(finding, "A null pointer was used. It was thread (5, 3, 0) of block (1, 2, 0).",
           "tiled.cu:22: a null pointer was used.");
    finding.finding.detail = CRASH_DIVISION_BY_ZERO;
    expect(finding, "An integer was divided by zero. It was thread (5, 3, 0) of block (1, 2, 0).",
           "tiled.cu:22: an integer was divided by zero.");
    finding.finding.detail = CRASH_STACK_OVERFLOW;
    expect(finding,
           "A thread used up its stack: a recursion without end, or a very large local "
           "array. It was thread (5, 3, 0) of block (1, 2, 0).",
           "tiled.cu:22: a thread used up its stack: a recursion without end, or a very "
           "large local array.");
}
END_TEST

START_TEST(limits_of_time_and_output) {
    struct judged_finding finding = finding_of(FINDING_TIME_LIMIT);
    finding.finding.space = SPACE_NONE;
    finding.finding.array = ARRAY_NONE;
    expect(
        finding,
        "The kernel has not ended: line 22 was still running when the time was up. It was "
        "thread (5, 3, 0) of block (1, 2, 0). The usual cause is a loop that "
        "never ends. If the loop does end, it does far too much work.",
        "tiled.cu:22: the kernel has not ended: line 22 was still running when the time was up.");
    finding.finding.kind = FINDING_OUTPUT_LIMIT;
    expect(finding,
           "The kernel printed more than 1024 KiB in one launch. Print less, and let one "
           "thread of the grid do it.",
           "tiled.cu:22: the kernel printed more than 1024 KiB in one launch.");
    finding.finding.kind = FINDING_TIME_LIMIT;
    finding.finding.flags = FINDING_BLOCKS_WAIT;
    expect(
        finding,
        "The kernel has not ended: line 22 was still running when the time was up. It was "
        "thread (5, 3, 0) of block (1, 2, 0). As many blocks wait here as the CPU "
        "device can keep: either they wait for a block that has not begun, which a GPU may run "
        "beside them, or the loop never ends.",
        "tiled.cu:22: the kernel has not ended: line 22 was still running when the time was up.");
    finding.finding.flags = 0;
    finding.finding.line = 0;
    expect(finding,
           "The kernel has not ended: it was still running when the time was up. It was "
           "thread (5, 3, 0) of block (1, 2, 0). Either a loop does not end, or the grid has many "
           "more blocks than C needs.",
           "tiled.cu: the kernel has not ended: it was still running when the time was up.");
}
END_TEST

START_TEST(an_unknown_line_is_left_out_of_the_headline) {
    struct judged_finding finding = finding_of(FINDING_UNINITIALIZED);
    finding.finding.line = 0;
    expect(finding,
           "As[3][0] was read, but nothing had been stored there. It was thread (5, 3, 0) "
           "of block (1, 2, 0). Shared memory starts with arbitrary values in every "
           "block.",
           "tiled.cu: As[3][0] was read, but nothing had been stored there.");
}
END_TEST

START_TEST(without_a_table_no_shared_array_is_named) {
    struct judged_finding finding = finding_of(FINDING_UNINITIALIZED);
    finding_explain(&finding, NULL);
    ck_assert_str_eq(finding.array, "");
    ck_assert_int_eq(finding.index_count, 0);
}
END_TEST

START_TEST(the_lesson_is_the_heading_of_the_kind) {
    for (int kind = 0; kind < FINDING_KIND_COUNT; kind++) {
        struct judged_finding finding = finding_of((enum finding_kind)kind);
        char lesson[128];
        finding_explain(&finding, &table);
        (void)snprintf(lesson, sizeof lesson, "lessons/verdicts.md#%s",
                       kind == FINDING_INPUT_WRITTEN ? "inputs_changed"
                                                     : finding_kind_name((uint32_t)kind));
        ck_assert_str_eq(finding.lesson, lesson);
    }
}
END_TEST

START_TEST(indices_go_into_the_result) {
    struct judged_finding finding = finding_of(FINDING_UNINITIALIZED);
    finding_explain(&finding, &table);
    ck_assert_str_eq(finding.array, "As");
    ck_assert_int_eq(finding.index_count, 2);
    ck_assert_int_eq(finding.index[0], 3);
    ck_assert_int_eq(finding.index[1], 0);
}
END_TEST

START_TEST(a_block_that_does_not_fit_its_array) {
    static const uint32_t blocks[][3] = {{8, 8, 1}, {16, 16, 1}, {32, 4, 1}};
    struct judged_finding finding = finding_of(FINDING_UNINITIALIZED);
    finding.finding.offset = 8 * 4;
    finding_explain(&finding, &table);
    size_t before = strlen(finding.message);
    finding_add_block(&finding, &table, blocks[1]);
    ck_assert_uint_eq(strlen(finding.message), before);
    finding_add_block(&finding, &table, blocks[0]);
    ck_assert_str_eq(plain(finding.message + before),
                     " The block has 8 x 8 threads (x, y), and As has 16 rows of 16 elements: "
                     "together the threads must store all of them.");
    finding = bounds_of(SPACE_NONE, ARRAY_NONE, 5, 4);
    finding.finding.detail = OUTSIDE_ROW;
    finding_explain(&finding, &table);
    before = strlen(finding.message);
    finding_add_block(&finding, &table, (uint32_t[3]){4, 4, 1});
    ck_assert_uint_eq(strlen(finding.message), before);
    finding_add_block(&finding, &table, blocks[2]);
    ck_assert_str_eq(plain(finding.message + before),
                     " In this thread threadIdx.x is 5: the block has 32 x 4 threads (x, y).");
}
END_TEST

SUITE() {
    Suite *suite = suite_create("finding_text");
    TCase *tests = tcase_create("texts");
    tcase_add_test(tests, bounds_past_a_matrix_names_row_and_rows);
    tcase_add_test(tests, bounds_of_b_and_c_use_their_own_columns);
    tcase_add_test(tests, bounds_before_the_start_is_a_negative_index);
    tcase_add_test(tests, bounds_of_a_vector_that_starts_inside);
    tcase_add_test(tests, bounds_past_shared_arrays);
    tcase_add_test(tests, bounds_of_an_index_past_its_row);
    tcase_add_test(tests, a_gpu_knows_no_place);
    tcase_add_test(tests, bounds_of_no_array);
    tcase_add_test(tests, uninitialized_read_is_blamed_on_threads_that_returned);
    tcase_add_test(tests, uninitialized_shared_and_c);
    tcase_add_test(tests, barrier_divergence_counts_both_sides);
    tcase_add_test(tests, calls_of_lanes_that_cannot_be_one);
    tcase_add_test(tests, exited_before_a_barrier);
    tcase_add_test(tests, input_written_leads_to_its_verdict);
    tcase_add_test(tests, crashes_name_their_cause);
    tcase_add_test(tests, limits_of_time_and_output);
    tcase_add_test(tests, an_unknown_line_is_left_out_of_the_headline);
    tcase_add_test(tests, without_a_table_no_shared_array_is_named);
    tcase_add_test(tests, the_lesson_is_the_heading_of_the_kind);
    tcase_add_test(tests, indices_go_into_the_result);
    tcase_add_test(tests, a_block_that_does_not_fit_its_array);
    suite_add_tcase(suite, tests);
    return suite;
}
