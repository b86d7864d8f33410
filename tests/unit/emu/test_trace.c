// Folding of accesses: each shape of a real kernel becomes one box, and nothing is lost.
#include "emu/wire/trace.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"  // last: Check has a macro called fail

#define EDGE 16

static const uint32_t square[3] = {EDGE, EDGE, 1};

static struct trace trace;
static struct trace_event events[40000];
static uint32_t event_count;

static void begin(void) {
    memset(&trace, 0, sizeof trace);
    trace.phases = 4;
    event_count = 0;
}

static void put(uint64_t pc, uint32_t phase, uint32_t thread, int32_t offset) {
    ck_assert_uint_lt(event_count, sizeof events / sizeof *events);
    events[event_count++] = (struct trace_event){.pc = pc,
                                                 .phase = phase,
                                                 .offset = offset,
                                                 .thread = (uint16_t)thread,
                                                 .array = ARRAY_A,
                                                 .space = SPACE_GLOBAL,
                                                 .kind = ACCESS_READ,
                                                 .bytes = 4};
}

static void fold_all(const uint32_t block[3]) {
    ck_assert(trace_fold(events, event_count, block, &trace));
    ck_assert(trace_check(&trace, block, 0));
}

static void expect_step(const struct trace_box *box, int level, uint32_t count, int32_t threads,
                        int32_t offset) {
    ck_assert_uint_eq(box->step[level].count, count);
    ck_assert_int_eq(box->step[level].thread, threads);
    ck_assert_int_eq(box->step[level].offset, offset);
}

START_TEST(a_tile_is_one_box_in_each_phase) {
    begin();
    for (uint32_t phase = 0; phase < 3; phase++) {
        for (uint32_t thread = 0; thread < EDGE * EDGE; thread++) {
            uint32_t element = thread / EDGE * 48 + phase * EDGE + thread % EDGE;
            put(100, phase, thread, (int32_t)(4 * element));
        }
    }
    fold_all(square);
    ck_assert_uint_eq(trace.count, 3);
    ck_assert_uint_eq(trace.box[2].phase, 2);
    ck_assert_int_eq(trace.box[2].offset, 4 * 32);
    expect_step(&trace.box[2], 2, EDGE, 1, 4);
    expect_step(&trace.box[2], 3, EDGE, EDGE, 4 * 48);
}
END_TEST

START_TEST(loops_of_a_thread_are_the_inner_steps) {
    begin();
    for (uint32_t thread = 0; thread < EDGE * EDGE; thread++) {
        for (int k = 0; k < 8; k++) {
            for (int i = 0; i < 4; i++) {
                put(100, 0, thread, (int32_t)(thread / EDGE) * 512 + 128 * i + 4 * k);
                put(200, 0, thread, 64 * k);  // the other place comes between
            }
        }
    }
    fold_all(square);
    ck_assert_uint_eq(trace.count, 2);
    expect_step(&trace.box[0], 0, 4, 0, 128);
    expect_step(&trace.box[0], 1, 8, 0, 4);
    expect_step(&trace.box[0], 2, EDGE, 1, 0);
    expect_step(&trace.box[0], 3, EDGE, EDGE, 512);
}
END_TEST

START_TEST(a_row_of_threads_ends_where_the_next_begins) {
    begin();
    for (uint32_t thread = 0; thread < 8; thread++) {
        put(100, 0, thread, 4 * (int32_t)thread);
    }
    fold_all((const uint32_t[3]){4, 2, 1});
    ck_assert_uint_eq(trace.count, 1);
    expect_step(&trace.box[0], 2, 4, 1, 4);
    expect_step(&trace.box[0], 3, 2, 4, 16);
}
END_TEST

START_TEST(threads_that_take_no_part_leave_a_smaller_box) {
    begin();
    for (uint32_t thread = 0; thread < EDGE * EDGE; thread++) {
        if (thread % EDGE < 5 && thread / EDGE % 2 == 0) {
            put(100, 0, thread, 4 * (int32_t)thread);
        }
    }
    fold_all(square);
    ck_assert_uint_eq(trace.count, 1);
    expect_step(&trace.box[0], 2, 5, 1, 4);
    expect_step(&trace.box[0], 3, EDGE / 2, 2 * EDGE, 8 * EDGE);
}
END_TEST

