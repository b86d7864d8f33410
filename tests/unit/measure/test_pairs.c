// The run of pairs on a simulated machine: order, stopping, and what happens to a measurement that
// is not believed.
#include <math.h>
#include <string.h>

#include "measure/pairs.h"
#include "suite.h"

#define CALLS_MAX   4096
#define CALIBRATION 6  // launches of the reference alone, if nothing has to warm up

// A machine on which the reference takes 1 ms and the student takes the given time.
struct machine {
    double student_ms;
    double wobble;     // share by which every second pair differs
    double real;       // factor of the student's times on real inputs; 0: as on integers
    double both;       // share by which both sides differ in every second pair
    int wrong_call;    // the call from 0 whose output is known at once to be wrong; -1: none
    int late_wrong;    // the call whose output turns out to be wrong when all are verified
    int failing_call;  // the call that fails; -1: none
    int odd_until;     // before this call the student is impossibly fast
    bool shared;       // with others, who can be kept away …
    bool quiet_alone;  // … and make the noise of both sides
    int calls, settled, isolated;
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
    ms *= side == PAIRS_STUDENT && machine->real > 0.0 && pairs_is_real(pair) ? machine->real : 1.0;
    ms *= pair % 2 == 1 ? 1.0 + machine->both : 1.0;
    ms = side == PAIRS_STUDENT && call < machine->odd_until ? 0.001 : ms;
    *ret_sample = (struct pairs_sample){.event_ms = ms,
                                        .wall_ms = ms + 0.1,
                                        .beside_ms = 2.0,
                                        .launches = 1,
                                        .right = call != machine->wrong_call};
    return STATUS_OK;
}

static enum status machine_settle(void *context, bool *ret_right, struct error *err) {
    struct machine *machine = context;
    (void)err;
    machine->settled = machine->calls;
    *ret_right = machine->late_wrong < 0 || machine->late_wrong >= machine->calls;
    return STATUS_OK;
}

static enum status machine_isolate(void *context, bool *ret_alone, struct error *err) {
    struct machine *machine = context;
    (void)err;
    machine->isolated++;
    *ret_alone = machine->shared;
    if (machine->quiet_alone) {
        machine->both = 0.0;
    }
    return STATUS_OK;
}

static struct machine machine;
static struct pairs_result result;
static struct error err;
static double hopeless;  // of struct pairs_io
static bool one_kind;

static void machine_reset(void) {
    memset(&machine, 0, sizeof machine);
    memset(&result, 0, sizeof result);
    machine.student_ms = 1.0;
    machine.wrong_call = -1;
    machine.late_wrong = -1;
    machine.failing_call = -1;
    hopeless = 0.0;
    one_kind = false;
    err.text[0] = '\0';
}

static enum status measure(double needed, double least_ms) {
    struct pairs_io io = {.context = &machine,
                          .least_ms = least_ms,
                          .hopeless = hopeless,
                          .one_kind = one_kind,
                          .launch = machine_launch,
                          .settle = machine_settle,
                          .isolate = machine_isolate};
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
        ck_assert_double_eq(result.student[i].event_ms, 2.0);
        ck_assert_double_eq(result.reference[i].event_ms, 1.0);
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
    int first = machine.calls - 22;  // the last 11 pairs are the measured ones
    for (int i = 0; i < 11; i++) {
        enum pairs_side leads = i % 2 == 0 ? PAIRS_STUDENT : PAIRS_REFERENCE;
        ck_assert_int_eq(machine.side[first + 2 * i], leads);
        ck_assert_int_ne(machine.side[first + 2 * i + 1], leads);
        ck_assert_int_eq(machine.pair[first + 2 * i], machine.pair[first + 2 * i + 1]);
    }
}
END_TEST

START_TEST(the_reference_is_calibrated_alone_before_the_student_runs) {
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_OK);
    for (int i = 0; i < CALIBRATION; i++) {
        ck_assert_int_eq(machine.side[i], PAIRS_REFERENCE);
    }
    ck_assert_int_eq(machine.side[CALIBRATION], PAIRS_STUDENT);
    ck_assert_double_eq(result.calibrated_ms, 1.0);
}
END_TEST

START_TEST(no_two_pairs_have_the_same_number_not_even_in_warm_up) {
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_OK);
    ck_assert_int_eq(machine.calls, CALIBRATION + 2 * 2 + 22);
    for (int i = 1; i < machine.calls; i++) {
        bool second = i > CALIBRATION && (i - CALIBRATION) % 2 == 1;
        ck_assert_int_eq(machine.pair[i] - machine.pair[i - 1], second ? 0 : 1);
    }
}
END_TEST

START_TEST(a_wrong_output_ends_the_measurement_at_once) {
    machine.wrong_call = CALIBRATION + 4 + 2 * 4;  // in the measured pair 4 the student is first
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_OK);
    ck_assert(!result.right);
    ck_assert_int_eq(machine.calls, machine.wrong_call + 1);
}
END_TEST

START_TEST(a_wrong_output_in_warm_up_counts_too) {
    machine.wrong_call = CALIBRATION;
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_OK);
    ck_assert(!result.right);
    ck_assert_int_eq(machine.calls, CALIBRATION + 1);
}
END_TEST

