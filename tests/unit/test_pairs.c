// The run of pairs over a machine that is made up: order, stopping, and when a run is not believed.
#include <math.h>
#include <string.h>

#include "measure/pairs.h"
#include "suite.h"

#define CALLS_MAX 4096

// A machine on which the reference takes 1 ms and the student as told.
struct machine {
    double student_ms;
    double wobble;  // share by which every second pair differs
    double reference_noise;
    double wall_ms;    // of every answer
    int wrong_call;    // the call from 0 whose output is wrong; -1: none
    int failing_call;  // the call that fails; -1: none
    int odd_until;     // before this call the student is impossibly fast
    int calls;
    enum pairs_side side[CALLS_MAX];
    int pair[CALLS_MAX];
};

static enum status machine_launch(void *context, enum pairs_side side, int pair,
                                  struct pairs_sample *ret_sample, struct error *err) {
    struct machine *machine = context;
    ck_assert_int_lt(machine->calls, CALLS_MAX);
    int call = machine->calls++;
    machine->side[call] = side;
    machine->pair[call] = pair;
    if (call == machine->failing_call) {
        (void)snprintf(err->text, sizeof err->text, "the worker is gone");
        return STATUS_SYSTEM;
    }
    double ms = side == PAIRS_STUDENT ? machine->student_ms : 1.0;
    ms *= side == PAIRS_STUDENT && pair % 2 == 1 ? 1.0 + machine->wobble : 1.0;
    ms *= side == PAIRS_REFERENCE && pair % 2 == 1 ? 1.0 + machine->reference_noise : 1.0;
    ms = side == PAIRS_STUDENT && call < machine->odd_until ? 0.001 : ms;
    *ret_sample = (struct pairs_sample){
        .event_ms = ms, .wall_ms = machine->wall_ms, .right = call != machine->wrong_call};
    return STATUS_OK;
}

static struct machine machine;
static struct pairs_result result;
static struct error err;

static void machine_reset(void) {
    memset(&machine, 0, sizeof machine);
    memset(&result, 0, sizeof result);
    machine.student_ms = 1.0;
    machine.wrong_call = -1;
    machine.failing_call = -1;
    err.text[0] = '\0';
}

static enum status measure(double needed, double least_ms) {
    struct pairs_io io = {.context = &machine, .least_ms = least_ms, .launch = machine_launch};
    return pairs_measure(&io, needed, &result, &err);
}

START_TEST(an_equal_kernel_is_fast_after_11_pairs) {
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_OK);
    ck_assert(result.right);
    ck_assert_int_eq(result.decision, STATS_FAST);
    ck_assert_int_eq(result.pairs, 11);
    ck_assert_int_eq(result.attempts, 1);
    ck_assert_double_eq(result.ratio, 1.0);
    ck_assert_double_eq(result.low, 1.0);
    ck_assert_double_eq(result.high, 1.0);
    ck_assert_double_eq(result.student_ms, 1.0);
}
END_TEST

START_TEST(a_kernel_of_half_the_speed_is_slow_and_its_samples_are_kept) {
    machine.student_ms = 2.0;
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_OK);
    ck_assert_int_eq(result.decision, STATS_SLOW);
    ck_assert_double_eq(result.ratio, 0.5);
    for (int i = 0; i < result.pairs; i++) {
        ck_assert_double_eq(result.student[i], 2.0);
        ck_assert_double_eq(result.reference[i], 1.0);
    }
}
END_TEST

START_TEST(a_ratio_that_wobbles_around_the_needed_one_is_marginal_after_81_pairs) {
    machine.student_ms = 1.0 / 0.96;
    machine.wobble = 0.02;  // ratios 0.96 and 0.941
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_OK);
    ck_assert_int_eq(result.decision, STATS_MARGINAL);
    ck_assert_int_eq(result.pairs, 81);
}
END_TEST

START_TEST(sides_alternate_and_both_launches_of_a_pair_have_one_number) {
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_OK);
    ck_assert_int_eq(machine.calls % 2, 0);
    int first = machine.calls - 22;  // the last 11 pairs are the measured ones
    for (int i = 0; i < 11; i++) {
        enum pairs_side leads = i % 2 == 0 ? PAIRS_STUDENT : PAIRS_REFERENCE;
        ck_assert_int_eq(machine.side[first + 2 * i], leads);
        ck_assert_int_ne(machine.side[first + 2 * i + 1], leads);
        ck_assert_int_eq(machine.pair[first + 2 * i], machine.pair[first + 2 * i + 1]);
    }
}
END_TEST

START_TEST(no_two_pairs_have_the_same_number_not_even_in_warm_up) {
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_OK);
    ck_assert_int_ge(machine.calls, 22 + 4);  // there was a warm-up
    for (int i = 0; i < machine.calls; i++) {
        ck_assert_int_eq(machine.pair[i], i / 2);
    }
}
END_TEST

