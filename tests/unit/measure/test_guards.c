// Guards with invented samples: each is tripped by one change, and not by a change just inside its
// limit.
#include <string.h>

#include "measure/stats.h"
#include "suite.h"

#define COUNT 11

#define ALONE 5

static struct pairs_sample student[COUNT], reference[COUNT], calibration[ALONE];
static struct guarded guarded;
static char doubt[DOUBT_MAX];

// A quiet GPU: 1 ms for each launch, 0.1 ms of waiting, 2 ms outside the launch.
static void quiet(void) {
    const struct pairs_sample sample = {
        .event_ms = 1.0, .wall_ms = 1.1, .beside_ms = 2.0, .launches = 1, .right = true};
    for (int i = 0; i < COUNT; i++) {
        student[i] = sample;
        reference[i] = sample;
    }
    for (int i = 0; i < ALONE; i++) {
        calibration[i] = sample;
    }
    guarded = (struct guarded){.student = student,
                               .reference = reference,
                               .count = COUNT,
                               .least_ms = 0.1,
                               .calibration = calibration,
                               .calibration_count = ALONE};
    doubt[0] = '\0';
}

static bool believed(void) {
    return guards_believe(&guarded, doubt);
}

START_TEST(a_quiet_measurement_is_believed) {
    ck_assert(believed());
    ck_assert_str_eq(plain(doubt), "");
}
END_TEST

START_TEST(a_time_below_the_roofline_is_doubted_and_one_at_it_is_not) {
    guarded.least_ms = 1.0;
    ck_assert(believed());
    student[7].event_ms = 0.999;
    ck_assert(!believed());
    ck_assert_str_eq(plain(doubt),
                     "the kernel took 0.999000 ms, and no GPU of this kind can need less than "
                     "1.000000 ms");
    quiet();
    guarded.least_ms = 1.0;
    reference[0].event_ms = 0.999;
    ck_assert(!believed());
    ck_assert_ptr_nonnull(strstr(plain(doubt), "the reference took"));
}
END_TEST

START_TEST(the_least_time_is_that_of_all_fma_units_at_the_highest_clock) {
    // 4096^3 on 132 x 128 units at 1.98 GHz: 2.054 ms, less the 2 %.
    double ms = guard_least_ms((struct size){4096, 4096, 4096}, false, 132, 1980000);
    ck_assert_double_eq_tol(ms, 2.054 / 1.02, 0.001);
    ck_assert_double_eq(guard_least_ms((struct size){1, 1, 1}, false, 0, 1980000), 0.0);
    // A kernel on tensor cores is 32 times as fast at most: cuBLAS needs 0.175 ms for this one.
    ms = guard_least_ms((struct size){4096, 4096, 4096}, true, 132, 1980000);
    ck_assert_double_eq_tol(ms, 2.054 / 1.02 / 32, 0.001);
}
END_TEST

START_TEST(an_event_longer_than_the_wait_for_it_is_doubted) {
    student[3].wall_ms = 1.0;
    ck_assert(believed());
    student[3].wall_ms = 0.99;
    ck_assert(!believed());
    ck_assert_str_eq(plain(doubt),
                     "the kernel took 1.000000 ms by the GPU's clock, but 0.990000 ms had passed");
}
END_TEST

START_TEST(all_launches_of_a_batch_count_against_the_wall_clock) {
    student[3].launches = 4;
    student[3].wall_ms = 4.1;
    ck_assert(believed());
    student[3].wall_ms = 3.9;
    ck_assert(!believed());
}
END_TEST

// Sets the time outside the events of each launch of the student, in ms.
static void student_rest(double rest_ms) {
    for (int i = 0; i < COUNT; i++) {
        student[i].wall_ms = student[i].event_ms + rest_ms;
    }
}

START_TEST(events_that_claim_too_little_of_the_wall_clock_are_doubted) {
    student_rest(0.1 + GUARD_CLOCK_MS + GUARD_CLOCK_SHARE - 0.001);
    ck_assert(believed());
    student_rest(0.1 + GUARD_CLOCK_MS + GUARD_CLOCK_SHARE + 0.001);
    ck_assert(!believed());
    ck_assert_str_eq(plain(doubt),
                     "the kernel's launches took 0.651 ms beyond what the GPU's clock says, "
                     "the reference's 0.100 ms");
    quiet();
    student[0].wall_ms = 100;  // one late answer is the machine's fault
    ck_assert(believed());
}
END_TEST

START_TEST(work_hidden_beside_the_launches_is_doubted) {
    for (int i = 0; i < COUNT; i++) {
        student[i].beside_ms = 2.0 * (1 + GUARD_BESIDE_SHARE) + GUARD_BESIDE_MS;
    }
    ck_assert(believed());
    for (int i = 0; i < COUNT; i++) {
        student[i].beside_ms += 0.001;
    }
    ck_assert(!believed());
    ck_assert_str_eq(plain(doubt),
                     "inputs and outputs of the kernel took 6.001 ms, those of the reference "
                     "2.000 ms");
}
END_TEST

static void alone(double ms) {
    for (int i = 0; i < ALONE; i++) {
        calibration[i].event_ms = ms;
    }
}

START_TEST(a_reference_that_left_its_calibration_is_doubted) {
    alone(0.953);
    ck_assert(believed());
    alone(0.952);
    ck_assert(!believed());
    ck_assert_str_eq(plain(doubt),
                     "the reference took 0.952000 ms alone, but 1.000000 ms next to the kernel");
    alone(1.053);  // and a faster one too
    ck_assert(!believed());
    alone(1.052);
    ck_assert(believed());
    guarded.calibration_count = 0;  // not known
    ck_assert(believed());
}
END_TEST

