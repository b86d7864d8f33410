// Speed by time: the judge's side of a measurement in pairs.
//
// Both launches of a pair get the same inputs, which no launch before has seen, and every output is
// verified.
#include "judge/speed_timed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/score.h"
#include "judge/speed_reference.h"
#include "measure/pairs.h"

#define LABEL_BYTES (NAME_BYTES_MAX + SIZE_TEXT_MAX + 40)

// One size being measured.
struct timing {
    const struct judge_options *options;
    const struct exercise *exercise;
    const struct run_kernel *kernel;  // the student's
    struct size size;
    struct run_worker worker[2];  // by enum pairs_side
    struct run_outcome wrong;     // the student's outcome that is not a pass
};

static struct planned_case planned_for(const struct timing *timing, int pair) {
    char label[LABEL_BYTES];
    char size[SIZE_TEXT_MAX];
    size_format(timing->size, size);
    (void)snprintf(label, sizeof label, "%s/timed/%s/%d", timing->exercise->name, size, pair);
    return (struct planned_case){.size = timing->size,
                                 .inputs = INPUTS_EXACT,
                                 .key = random_key_make(timing->options->seed, label)};
}

static enum status launch(void *context, enum pairs_side side, int pair,
                          struct pairs_sample *ret_sample, struct error *err) {
    struct timing *timing = context;
    const struct planned_case planned = planned_for(timing, pair);
    struct run_outcome outcome;
    enum status status = run_case(&timing->worker[side], &planned, REQUEST_TIME, &outcome, err);
    if (!status && side == PAIRS_REFERENCE) {
        status = speed_reference_check(timing->exercise, &planned, &outcome, err);
    }
    if (status) {
        return status;
    }
    if (outcome.verdict != VERDICT_PASS) {
        timing->wrong = outcome;
    }
    *ret_sample = (struct pairs_sample){.event_ms = (double)outcome.elapsed_ns / 1e6,
                                        .wall_ms = (double)outcome.wall_ns / 1e6,
                                        .right = outcome.verdict == VERDICT_PASS};
    return STATUS_OK;
}

static enum speed_verdict verdict_of(enum stats_decision decision) {
    switch (decision) {
    case STATS_FAST:
        return SPEED_FAST;
    case STATS_SLOW:
        return SPEED_SLOW;
    case STATS_UNDECIDED:
    case STATS_MARGINAL:
        break;
    }
    return SPEED_MARGINAL;
}

static double *samples_copy(const double *samples, int count) {
    double *copy = calloc((size_t)count, sizeof *copy);
    if (copy) {
        memcpy(copy, samples, (size_t)count * sizeof *copy);
    }
    return copy;
}

// GFLOPS of a product that takes ms.
static double gflops_of(struct size size, double ms) {
    return 2.0 * (double)size_multiply_adds(size) / (ms * 1e6);
}

static enum status speed_fill(const struct exercise *exercise, int index,
                              const struct pairs_result *pairs, struct speed_result *ret_speed,
                              struct error *err) {
    const struct exercise_speed *asked = &exercise->timed[index];
    struct speed_result speed = {
        .size = asked->size,
        .verdict = verdict_of(pairs->decision),
        .full = asked->full,
        .zero = asked->zero,
        .ratio = pairs->ratio,
        .low = pairs->low,
        .high = pairs->high,
        .pairs = pairs->pairs,
        .gflops = gflops_of(asked->size, pairs->student_ms),
        .reference_gflops = gflops_of(asked->size, pairs->reference_ms),
        .points_max =
            score_part(exercise->speed_points, exercise->timed, exercise->timed_count, index),
        .student_ms = samples_copy(pairs->student, pairs->pairs),
        .reference_ms = samples_copy(pairs->reference, pairs->pairs),
    };
    if (!speed.student_ms || !speed.reference_ms) {
        free(speed.student_ms);
        free(speed.reference_ms);
        return fail(err, STATUS_NO_MEMORY, "no memory for the times of a kernel");
    }
    speed.points =
        score_speed(speed.points_max, speed.verdict, speed.ratio, asked->full, asked->zero);
    *ret_speed = speed;
    return STATUS_OK;
}

// What a size came to: right goes on, the others end the measuring of this exercise.
enum size_end { SIZE_MEASURED, SIZE_WRONG, SIZE_SUSPICIOUS };

static enum status size_measure(struct timing *timing, struct exercise_result *result, int index,
                                enum size_end *ret_end, struct error *err) {
    const struct judge_options *options = timing->options;
    const struct exercise_speed *asked = &timing->exercise->timed[index];
    struct pairs_result pairs;
    struct pairs_io io = {.context = timing, .launch = launch};
    timing->size = asked->size;
    io.least_ms = pairs_least_ms(asked->size, options->gpu_multiprocessors, options->gpu_clock_khz);
    enum status status = pairs_measure(&io, SCORE_GRACE * asked->full, &pairs, err);
    if (status == STATUS_UNAVAILABLE) {
        *ret_end = SIZE_SUSPICIOUS;
        return STATUS_OK;
    }
    if (status) {
        return status;
    }
    if (!pairs.right) {
        const struct planned_case planned = planned_for(timing, pairs.wrong_pair);
        *ret_end = SIZE_WRONG;
        return run_case_failed(timing->kernel, DEVICE_GPU, &planned, &timing->wrong, result, err);
    }
    *ret_end = SIZE_MEASURED;
    status = speed_fill(timing->exercise, index, &pairs, &result->speed[index], err);
    result->speed_count = status ? index : index + 1;
    return status;
}

// A measurement that cannot be believed is no zero: the speed is left open, and the report says so.
static void leave_open(struct exercise_result *result, const struct error *err) {
    result->speed_complete = false;
    for (int i = 0; i < result->speed_count; i++) {
        free(result->speed[i].student_ms);
        free(result->speed[i].reference_ms);
    }
    result->speed_count = 0;
    (void)snprintf(result->detail, sizeof result->detail, "%s", err->text);
}

enum status speed_timed(const struct judge_options *options, struct exercise_result *result,
                        const struct run_kernel *kernel, struct error *err) {
    struct run_program reference;
    struct timing timing = {.options = options, .exercise = result->exercise, .kernel = kernel};
    struct error local = {.text = ""};
    struct error *told = err ? err : &local;
    enum size_end end = SIZE_MEASURED;
    enum status status =
        speed_reference_build(options, DEVICE_GPU, result->exercise, &reference, told);
    if (status) {
        return status;
    }
    run_worker_init(&timing.worker[PAIRS_STUDENT], &kernel->program[DEVICE_GPU]);
    run_worker_init(&timing.worker[PAIRS_REFERENCE], &reference);
    for (int i = 0; i < result->exercise->timed_count && !status && end == SIZE_MEASURED; i++) {
        status = size_measure(&timing, result, i, &end, told);
    }
    if (!status && end == SIZE_SUSPICIOUS) {
        leave_open(result, told);
    }
    run_worker_stop(&timing.worker[PAIRS_STUDENT]);
    run_worker_stop(&timing.worker[PAIRS_REFERENCE]);
    run_program_done(&reference);
    return status;
}
