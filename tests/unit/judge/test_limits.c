// What a launch may take: enough for right kernels that are slow, and an end for those without one.
#include <string.h>

#include "judge/run/run_worker.h"
#include "suite.h"

#define ACCESSES_A_SECOND 50e6  // of the slowest honest kernel on an ordinary machine

static const struct size sizes[] = {
    {1, 1, 1},       {1, 100, 40},    {182, 181, 2},   {200, 201, 3},     {64, 64, 64},
    {128, 128, 120}, {448, 448, 9},   {500, 500, 500}, {512, 512, 512},   {100, 100, 3000},
    {2000, 1, 1000}, {1, 1400, 1400}, {700, 3, 900},   {1000, 1000, 1000}};

static struct judge_patience patience;

static void setup(void) {
    patience = (struct judge_patience){.slowness = 1.0};
}

static struct run_limits limits_of(enum device_kind device, struct size size) {
    return run_limits_of(device, signature_of_matmul(), size, &patience);
}

static double padded_to(int32_t value, int32_t edge) {
    return (double)((value + edge - 1) / edge * edge);
}

// One thread for each element of C, in blocks of 1024 of which only one thread stays: the kernel
// with the most idle threads; a byte at a time makes it four times as slow.
START_TEST(the_simplest_kernel_may_take_four_times_as_much) {
    struct size size = sizes[_i];
    double threads = padded_to(size.m, 32) * padded_to(size.n, 32);
    ck_assert_double_gt((double)limits_of(DEVICE_EMU, size).accesses, 4 * (2.0 * threads * size.k));
}
END_TEST

// A block of 256 threads for each element, that adds up in shared memory.
START_TEST(a_block_for_each_element_is_not_stopped) {
    struct size size = sizes[_i];
    double c = (double)size.m * size.n;
    double accesses = c * (2.0 * size.k + 256 + 3 * 255 + 256 * 8 + 1);
    ck_assert_double_gt((double)limits_of(DEVICE_EMU, size).accesses, accesses);
}
END_TEST

// The same with 1024 threads, at what is counted and in cases of few elements.
START_TEST(a_block_of_1024_threads_for_each_element_is_not_stopped) {
    const struct size counted[] = {
        {512, 512, 512}, {500, 500, 500}, {100, 100, 3000}, {64, 64, 64}};
    struct size size = counted[_i];
    double c = (double)size.m * size.n;
    double accesses = c * (2.0 * size.k + 1024 + 3 * 1023 + 1024 * 10 + 1);
    struct run_limits limits = limits_of(DEVICE_EMU, size);
    ck_assert_double_gt((double)limits.accesses, accesses);
    ck_assert_double_gt((double)limits.time_ms / 1e3, accesses / ACCESSES_A_SECOND);
    run_patience_spend(&patience, DEVICE_EMU, 2 * limits.time_ms);  // two such sizes before it
    ck_assert_uint_eq(limits_of(DEVICE_EMU, size).time_ms, limits.time_ms);
}
END_TEST

// The naive and the tiled reference make 2 accesses for each multiply-add.
START_TEST(the_references_may_do_twenty_times_their_work_where_it_is_counted) {
    const struct size counted[] = {{512, 512, 512}, {500, 500, 500}, {64, 64, 64}};
    struct size size = counted[_i];
    ck_assert_uint_ge(limits_of(DEVICE_EMU, size).accesses,
                      20 * (2 * size_multiply_adds(size) + size_elements_c(size)));
}
END_TEST

START_TEST(no_launch_has_less_than_five_seconds_and_none_at_512_more_than_two_minutes) {
    struct run_limits limits = limits_of(DEVICE_EMU, sizes[_i]);
    ck_assert_uint_ge(limits.time_ms, 5000);
    ck_assert(!limits.is_rest);
    if (size_multiply_adds(sizes[_i]) <= 512ull * 512 * 512) {
        ck_assert_uint_le(limits.time_ms, 120000);
        ck_assert_double_le((double)limits.accesses / ACCESSES_A_SECOND, 120.0);
    }
}
END_TEST

START_TEST(a_slow_machine_has_more_time_and_no_more_accesses) {
    const struct size size = {512, 512, 512};
    struct run_limits before = limits_of(DEVICE_EMU, size);
    patience.slowness = 3.0;
    struct run_limits after = limits_of(DEVICE_EMU, size);
    ck_assert_uint_eq(after.accesses, before.accesses);
    ck_assert_uint_eq(after.time_ms, 3 * before.time_ms);
    patience.slowness = 0.5;  // a fast one has no less
    ck_assert_uint_eq(limits_of(DEVICE_EMU, size).time_ms, before.time_ms);
}
END_TEST

START_TEST(all_launches_of_a_kernel_have_a_limit_together) {
    const struct size size = {512, 512, 512};
    uint64_t launch_ms = limits_of(DEVICE_EMU, size).time_ms;
    uint64_t total_ms = 0;
    for (int i = 0; i < 100; i++) {
        struct run_limits limits = limits_of(DEVICE_EMU, size);
        ck_assert_uint_le(limits.time_ms, launch_ms);
        total_ms += limits.time_ms < launch_ms ? 0 : limits.time_ms;
        run_patience_spend(&patience, DEVICE_EMU, limits.time_ms);
    }
    ck_assert_uint_le(total_ms, 360000);
    ck_assert(limits_of(DEVICE_EMU, size).is_rest);
    ck_assert_uint_eq(limits_of(DEVICE_GPU, size).time_ms, 10000);  // that is another time
    run_patience_kernel(&patience);
    ck_assert_uint_eq(limits_of(DEVICE_EMU, size).time_ms, launch_ms);
}
END_TEST