// Half of the launches have real inputs, on which both kernels take longer.
static void longer_on_real(double share) {
    for (int i = 0; i < COUNT; i++) {
        student[i].real = reference[i].real = i % 4 >= 2;
        if (reference[i].real) {
            student[i].event_ms = reference[i].event_ms = 1.0 + share;
            student[i].wall_ms = reference[i].wall_ms = 1.1 + share;
        }
    }
    for (int i = 0; i < ALONE; i++) {
        calibration[i].real = i >= 2;
        calibration[i].event_ms = i >= 2 ? 1.0 + share : 1.0;
    }
}

START_TEST(a_reference_that_is_slower_on_one_kind_of_inputs_is_believed) {
    longer_on_real(0.45);
    ck_assert(believed());
    calibration[3].event_ms = calibration[4].event_ms = calibration[2].event_ms = 1.0;
    ck_assert(!believed());  // alone it was not slower on them
    quiet();
    longer_on_real(0.45);
    for (int i = 0; i < COUNT; i++) {
        reference[i].real = false;  // the same times on inputs of one kind
    }
    ck_assert(!believed());
    ck_assert_ptr_nonnull(strstr(plain(doubt), "too noisy"));
    quiet();
    longer_on_real(0.45);
    for (int i = 0; i < COUNT; i++) {
        student[i].real = reference[i].real = true;  // only these pairs count
        student[i].event_ms = reference[i].event_ms = 1.45;
        student[i].wall_ms = reference[i].wall_ms = 1.55;
    }
    ck_assert(believed());
}
END_TEST

static void wobble(struct pairs_sample *samples, double share) {
    for (int i = 1; i < COUNT; i += 2) {
        samples[i].event_ms = 1.0 + share;
        samples[i].wall_ms = samples[i].event_ms + 0.1;
    }
}

static bool unsteady(void) {
    double ratio[COUNT];
    double reference_ms[COUNT];
    for (int i = 0; i < COUNT; i++) {
        reference_ms[i] = reference[i].event_ms;
        ratio[i] = reference_ms[i] / student[i].event_ms;
    }
    return guards_are_unsteady(ratio, reference_ms, COUNT);
}

START_TEST(noise_is_doubted_unless_the_reference_is_quiet_beside_it) {
    wobble(student, 0.09);
    ck_assert(believed());
    ck_assert(!unsteady());
    quiet();
    wobble(student, 0.15);
    ck_assert(believed());
    ck_assert(unsteady());
    for (int i = 0; i < COUNT; i += 4) {
        reference[i].event_ms = 1.02;  // still quiet
        reference[i].wall_ms = 1.12;
    }
    ck_assert(believed());
    ck_assert(unsteady());
    for (int i = 0; i < COUNT; i += 2) {
        reference[i].event_ms = 1.04;
        reference[i].wall_ms = 1.14;
    }
    ck_assert(!believed());
    ck_assert(!unsteady());
    ck_assert_ptr_nonnull(strstr(plain(doubt), "too noisy"));
    quiet();
    wobble(student, 0.15);  // both sides alike: the ratios are quiet, the reference is not
    wobble(reference, 0.15);
    ck_assert(!believed());
}
END_TEST

static void slowed(struct pairs_sample *samples, int count, uint32_t reasons) {
    for (int i = 0; i < count; i++) {
        samples[i].state = (struct gpu_state){.known = GPU_STATE_REASONS, .reasons = reasons};
    }
}

START_TEST(a_gpu_slowed_by_heat_in_many_pairs_is_doubted) {
    slowed(reference, 2, GPU_REASON_HW_THERMAL);
    ck_assert(believed());
    slowed(reference, 3, GPU_REASON_HW_THERMAL);
    ck_assert(!believed());
    ck_assert_str_eq(plain(doubt),
                     "the GPU was slowed down in 3 of 11 pairs by heat (NVML's reasons 0x40)");
    slowed(reference, COUNT, GPU_REASON_POWER_BRAKE);
    ck_assert(!believed());
    ck_assert_ptr_nonnull(strstr(plain(doubt), "its power supply"));
}
END_TEST

START_TEST(the_ordinary_power_cap_is_no_doubt_and_the_students_worker_is_not_asked) {
    slowed(reference, COUNT, GPU_REASON_POWER_CAP);
    slowed(student, COUNT, GPU_REASON_HW_THERMAL);
    ck_assert(believed());
}
END_TEST

SUITE() {
    Suite *suite = suite_create("guards");
    TCase *tests = tcase_create("guards");
    tcase_add_checked_fixture(tests, quiet, NULL);
    tcase_add_test(tests, a_quiet_measurement_is_believed);
    tcase_add_test(tests, a_time_below_the_roofline_is_doubted_and_one_at_it_is_not);
    tcase_add_test(tests, the_least_time_is_that_of_all_fma_units_at_the_highest_clock);
    tcase_add_test(tests, an_event_longer_than_the_wait_for_it_is_doubted);
    tcase_add_test(tests, all_launches_of_a_batch_count_against_the_wall_clock);
    tcase_add_test(tests, events_that_claim_too_little_of_the_wall_clock_are_doubted);
    tcase_add_test(tests, work_hidden_beside_the_launches_is_doubted);
    tcase_add_test(tests, a_reference_that_left_its_calibration_is_doubted);
    tcase_add_test(tests, a_reference_that_is_slower_on_one_kind_of_inputs_is_believed);
    tcase_add_test(tests, noise_is_doubted_unless_the_reference_is_quiet_beside_it);
    tcase_add_test(tests, a_gpu_slowed_by_heat_in_many_pairs_is_doubted);
    tcase_add_test(tests, the_ordinary_power_cap_is_no_doubt_and_the_students_worker_is_not_asked);
    suite_add_tcase(suite, tests);
    return suite;
}
