// The caller makes the launches; this file only decides their order and when to stop.
#include "measure/pairs.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/basics.h"
#include "base/words.h"

#define WARM_UP_MIN   1   // launches of the reference alone before calibration
#define WARM_UP_MAX   40  // at most this many, however short they are
#define CALIBRATION   5   // launches that calibrate
#define WARM_UP_PAIRS 2

struct measurement {
    const struct pairs_io *io;
    struct pairs_result *result;
    int next_pair;                  // over all attempts
    int number[STATS_SAMPLES_MAX];  // the number of each pair that counts
    struct pairs_sample calibration[CALIBRATION];
};

// One launch of one side.  A wrong output of the student ends the measurement through
// result->right.
static enum status launch(struct measurement *measurement, enum pairs_side side,
                          struct pairs_sample *sample, struct error *err) {
    const struct pairs_io *io = measurement->io;
    memset(sample, 0, sizeof *sample);
    enum status status = io->launch(io->context, side, measurement->next_pair, sample, err);
    if (status) {
        return status;
    }
    sample->real = io->one_kind || pairs_is_real(measurement->next_pair);
    if (!sample->right) {
        assert(side == PAIRS_STUDENT);
        measurement->result->right = false;
        return STATUS_OK;
    }
    if (!isfinite(sample->event_ms) || !(sample->event_ms > 0.0)) {
        return fail(err, STATUS_SYSTEM, "the time of %s is not a positive number (%g ms)",
                    side == PAIRS_STUDENT ? _("the kernel") : _("the reference"), sample->event_ms);
    }
    return STATUS_OK;
}

static double ratio_of(const struct pairs_result *result, int i) {
    return result->reference[i].event_ms / result->student[i].event_ms;
}

static bool pair_counts(enum pairs_kinds kinds, int pair) {
    return kinds == PAIRS_OF_BOTH || (kinds == PAIRS_REAL) == pairs_is_real(pair);
}

// One pair: the student first in even places, the reference first in odd ones.
static enum status pair(struct measurement *measurement, int place, struct pairs_sample *student,
                        struct pairs_sample *reference, struct error *err) {
    enum status status = STATUS_OK;
    while (!pair_counts(measurement->result->kinds, measurement->next_pair)) {
        measurement->next_pair++;
    }
    for (int i = 0; i < PAIRS_SIDES && !status && measurement->result->right; i++) {
        bool is_student = (place + i) % 2 == 0;
        status = launch(measurement, is_student ? PAIRS_STUDENT : PAIRS_REFERENCE,
                        is_student ? student : reference, err);
    }
    measurement->next_pair++;
    return status;
}

static double median_of_events(const struct pairs_sample *samples, int count) {
    double events[STATS_SAMPLES_MAX];
    for (int i = 0; i < count; i++) {
        events[i] = samples[i].event_ms;
    }
    return stats_median(events, count);
}

// Runs the reference alone, until the GPU is warm, and then measures its time without the student's
// kernel.
static enum status calibrate(struct measurement *measurement, struct error *err) {
    int64_t begin = clock_ns();
    int64_t least_ns = (int64_t)measurement->io->warm_up_ms * 1000000;
    struct pairs_sample sample;
    enum status status = STATUS_OK;
    int counted = 0;
    for (int i = 0; counted < CALIBRATION && !status; i++) {
        bool warm = i >= WARM_UP_MAX || (i >= WARM_UP_MIN && clock_ns() - begin >= least_ns);
        status = launch(measurement, PAIRS_REFERENCE, &sample, err);
        measurement->next_pair++;
        if (warm) {
            measurement->calibration[counted++] = sample;
        }
    }
    if (!status) {
        measurement->result->calibrated_ms =
            median_of_events(measurement->calibration, CALIBRATION);
    }
    return status;
}

static bool is_hopeless(const struct measurement *measurement, const struct pairs_sample *student,
                        const struct pairs_sample *reference) {
    return reference->event_ms < measurement->io->hopeless * student->event_ms;
}

// The first launches of the student's kernel are not counted.
static enum status warm_up(struct measurement *measurement, struct error *err) {
    struct pairs_sample student;
    struct pairs_sample reference;
    enum status status = STATUS_OK;
    bool enough = false;
    for (int i = 0; i < WARM_UP_PAIRS && !status && measurement->result->right && !enough; i++) {
        status = pair(measurement, i, &student, &reference, err);
        enough =
            !status && measurement->result->right && is_hopeless(measurement, &student, &reference);
    }
    return status;
}

static void ratios_of(const struct pairs_result *result, double ratios[STATS_SAMPLES_MAX]) {
    for (int i = 0; i < result->pairs; i++) {
        ratios[i] = ratio_of(result, i);
    }
}

// The ratios of the pairs with real inputs, or of the others.  Returns their number.
static int ratios_of_kind(const struct measurement *measurement, bool real,
                          double ratios[STATS_SAMPLES_MAX]) {
    int count = 0;
    for (int i = 0; i < measurement->result->pairs; i++) {
        if (pairs_is_real(measurement->number[i]) == real) {
            ratios[count++] = ratio_of(measurement->result, i);
        }
    }
    return count;
}