// What it has taken is also time of the grade, but is not taken from its own time twice.
START_TEST(one_kernel_may_take_six_minutes) {
    const struct size size = {512, 512, 512};
    run_patience_spend(&patience, DEVICE_EMU, 350000);
    ck_assert_uint_eq(limits_of(DEVICE_EMU, size).time_ms, 10000);
}
END_TEST

// So that the rest ends at the same access on any machine.
START_TEST(what_is_left_of_a_kernel_is_a_number_of_accesses) {
    const struct size size = {512, 512, 512};
    run_patience_spend(&patience, DEVICE_EMU, run_accesses_ms(17000000000));
    patience.slowness = 7.0;
    struct run_limits limits = limits_of(DEVICE_EMU, size);
    ck_assert(limits.is_rest);
    ck_assert_uint_eq(limits.accesses, 1000000000);
    ck_assert_uint_eq(limits.time_ms, 7 * 20000);
}
END_TEST

// Eight kernels that use up what they may take, and a right one after them.
START_TEST(a_grade_has_a_limit_and_its_last_kernel_is_judged_all_the_same) {
    uint64_t grade_ms = 0;
    for (int kernel = 0; kernel < 8; kernel++) {
        run_patience_kernel(&patience);
        for (int i = 0; i < 4; i++) {
            uint64_t ms = limits_of(DEVICE_EMU, (struct size){512, 512, 512}).time_ms;
            run_patience_spend(&patience, DEVICE_EMU, ms);
            grade_ms += ms;
        }
    }
    ck_assert_uint_le(grade_ms, 15 * 60 * 1000);
    run_patience_kernel(&patience);
    ck_assert_uint_ge(limits_of(DEVICE_EMU, (struct size){512, 512, 512}).time_ms, 30000);
}
END_TEST

START_TEST(a_kernel_on_a_gpu_has_half_a_minute_for_all_cases) {
    const struct size size = {961, 1028, 9};
    uint64_t total_ms = 0;
    for (int i = 0; i < 49; i++) {
        uint64_t ms = limits_of(DEVICE_GPU, size).time_ms - 1;
        run_patience_spend(&patience, DEVICE_GPU, ms);
        total_ms += ms;
    }
    ck_assert_uint_le(total_ms, 60000);
}
END_TEST

START_TEST(a_kernel_of_the_course_has_the_limits_of_its_launches_alone) {
    const struct size size = {512, 512, 512};
    struct run_limits limits = run_limits_of(DEVICE_EMU, signature_of_matmul(), size, NULL);
    ck_assert_uint_eq(limits.time_ms, limits_of(DEVICE_EMU, size).time_ms);
    run_patience_spend(NULL, DEVICE_EMU, 1000000);
}
END_TEST

START_TEST(this_machine_is_not_thought_fast) {
    run_patience_begin(&patience);
    ck_assert_double_ge(patience.slowness, 1.0);
    ck_assert_double_le(patience.slowness, 1000.0);
    ck_assert_uint_eq(patience.grade_ms, 0);
}
END_TEST

START_TEST(what_was_allowed_is_said_with_the_size) {
    const struct size size = {512, 512, 512};
    struct run_limits limits = {.accesses = 5373952000, .time_ms = 214958, .ordinary_ms = 107479};
    char text[400] = "";
    run_limits_write(DEVICE_EMU, size, &limits, text, sizeof text);
    ck_assert_str_eq(plain(text),
                     "A launch at size 512x512x512 may make 5373 million loads, stores and "
                     "barrier arrivals, and take 107 s of an ordinary processor's time.");
    limits.is_rest = true;
    text[0] = '\0';
    run_limits_write(DEVICE_EMU, size, &limits, text, sizeof text);
    ck_assert_ptr_nonnull(
        strstr(plain(text), "512x512x512 may take 107.5 s of processor time: earlier"));
}
END_TEST

SUITE() {
    Suite *suite = suite_create("limits");
    TCase *tests = tcase_create("limits");
    const int count = (int)(sizeof sizes / sizeof *sizes);
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_loop_test(tests, the_simplest_kernel_may_take_four_times_as_much, 0, count);
    tcase_add_loop_test(tests, a_block_for_each_element_is_not_stopped, 0, count);
    tcase_add_loop_test(tests, a_block_of_1024_threads_for_each_element_is_not_stopped, 0, 4);
    tcase_add_loop_test(tests, the_references_may_do_twenty_times_their_work_where_it_is_counted, 0,
                        3);
    tcase_add_loop_test(tests,
                        no_launch_has_less_than_five_seconds_and_none_at_512_more_than_two_minutes,
                        0, count);
    tcase_add_test(tests, a_slow_machine_has_more_time_and_no_more_accesses);
    tcase_add_test(tests, all_launches_of_a_kernel_have_a_limit_together);
    tcase_add_test(tests, one_kernel_may_take_six_minutes);
    tcase_add_test(tests, what_is_left_of_a_kernel_is_a_number_of_accesses);
    tcase_add_test(tests, a_grade_has_a_limit_and_its_last_kernel_is_judged_all_the_same);
    tcase_add_test(tests, a_kernel_on_a_gpu_has_half_a_minute_for_all_cases);
    tcase_add_test(tests, a_kernel_of_the_course_has_the_limits_of_its_launches_alone);
    tcase_add_test(tests, this_machine_is_not_thought_fast);
    tcase_add_test(tests, what_was_allowed_is_said_with_the_size);
    suite_add_tcase(suite, tests);
    return suite;
}
