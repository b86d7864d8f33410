// The caller launches; here is only the order of launches, and when to stop.
#include "measure/pairs.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/translate.h"

#define WARM_UP_MIN   1   // launches of the reference alone before those that calibrate …
#define WARM_UP_MAX   40  // … however short they are
#define CALIBRATION   5   // launches that calibrate
#define WARM_UP_PAIRS 2

struct measurement {
    const struct pairs_io *io;
    struct pairs_result *result;
    int next_pair;  // over all attempts
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

// One pair: the student first in even places, the reference first in odd ones.
static enum status pair(struct measurement *measurement, int place, struct pairs_sample *student,
                        struct pairs_sample *reference, struct error *err) {
    enum status status = STATUS_OK;
    for (int i = 0; i < PAIRS_SIDES && !status && measurement->result->right; i++) {
        bool is_student = (place + i) % 2 == 0;
        status = launch(measurement, is_student ? PAIRS_STUDENT : PAIRS_REFERENCE,
                        is_student ? student : reference, err);
    }
    measurement->next_pair++;
    return status;
}

// The reference alone: until the GPU is warm, and then for the time that it takes without the
// student's kernel next to it.
static enum status calibrate(struct measurement *measurement, struct error *err) {
    double times[CALIBRATION];
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
            times[counted++] = sample.event_ms;
        }
    }
    if (!status) {
        measurement->result->calibrated_ms = stats_median(times, CALIBRATION);
    }
    return status;
}

// The first launches of the student's kernel are not counted.
static enum status warm_up(struct measurement *measurement, struct error *err) {
    struct pairs_sample student;
    struct pairs_sample reference;
    enum status status = STATUS_OK;
    for (int i = 0; i < WARM_UP_PAIRS && !status && measurement->result->right; i++) {
        status = pair(measurement, i, &student, &reference, err);
    }
    return status;
}

static void ratios_of(const struct pairs_result *result, double ratios[STATS_SAMPLES_MAX]) {
    for (int i = 0; i < result->pairs; i++) {
        ratios[i] = result->reference[i].event_ms / result->student[i].event_ms;
    }
}

// Takes pairs until the ratio is decided.
static enum status sample(struct measurement *measurement, double needed, struct error *err) {
    struct pairs_result *result = measurement->result;
    double ratios[STATS_SAMPLES_MAX];
    enum status status = STATUS_OK;
    result->pairs = 0;
    for (int look = 0; look < STATS_LOOKS && !status; look++) {
        while (result->pairs < stats_look(look) && !status && result->right) {
            int at = result->pairs;
            status = pair(measurement, at, &result->student[at], &result->reference[at], err);
            result->pairs++;
        }
        if (status || !result->right) {
            break;
        }
        ratios_of(result, ratios);
        result->decision = stats_decide(ratios, result->pairs, needed);
        if (result->decision != STATS_UNDECIDED) {
            break;
        }
    }
    return status;
}

static double median_of_events(const struct pairs_sample *samples, int count) {
    double events[STATS_SAMPLES_MAX];
    for (int i = 0; i < count; i++) {
        events[i] = samples[i].event_ms;
    }
    return stats_median(events, count);
}

static void result_fill(struct pairs_result *result) {
    double ratios[STATS_SAMPLES_MAX];
    ratios_of(result, ratios);
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

enum status pairs_measure(const struct pairs_io *io, double needed, struct pairs_result *ret_result,
                          struct error *err) {
    struct pairs_result result = {.right = true};
    struct measurement measurement = {.io = io, .result = &result};
    assert(io->launch && io->settle && isfinite(needed));
    while (result.right && !result.believed && result.attempts < PAIRS_ATTEMPTS) {
        result.attempts++;
        enum status status = attempt(&measurement, needed, err);
        if (status) {
            return status;
        }
        if (result.right) {
            result_fill(&result);
            const struct guarded guarded = {.student = result.student,
                                            .reference = result.reference,
                                            .count = result.pairs,
                                            .least_ms = io->least_ms,
                                            .calibrated_ms = result.calibrated_ms};
            result.believed = guards_believe(&guarded, result.doubt);
        }
    }
    *ret_result = result;
    return STATUS_OK;
}