// If the kernel is faster on one kind of inputs than on the other, keeps the pairs of the slower
// kind.
static bool kinds_part(struct measurement *measurement) {
    struct pairs_result *result = measurement->result;
    double exact[STATS_SAMPLES_MAX];
    double real[STATS_SAMPLES_MAX];
    int exact_count = ratios_of_kind(measurement, false, exact);
    int real_count = ratios_of_kind(measurement, true, real);
    if (measurement->io->one_kind || result->kinds != PAIRS_OF_BOTH || exact_count == 0 ||
        real_count == 0) {
        return false;
    }
    double on_exact = stats_median(exact, exact_count);
    double on_real = stats_median(real, real_count);
    bool exact_is_faster = on_exact > on_real * (1.0 + GUARD_INPUTS_MAX) &&
                           stats_above(exact, exact_count, real, real_count);
    bool real_is_faster = on_real > on_exact * (1.0 + GUARD_INPUTS_MAX) &&
                          stats_above(real, real_count, exact, exact_count);
    if (!exact_is_faster && !real_is_faster) {
        return false;
    }
    result->kinds = exact_is_faster ? PAIRS_REAL : PAIRS_EXACT;
    result->other_ratio = exact_is_faster ? on_exact : on_real;
    int kept = 0;
    for (int i = 0; i < result->pairs; i++) {
        if (pair_counts(result->kinds, measurement->number[i])) {
            result->student[kept] = result->student[i];
            result->reference[kept] = result->reference[i];
            measurement->number[kept++] = measurement->number[i];
        }
    }
    result->pairs = kept;
    return true;
}

// True if the few pairs are all so far below any points that more pairs are a waste.
static bool is_decided_early(const struct measurement *measurement) {
    const struct pairs_result *result = measurement->result;
    bool hopeless = result->pairs == STATS_FEW;
    for (int i = 0; i < result->pairs && hopeless; i++) {
        hopeless = is_hopeless(measurement, &result->student[i], &result->reference[i]);
    }
    return hopeless;
}

// Takes pairs until there are this many; fewer for a hopeless kernel.
static enum status pairs_take(struct measurement *measurement, int wanted, struct error *err) {
    struct pairs_result *result = measurement->result;
    enum status status = STATUS_OK;
    while (result->pairs < wanted && !status && result->right && !is_decided_early(measurement)) {
        int at = result->pairs;
        status = pair(measurement, at, &result->student[at], &result->reference[at], err);
        measurement->number[at] = measurement->next_pair - 1;
        result->pairs++;
    }
    return status;
}

// Takes pairs until the ratio is decided.
static enum status sample(struct measurement *measurement, double needed, struct error *err) {
    struct pairs_result *result = measurement->result;
    double ratios[STATS_SAMPLES_MAX];
    enum status status = STATUS_OK;
    result->pairs = 0;
    result->kinds = PAIRS_OF_BOTH;
    result->decision = STATS_UNDECIDED;
    for (int look = 0; look < STATS_LOOKS && result->decision == STATS_UNDECIDED; look++) {
        status = pairs_take(measurement, stats_look(look), err);
        if (status || !result->right) {
            break;
        }
        if (is_decided_early(measurement)) {
            result->decision = STATS_SLOW;
        } else if (kinds_part(measurement)) {
            look = -1;  // take as many pairs again, of this kind
        } else {
            ratios_of(result, ratios);
            result->decision = stats_decide(ratios, result->pairs, needed);
        }
    }
    return status;
}

static void result_fill(struct pairs_result *result) {
    double ratios[STATS_SAMPLES_MAX];
    double reference_ms[STATS_SAMPLES_MAX];
    ratios_of(result, ratios);
    for (int i = 0; i < result->pairs; i++) {
        reference_ms[i] = result->reference[i].event_ms;
    }
    result->unsteady = guards_are_unsteady(ratios, reference_ms, result->pairs);
    result->ratio = stats_median(ratios, result->pairs);
    stats_interval(ratios, result->pairs, &result->low, &result->high);
    result->student_ms = median_of_events(result->student, result->pairs);
    result->reference_ms = median_of_events(result->reference, result->pairs);
}

static enum status attempt(struct measurement *measurement, double needed, struct error *err) {
    struct pairs_result *result = measurement->result;
    bool right = true;
    enum status status = calibrate(measurement, err);
    if (!status) {
        status = warm_up(measurement, err);
    }
    if (!status && result->right) {
        status = sample(measurement, needed, err);
    }
    if (!status) {
        status = measurement->io->settle(measurement->io->context, &right, err);
        result->right = result->right && right;
    }
    return status;
}

// Decides whether the times of an attempt are credible, and draws the conclusion.
static bool believe(struct measurement *measurement) {
    struct pairs_result *result = measurement->result;
    result_fill(result);
    const struct guarded guarded = {.student = result->student,
                                    .reference = result->reference,
                                    .count = result->pairs,
                                    .least_ms = measurement->io->least_ms,
                                    .calibration = measurement->calibration,
                                    .calibration_count = CALIBRATION};
    result->believed = guards_believe(&guarded, result->doubt);
    return result->believed;
}

// Allows more attempts, if those before may have been disturbed by other graders.
static enum status isolate(const struct pairs_io *io, int *attempts_max, struct error *err) {
    bool alone = false;
    enum status status = io->isolate ? io->isolate(io->context, &alone, err) : STATUS_OK;
    *attempts_max += alone ? PAIRS_ALONE : 0;
    return status;
}

enum status pairs_measure(const struct pairs_io *io, double needed, struct pairs_result *ret_result,
                          struct error *err) {
    struct pairs_result result = {.right = true};
    struct measurement measurement = {.io = io, .result = &result};
    int attempts_max = PAIRS_ATTEMPTS;
    assert(io->launch && io->settle && isfinite(needed));
    while (result.right && !result.believed && result.attempts < attempts_max) {
        result.attempts++;
        enum status status = attempt(&measurement, needed, err);
        if (!status && result.right && !believe(&measurement) &&
            result.attempts == PAIRS_ATTEMPTS) {
            status = isolate(io, &attempts_max, err);
        }
        if (status) {
            return status;
        }
    }
    *ret_result = result;
    return STATUS_OK;
}