START_TEST(a_ratio_counts_only_when_every_output_is_verified) {
    machine.late_wrong = CALIBRATION + 3;
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_OK);
    ck_assert(!result.right);
    machine_reset();
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_OK);
    ck_assert_int_eq(machine.settled, machine.calls);
    ck_assert(result.right);
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

START_TEST(one_doubtful_run_is_measured_again) {
    machine.odd_until = CALIBRATION + 2 * 2 + 2;  // the first measured pair
    ck_assert_int_eq(measure(0.95, 0.1), STATUS_OK);
    ck_assert_int_eq(result.attempts, 2);
    ck_assert(result.believed);
    ck_assert_int_eq(result.decision, STATS_FAST);
    ck_assert_ptr_nonnull(strstr(result.doubt, "no GPU of this kind"));  // why there were two
}
END_TEST

START_TEST(a_run_that_stays_doubtful_is_given_up_after_three) {
    machine.student_ms = 0.09;
    ck_assert_int_eq(measure(0.95, 0.1), STATUS_OK);
    ck_assert(result.right);
    ck_assert(!result.believed);
    ck_assert_int_eq(result.attempts, PAIRS_ATTEMPTS);
    ck_assert_str_eq(plain(result.doubt),
                     "the kernel took 0.090000 ms, and no GPU of this kind can need "
                     "less than 0.100000 ms");
}
END_TEST

// --- Integers and real numbers ------------------------------------------------------------------

START_TEST(both_kinds_of_inputs_meet_both_orders_of_the_sides) {
    int seen[2][2] = {{0}};
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_OK);
    ck_assert_int_eq(result.kinds, PAIRS_OF_BOTH);
    int first = machine.calls - 22;
    for (int i = 0; i < 11; i++) {
        bool leads = machine.side[first + 2 * i] == PAIRS_STUDENT;
        seen[pairs_is_real(machine.pair[first + 2 * i])][leads]++;
    }
    ck_assert_int_ge(seen[0][0], 2);
    ck_assert_int_ge(seen[0][1], 2);
    ck_assert_int_ge(seen[1][0], 2);
    ck_assert_int_ge(seen[1][1], 2);
}
END_TEST

START_TEST(a_shortcut_for_one_kind_of_numbers_gains_nothing) {
    const double factors[] = {1.5, 1.04, 1.0 / 1.04, 1.0 / 1.5};
    double factor = factors[_i];
    machine.student_ms = factor > 1.0 ? 1.0 / 0.95 : 1.0 / 0.95 / factor;
    machine.real = factor;
    ck_assert_int_eq(measure(0.9, 0.0), STATUS_OK);
    ck_assert(result.believed);
    ck_assert_int_eq(result.kinds, factor > 1.0 ? PAIRS_REAL : PAIRS_EXACT);
    ck_assert_double_eq_tol(result.ratio, factor > 1.0 ? 0.95 / factor : 0.95 * factor, 1e-9);
    ck_assert_double_eq_tol(result.other_ratio, 0.95, 1e-9);
    ck_assert_int_ge(result.pairs, 11);
    for (int i = 0; i < result.pairs; i++) {
        ck_assert_double_eq_tol(result.reference[i].event_ms / result.student[i].event_ms,
                                result.ratio, 1e-9);
    }
}
END_TEST

START_TEST(a_difference_as_power_and_clocks_make_it_parts_no_kinds) {
    machine.real = 1.025;
    ck_assert_int_eq(measure(0.9, 0.0), STATUS_OK);
    ck_assert_int_eq(result.kinds, PAIRS_OF_BOTH);
    ck_assert_int_eq(result.decision, STATS_FAST);
}
END_TEST

START_TEST(inputs_of_one_kind_are_not_parted) {
    machine.real = 1.06;
    ck_assert_int_eq(measure(0.9, 0.0), STATUS_OK);
    ck_assert_int_eq(result.kinds, PAIRS_REAL);
    machine_reset();
    machine.real = 1.06;
    one_kind = true;
    ck_assert_int_eq(measure(0.9, 0.0), STATUS_OK);
    ck_assert_int_eq(result.kinds, PAIRS_OF_BOTH);
}
END_TEST

START_TEST(noise_parts_no_kinds) {
    machine.wobble = 0.08;  // in every second pair, whatever its inputs
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_OK);
    ck_assert_int_eq(result.kinds, PAIRS_OF_BOTH);
    ck_assert_int_eq(result.decision, STATS_MARGINAL);
}
END_TEST

// --- The kernel's own noise, and hopeless kernels ------------------------------------------------

START_TEST(noise_of_the_student_alone_is_its_result) {
    machine.wobble = 0.25;
    ck_assert_int_eq(measure(0.9, 0.0), STATUS_OK);
    ck_assert(result.believed);
    ck_assert(result.unsteady);
    ck_assert_int_eq(result.decision, STATS_MARGINAL);
    ck_assert_int_eq(result.attempts, 1);
}
END_TEST