// Every access that was put is in exactly one box, however odd the pattern.
START_TEST(what_is_folded_can_be_unfolded) {
    static uint8_t seen[64][256];
    uint32_t random = 7;
    uint32_t total = 0;
    begin();
    memset(seen, 0, sizeof seen);
    for (uint32_t thread = 0; thread < 64; thread++) {
        for (int i = 0; i < 6; i++) {
            random = random * 1103515245u + 12345u;
            bool regular = thread % 8 != 3;
            uint32_t element = regular ? thread % 16 + 16 * (uint32_t)i : random >> 24;
            put(100, 0, thread, 4 * (int32_t)element);
            seen[thread][element]++;
        }
    }
    fold_all((const uint32_t[3]){8, 8, 1});
    ck_assert_uint_eq(trace.cut, 0);
    for (uint32_t b = 0; b < trace.count; b++) {
        const struct trace_box *box = &trace.box[b];
        uint32_t number = 1;
        for (int s = 0; s < TRACE_STEPS; s++) {
            number *= box->step[s].count;
        }
        for (uint32_t n = 0; n < number; n++) {
            uint32_t left = n;
            int32_t thread = (int32_t)box->thread;
            int32_t offset = box->offset;
            for (int s = 0; s < TRACE_STEPS; s++) {
                int32_t at = (int32_t)(left % box->step[s].count);
                left /= box->step[s].count;
                thread += at * box->step[s].thread;
                offset += at * box->step[s].offset;
            }
            ck_assert_uint_gt(seen[thread][offset / 4], 0);
            seen[thread][offset / 4]--;
            total++;
        }
    }
    ck_assert_uint_eq(total, event_count);
}
END_TEST

START_TEST(too_many_boxes_are_cut_and_it_is_said) {
    begin();
    for (uint32_t place = 0; place < TRACE_BOXES_MAX + 1; place++) {
        put(place, 0, 0, 0);
    }
    fold_all(square);
    ck_assert_uint_eq(trace.count, TRACE_BOXES_MAX);
    ck_assert_uint_eq(trace.cut, 1);
}
END_TEST

START_TEST(as_many_boxes_as_there_is_room_for_are_whole) {
    begin();
    for (uint32_t place = 0; place < TRACE_BOXES_MAX; place++) {
        put(place, 0, 0, 0);
    }
    fold_all(square);
    ck_assert_uint_eq(trace.cut, 0);
}
END_TEST

START_TEST(a_thread_without_order_is_cut) {
    static const int32_t odd[] = {0, 52, 4, 96, 12, 200, 28, 300, 60};
    begin();
    for (int round = 0; round < 8; round++) {
        for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
            put(100, 0, 0, odd[i] + 4 * round * round * (int32_t)(i + 1));
        }
    }
    fold_all(square);
    ck_assert_uint_eq(trace.cut, 1);
}
END_TEST

// A trace that folding cannot produce is refused when a worker sends it.
#define HOSTILE(X)                                                                                 \
    X("more boxes than room", trace.count = TRACE_BOXES_MAX + 1)                                   \
    X("a shared array that is not there", trace.box[0].space = SPACE_SHARED)                       \
    X("no space", trace.box[0].space = SPACE_NONE)                                                 \
    X("a fourth global array", trace.box[0].array = GLOBAL_ARRAY_COUNT)                            \
    X("a phase after the last", trace.box[0].phase = trace.phases)                                 \
    X("no kind", trace.box[0].kind = ACCESS_NONE)                                                  \
    X("three bytes", trace.box[0].bytes = 3)                                                       \
    X("before the array", trace.box[0].offset = -4)                                                \
    X("a step of none", trace.box[0].step[1].count = 0)                                            \
    X("a loop over threads", trace.box[0].step[0] = ((struct trace_step){2, 1, 4}))                \
    X("threads that go back", trace.box[0].step[2].thread = -1)                                    \
    X("threads beyond the block", trace.box[0].step[3].count = EDGE + 1)                           \
    X("a first thread beyond the block", trace.box[0].thread = EDGE)                               \
    X("more accesses than are written down", trace.box[0].step[0].count = TRACE_EVENTS_MAX)

START_TEST(hostile_traces_are_refused) {
    begin();
    for (uint32_t thread = 0; thread < EDGE * EDGE; thread++) {
        put(100, 0, thread, 4 * (int32_t)thread);
    }
    fold_all(square);
    const struct trace good = trace;
#define REFUSED(name, change)                                                                      \
    trace = good;                                                                                  \
    change;                                                                                        \
    ck_assert_msg(!trace_check(&trace, square, 0), "%s was taken", name);
    HOSTILE(REFUSED)
#undef REFUSED
}
END_TEST

SUITE() {
    Suite *suite = suite_create("trace");
    TCase *tests = tcase_create("folding");
    tcase_add_test(tests, a_tile_is_one_box_in_each_phase);
    tcase_add_test(tests, loops_of_a_thread_are_the_inner_steps);
    tcase_add_test(tests, a_row_of_threads_ends_where_the_next_begins);
    tcase_add_test(tests, threads_that_take_no_part_leave_a_smaller_box);
    tcase_add_test(tests, what_is_folded_can_be_unfolded);
    tcase_add_test(tests, too_many_boxes_are_cut_and_it_is_said);
    tcase_add_test(tests, as_many_boxes_as_there_is_room_for_are_whole);
    tcase_add_test(tests, a_thread_without_order_is_cut);
    tcase_add_test(tests, hostile_traces_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