START_TEST(a_wrong_output_ends_the_measurement_with_its_pair) {
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_OK);
    int call = machine.calls - 5;
    while (machine.side[call] != PAIRS_STUDENT) {
        call--;
    }
    machine_reset();
    machine.wrong_call = call;
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_OK);
    ck_assert(!result.right);
    ck_assert_int_eq(result.wrong_pair, call / 2);
    ck_assert_int_eq(machine.calls, call + 1);
}
END_TEST

START_TEST(a_wrong_output_in_warm_up_counts_too) {
    machine.wrong_call = 0;
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_OK);
    ck_assert(!result.right);
    ck_assert_int_eq(machine.calls, 1);
}
END_TEST

START_TEST(a_wrong_reference_is_our_trouble) {
    machine.wrong_call = 1;
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_SYSTEM);
    ck_assert_str_eq(err.text, "the reference computed a wrong product while it was timed");
}
END_TEST

START_TEST(an_error_of_the_caller_passes_through) {
    machine.failing_call = 7;
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_SYSTEM);
    ck_assert_str_eq(err.text, "the worker is gone");
    ck_assert_int_eq(machine.calls, 8);
}
END_TEST

START_TEST(a_time_of_zero_or_no_number_is_our_trouble) {
    machine.student_ms = 0.0;
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_SYSTEM);
    machine_reset();
    machine.student_ms = (double)NAN;
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_SYSTEM);
}
END_TEST

START_TEST(a_time_that_no_gpu_can_reach_is_not_believed) {
    machine.student_ms = 0.09;
    ck_assert_int_eq(measure(0.95, 0.1), STATUS_UNAVAILABLE);
    ck_assert_str_eq(
        err.text, "the speed cannot be judged, measure again: the kernel took 0.090000 ms, and no "
                  "GPU of this kind can need less than 0.100000 ms");
    machine_reset();
    machine.student_ms = 0.1;
    ck_assert_int_eq(measure(0.95, 0.1), STATUS_OK);
    ck_assert_int_eq(result.decision, STATS_FAST);
}
END_TEST

START_TEST(one_suspicious_run_is_measured_again) {
    machine.odd_until = 2;
    ck_assert_int_eq(measure(0.95, 0.1), STATUS_OK);
    ck_assert_int_eq(result.attempts, 2);
    ck_assert_int_eq(result.decision, STATS_FAST);
}
END_TEST

START_TEST(an_event_longer_than_the_wait_for_it_is_not_believed) {
    machine.wall_ms = 0.9;
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_UNAVAILABLE);
    machine_reset();
    machine.wall_ms = 1.0;
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_OK);
}
END_TEST

START_TEST(noise_of_the_reference_is_not_believed) {
    machine.reference_noise = 0.2;
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_UNAVAILABLE);
    ck_assert_ptr_nonnull(strstr(err.text, "too noisy"));
    machine_reset();
    machine.reference_noise = 0.08;
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_OK);
}
END_TEST

START_TEST(the_least_time_is_that_of_all_fma_units_at_the_highest_clock) {
    // 4096^3 on 132 x 128 units at 1.98 GHz: 2.054 ms, less the 2 %.
    double ms = pairs_least_ms((struct size){4096, 4096, 4096}, 132, 1980000);
    ck_assert_double_eq_tol(ms, 2.054 / 1.02, 0.001);
    ck_assert_double_eq(pairs_least_ms((struct size){1, 1, 1}, 0, 1980000), 0.0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("pairs");
    TCase *tests = tcase_create("pairs");
    tcase_add_checked_fixture(tests, machine_reset, NULL);
    tcase_add_test(tests, an_equal_kernel_is_fast_after_11_pairs);
    tcase_add_test(tests, a_kernel_of_half_the_speed_is_slow_and_its_samples_are_kept);
    tcase_add_test(tests, a_ratio_that_wobbles_around_the_needed_one_is_marginal_after_81_pairs);
    tcase_add_test(tests, sides_alternate_and_both_launches_of_a_pair_have_one_number);
    tcase_add_test(tests, no_two_pairs_have_the_same_number_not_even_in_warm_up);
    tcase_add_test(tests, a_wrong_output_ends_the_measurement_with_its_pair);
    tcase_add_test(tests, a_wrong_output_in_warm_up_counts_too);
    tcase_add_test(tests, a_wrong_reference_is_our_trouble);
    tcase_add_test(tests, an_error_of_the_caller_passes_through);
    tcase_add_test(tests, a_time_of_zero_or_no_number_is_our_trouble);
    tcase_add_test(tests, a_time_that_no_gpu_can_reach_is_not_believed);
    tcase_add_test(tests, one_suspicious_run_is_measured_again);
    tcase_add_test(tests, an_event_longer_than_the_wait_for_it_is_not_believed);
    tcase_add_test(tests, noise_of_the_reference_is_not_believed);
    tcase_add_test(tests, the_least_time_is_that_of_all_fma_units_at_the_highest_clock);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