START_TEST(noise_of_both_is_the_machines) {
    machine.wobble = 0.25;
    machine.both = 0.04;
    ck_assert_int_eq(measure(0.9, 0.0), STATUS_OK);
    ck_assert(!result.believed);
    ck_assert_int_eq(result.attempts, PAIRS_ATTEMPTS);
    ck_assert_ptr_nonnull(strstr(result.doubt, "too noisy"));
}
END_TEST

START_TEST(noise_that_others_make_is_gone_once_they_are_kept_away) {
    machine.wobble = 0.25;
    machine.both = 0.04;
    machine.shared = true;
    machine.quiet_alone = true;
    ck_assert_int_eq(measure(0.9, 0.0), STATUS_OK);
    ck_assert(result.believed);
    ck_assert_int_eq(result.attempts, PAIRS_ATTEMPTS + 1);
    ck_assert_int_eq(machine.isolated, 1);
    for (int i = 0; i + 2 < machine.calls; i++) {  // no pair's inputs are used again
        ck_assert_int_le(machine.pair[i], machine.pair[i + 1]);
    }
}
END_TEST

START_TEST(noise_that_stays_without_others_is_given_up) {
    machine.wobble = 0.25;
    machine.both = 0.04;
    machine.shared = true;
    ck_assert_int_eq(measure(0.9, 0.0), STATUS_OK);
    ck_assert(!result.believed);
    ck_assert_int_eq(result.attempts, PAIRS_ATTEMPTS + PAIRS_ALONE);
    ck_assert_int_eq(machine.isolated, 1);
}
END_TEST

START_TEST(a_hopeless_kernel_is_slow_after_three_pairs) {
    hopeless = 0.15;
    machine.student_ms = 1000.0;
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_OK);
    ck_assert_int_eq(result.decision, STATS_SLOW);
    ck_assert_int_eq(result.pairs, STATS_FEW);
    ck_assert_int_eq(machine.calls, CALIBRATION + 2 * (1 + STATS_FEW));
    ck_assert_double_eq(result.low, 0.001);
    ck_assert_double_eq(result.high, 0.001);
}
END_TEST

START_TEST(a_slow_kernel_that_may_win_points_is_measured_in_full) {
    hopeless = 0.15;
    machine.student_ms = 6.0;  // a ratio of 0.167
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_OK);
    ck_assert_int_eq(result.decision, STATS_SLOW);
    ck_assert_int_eq(result.pairs, 11);
    machine_reset();
    hopeless = 0.15;
    machine.student_ms = 10.0;
    machine.real = 0.1;  // hopeless with integers alone
    ck_assert_int_eq(measure(0.95, 0.0), STATUS_OK);
    ck_assert_int_eq(result.kinds, PAIRS_EXACT);
    ck_assert_int_eq(result.pairs, 11);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("pairs");
    TCase *tests = tcase_create("pairs");
    tcase_add_checked_fixture(tests, machine_reset, NULL);
    tcase_add_test(tests, an_equal_kernel_is_fast_after_11_pairs);
    tcase_add_test(tests, a_kernel_of_half_the_speed_is_slow_and_its_samples_are_kept);
    tcase_add_test(tests, a_ratio_that_wobbles_around_the_needed_one_is_marginal_after_81_pairs);
    tcase_add_test(tests, sides_alternate_and_both_launches_of_a_pair_have_one_number);
    tcase_add_test(tests, the_reference_is_calibrated_alone_before_the_student_runs);
    tcase_add_test(tests, no_two_pairs_have_the_same_number_not_even_in_warm_up);
    tcase_add_test(tests, a_wrong_output_ends_the_measurement_at_once);
    tcase_add_test(tests, a_wrong_output_in_warm_up_counts_too);
    tcase_add_test(tests, a_ratio_counts_only_when_every_output_is_verified);
    tcase_add_test(tests, an_error_of_the_caller_passes_through);
    tcase_add_test(tests, a_time_of_zero_or_no_number_is_our_trouble);
    tcase_add_test(tests, one_doubtful_run_is_measured_again);
    tcase_add_test(tests, a_run_that_stays_doubtful_is_given_up_after_three);
    tcase_add_test(tests, both_kinds_of_inputs_meet_both_orders_of_the_sides);
    tcase_add_loop_test(tests, a_shortcut_for_one_kind_of_numbers_gains_nothing, 0, 4);
    tcase_add_test(tests, a_difference_as_power_and_clocks_make_it_parts_no_kinds);
    tcase_add_test(tests, inputs_of_one_kind_are_not_parted);
    tcase_add_test(tests, noise_parts_no_kinds);
    tcase_add_test(tests, noise_of_the_student_alone_is_its_result);
    tcase_add_test(tests, noise_of_both_is_the_machines);
    tcase_add_test(tests, noise_that_others_make_is_gone_once_they_are_kept_away);
    tcase_add_test(tests, noise_that_stays_without_others_is_given_up);
    tcase_add_test(tests, a_hopeless_kernel_is_slow_after_three_pairs);
    tcase_add_test(tests, a_slow_kernel_that_may_win_points_is_measured_in_full);
    suite_add_tcase(suite, tests);
    return suite;
}
