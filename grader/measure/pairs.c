// The caller launches; here is only the order of launches, when to stop, and when not to believe
// it.
#include "measure/pairs.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#define WARM_UP_NS        300000000  // a GPU reaches its clock in less
#define WARM_UP_PAIRS_MIN 2
#define WARM_UP_PAIRS_MAX 20
#define SPREAD_MAX        0.10   // of ratios or of the reference's times, between their quartiles
#define FMA_PER_CLOCK     128.0  // of one multiprocessor
#define CLOCK_MARGIN      1.02
#define EVENT_ERROR_MS    0.001  // events are stamped to 0.5 us

struct measurement {
    const struct pairs_io *io;
    struct pairs_result *result;
    char suspicion[160];  // why this attempt is not believed; "" where it is
    int next_pair;        // over all attempts
    double ratios[STATS_SAMPLES_MAX];
};

double pairs_least_ms(struct size size, int multiprocessors, int clock_khz) {
    if (multiprocessors <= 0 || clock_khz <= 0) {
        return 0.0;
    }
    double per_ms = FMA_PER_CLOCK * multiprocessors * (double)clock_khz;
    return (double)size_multiply_adds(size) / per_ms / CLOCK_MARGIN;
}

static int64_t now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void suspect(struct measurement *measurement, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void suspect(struct measurement *measurement, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(measurement->suspicion, sizeof measurement->suspicion, format, arguments);
    va_end(arguments);
}

static const char *side_name(enum pairs_side side) {
    return side == PAIRS_STUDENT ? "the kernel" : "the reference";
}

// Sees whether a time can be one.  The first suspicion of an attempt is kept.
static void sample_check(struct measurement *measurement, enum pairs_side side,
                         const struct pairs_sample *sample) {
    if (measurement->suspicion[0] != '\0') {
        return;
    }
    if (sample->event_ms < measurement->io->least_ms) {
        suspect(measurement, "%s took %.6f ms, and no GPU of this kind can need less than %.6f ms",
                side_name(side), sample->event_ms, measurement->io->least_ms);
    } else if (sample->wall_ms > 0.0 && sample->event_ms > sample->wall_ms + EVENT_ERROR_MS) {
        suspect(measurement, "%s took %.6f ms by the GPU's clock, but %.6f ms had passed",
                side_name(side), sample->event_ms, sample->wall_ms);
    }
}

// One launch of one side.  A wrong output of the student ends the measurement through
// result->right.
static enum status launch(struct measurement *measurement, enum pairs_side side, double *ret_ms,
                          struct error *err) {
    struct pairs_sample sample = {.right = false};
    enum status status = measurement->io->launch(measurement->io->context, side,
                                                 measurement->next_pair, &sample, err);
    if (status) {
        return status;
    }
    if (!sample.right && side == PAIRS_REFERENCE) {
        return fail(err, STATUS_SYSTEM,
                    "the reference computed a wrong product while it was timed");
    }
    if (!sample.right) {
        measurement->result->right = false;
        measurement->result->wrong_pair = measurement->next_pair;
        return STATUS_OK;
    }
    if (!isfinite(sample.event_ms) || !(sample.event_ms > 0.0)) {
        return fail(err, STATUS_SYSTEM, "%s has no time that can be one (%g ms)", side_name(side),
                    sample.event_ms);
    }
    sample_check(measurement, side, &sample);
    *ret_ms = sample.event_ms;
    return STATUS_OK;
}

// One pair: the student first in even places, the reference first in odd ones.
static enum status pair(struct measurement *measurement, int place, double *ret_student_ms,
                        double *ret_reference_ms, struct error *err) {
    enum status status = STATUS_OK;
    for (int i = 0; i < 2 && !status && measurement->result->right; i++) {
        bool student = (place + i) % 2 == 0;
        status = launch(measurement, student ? PAIRS_STUDENT : PAIRS_REFERENCE,
                        student ? ret_student_ms : ret_reference_ms, err);
    }
    measurement->next_pair++;
    return status;
}

static enum status warm_up(struct measurement *measurement, struct error *err) {
    int64_t begin = now_ns();
    enum status status = STATUS_OK;
    for (int i = 0; i < WARM_UP_PAIRS_MAX && !status && measurement->result->right; i++) {
        double student_ms = 0.0;
        double reference_ms = 0.0;
        if (i >= WARM_UP_PAIRS_MIN && now_ns() - begin >= WARM_UP_NS) {
            break;
        }
        status = pair(measurement, i, &student_ms, &reference_ms, err);
    }
    return status;
}

// Takes pairs until the ratio is decided.
static enum status sample(struct measurement *measurement, double needed, struct error *err) {
    struct pairs_result *result = measurement->result;
    enum status status = STATUS_OK;
    result->pairs = 0;
    for (int look = 0; look < STATS_LOOKS; look++) {
        while (result->pairs < stats_look(look)) {
            int at = result->pairs;
            status = pair(measurement, at, &result->student[at], &result->reference[at], err);
            if (status || !result->right) {
                return status;
            }
            measurement->ratios[at] = result->reference[at] / result->student[at];
            result->pairs++;
        }
        result->decision = stats_decide(measurement->ratios, result->pairs, needed);
        if (result->decision != STATS_UNDECIDED) {
            break;
        }
    }
    return STATUS_OK;
}

// Noise that large means that something else used the machine.
static void spread_check(struct measurement *measurement) {
    const struct pairs_result *result = measurement->result;
    double ratios = stats_spread(measurement->ratios, result->pairs);
    double reference = stats_spread(result->reference, result->pairs);
    if (measurement->suspicion[0] != '\0') {
        return;
    }
    if (ratios > SPREAD_MAX || reference > SPREAD_MAX) {
        suspect(measurement,
                "the times are too noisy: half of the ratios lie %.1f %% apart, half of the "
                "reference's times %.1f %%",
                100 * ratios, 100 * reference);
    }
}

static void result_fill(struct measurement *measurement) {
    struct pairs_result *result = measurement->result;
    result->ratio = stats_median(measurement->ratios, result->pairs);
    stats_interval(measurement->ratios, result->pairs, &result->low, &result->high);
    result->student_ms = stats_median(result->student, result->pairs);
    result->reference_ms = stats_median(result->reference, result->pairs);
}

enum status pairs_measure(const struct pairs_io *io, double needed, struct pairs_result *ret_result,
                          struct error *err) {
    struct pairs_result result = {.right = true};
    struct measurement measurement = {.io = io, .result = &result};
    assert(io->launch && isfinite(needed));
    for (result.attempts = 1; result.attempts <= PAIRS_ATTEMPTS; result.attempts++) {
        measurement.suspicion[0] = '\0';
        enum status status = warm_up(&measurement, err);
        if (!status && result.right) {
            status = sample(&measurement, needed, err);
        }
        if (status) {
            return status;
        }
        if (result.right) {
            spread_check(&measurement);
            result_fill(&measurement);
        }
        if (!result.right || measurement.suspicion[0] == '\0') {
            *ret_result = result;
            return STATUS_OK;
        }
    }
    return fail(err, STATUS_UNAVAILABLE, "the speed cannot be judged, measure again: %s",
                measurement.suspicion);
}
