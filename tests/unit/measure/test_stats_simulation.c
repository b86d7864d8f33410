// A simulation of what the decision promises: with the noise, drift and outliers of real machines,
// a kernel whose ratio is `full` is not called slow, and a kernel at 0.96 of `full` is not called
// fast.
//
// The machine of these runs: white noise, noise that one launch hands on to the next, a drift of
// all times as the machine heats up, and launches that something else delays.
#include <math.h>
#include <stdint.h>

#include "judge/model/points.h"
#include "measure/stats.h"
#include "suite.h"

#define RUNS        20000
#define ONE_IN_1000 (RUNS / 1000)
#define FULL        0.95
#define KEPT        0.9  // the share of noise that the next launch keeps
#define HEAT_PAIRS  30.0

static const struct conditions {
    const char *name;
    double white, handed_on, drift;  // standard deviations, and the drift's end, as shares
    double outliers, delay;          // how many launches, and the mean of their delay
} conditions[] = {
    {"quiet", 0.002, 0.002, 0.01, 0.005, 0.05},
    {"typical", 0.008, 0.008, 0.05, 0.02, 0.15},
    {"bad", 0.02, 0.03, 0.15, 0.05, 0.15},
};
#define CONDITION_COUNT ((int)(sizeof conditions / sizeof *conditions))

struct machine {
    const struct conditions *conditions;
    uint64_t state;
    double handed_on;
    int launches;
};

// xorshift64*; Vigna, "An experimental exploration of Marsaglia's xorshift generators", 2016.
static double uniform(struct machine *machine) {
    uint64_t *state = &machine->state;
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return ((double)((*state * 0x2545f4914f6cdd1dULL) >> 11) + 0.5) / 9007199254740992.0;
}

// Box and Muller 1958, one of the two values.
static double normal(struct machine *machine) {
    double radius = sqrt(-2.0 * log(uniform(machine)));
    return radius * cos(6.283185307179586 * uniform(machine));
}

// The time of one launch that takes ms on an ideal machine.
static double launch(struct machine *machine, double ms) {
    const struct conditions *c = machine->conditions;
    double fresh = c->handed_on * sqrt(1.0 - KEPT * KEPT) * normal(machine);
    machine->handed_on = KEPT * machine->handed_on + fresh;
    double heat = c->drift * (1.0 - exp(-machine->launches++ / (2 * HEAT_PAIRS)));
    double time = ms * (1.0 + c->white * normal(machine) + machine->handed_on + heat);
    if (uniform(machine) < c->outliers) {
        time *= 1.0 - c->delay * log(uniform(machine));
    }
    return time;
}

// One grade of a kernel whose true ratio is `truth`.
static enum stats_decision grade(struct machine *machine, double truth) {
    double ratios[STATS_SAMPLES_MAX];
    int count = 0;
    machine->launches = 0;
    machine->handed_on = machine->conditions->handed_on * normal(machine);
    for (int look = 0; look < STATS_LOOKS; look++) {
        for (; count < stats_look(look); count++) {
            bool student_leads = count % 2 == 0;
            double first = launch(machine, student_leads ? 1.0 / truth : 1.0);
            double second = launch(machine, student_leads ? 1.0 : 1.0 / truth);
            ratios[count] = student_leads ? second / first : first / second;
        }
        enum stats_decision decision = stats_decide(ratios, count, SCORE_GRACE * FULL);
        if (decision != STATS_UNDECIDED) {
            return decision;
        }
    }
    return STATS_UNDECIDED;
}

// How many of RUNS grades reach that decision.
static int count_of(int index, double truth, enum stats_decision decision) {
    struct machine machine = {.conditions = &conditions[index],
                              .state = 88172645463325252ULL + (uint64_t)index};
    int count = 0;
    for (int i = 0; i < RUNS; i++) {
        count += grade(&machine, truth) == decision;
    }
    return count;
}

START_TEST(a_kernel_at_full_is_called_slow_in_at_most_one_of_1000_grades) {
    int slow = count_of(_i, FULL, STATS_SLOW);
    ck_assert_msg(slow <= ONE_IN_1000, "%s: slow in %d of %d", conditions[_i].name, slow, RUNS);
}
END_TEST

START_TEST(a_kernel_at_096_of_full_is_called_fast_in_at_most_one_of_1000_grades) {
    int fast = count_of(_i, 0.96 * FULL, STATS_FAST);
    ck_assert_msg(fast <= ONE_IN_1000, "%s: fast in %d of %d", conditions[_i].name, fast, RUNS);
}
END_TEST

// Otherwise, a procedure that never decides would keep the two promises above.
START_TEST(what_is_clear_is_decided_under_typical_conditions) {
    ck_assert_int_ge(count_of(1, FULL, STATS_FAST), RUNS * 99 / 100);
    ck_assert_int_ge(count_of(1, 0.96 * FULL, STATS_SLOW), RUNS * 99 / 100);
}
END_TEST

// A simulation that cannot fail shows nothing: decisions by single ratios are often wrong.
START_TEST(single_pairs_would_decide_wrongly) {
    struct machine machine = {.conditions = &conditions[1], .state = 88172645463325252ULL};
    int wrong = 0;
    for (int i = 0; i < RUNS; i++) {
        double student = launch(&machine, 1.0 / FULL);
        wrong += launch(&machine, 1.0) / student < SCORE_GRACE * FULL;
    }
    ck_assert_int_gt(wrong, 20 * ONE_IN_1000);
}
END_TEST

SUITE() {
    Suite *suite = suite_create("stats_simulation");
    TCase *tests = tcase_create("stats_simulation");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, a_kernel_at_full_is_called_slow_in_at_most_one_of_1000_grades, 0,
                        CONDITION_COUNT);
    tcase_add_loop_test(tests, a_kernel_at_096_of_full_is_called_fast_in_at_most_one_of_1000_grades,
                        0, CONDITION_COUNT);
    tcase_add_test(tests, what_is_clear_is_decided_under_typical_conditions);
    tcase_add_test(tests, single_pairs_would_decide_wrongly);
    suite_add_tcase(suite, tests);
    return suite;
}
