// Speed by time: each size of an exercise in pairs of student and reference, until it is decided.
#include "judge/speed/speed.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/compose.h"
#include "base/memory.h"
#include "judge/model/judgement.h"
#include "judge/model/points.h"
#include "judge/speed/reference.h"
#include "judge/speed/timed_size.h"

#define WARM_UP_MS  300      // a GPU reaches its clock in less
#define SHORT_MS    0.050    // a launch shorter than this is timed in a batch
#define BATCH_MS    0.200    // time of a batch
#define PROBES      2        // launches that show the time of one; the last one counts
#define PROBE_MS    50.0     // or the first, if one of its launches takes this long
#define PRINTED_MAX 4096     // bytes of a launch, which take a millisecond
#define HOPELESS    0.5      // part of the ratio that gives no points: a few pairs decide
#define PROBE_PAIR  1000000  // number of a probe: above the number of any pair

struct timing {
    const struct judge_options *options;
    const struct run_kernel *kernel;  // the student's
    struct exercise_result *result;
    struct run_worker *worker[PAIRS_SIDES];
    bool warm;  // a size was just measured
};

// A remark about the pairs that decide.
static void note_write(const struct pairs_result *pairs, char note[SPEED_NOTE_MAX]) {
    if (pairs->kinds == PAIRS_REAL) {
        words_write(note, SPEED_NOTE_MAX,
                    "The kernel reaches %.3f of the reference's speed on real numbers and %.3f on "
                    "integers; the times on real numbers decide.",
                    pairs->ratio, pairs->other_ratio);
    } else if (pairs->kinds == PAIRS_EXACT) {
        words_write(note, SPEED_NOTE_MAX,
                    "The kernel reaches %.3f of the reference's speed on integers and %.3f on real "
                    "numbers; the times on integers decide.",
                    pairs->ratio, pairs->other_ratio);
    } else if (pairs->unsteady) {
        words_write(note, SPEED_NOTE_MAX,
                    "The kernel's times vary from launch to launch, and the reference's in the "
                    "same pairs do not.");
    }
}

static void samples_copy(const struct pairs_result *pairs, struct speed_result *speed) {
    size_t count = (size_t)pairs->pairs;
    speed->student_ms = xcalloc(count, sizeof *speed->student_ms);
    speed->reference_ms = xcalloc(count, sizeof *speed->reference_ms);
    speed->states = xcalloc(count, sizeof *speed->states);
    for (size_t i = 0; i < count; i++) {
        speed->student_ms[i] = pairs->student[i].event_ms;
        speed->reference_ms[i] = pairs->reference[i].event_ms;
        speed->states[i] = pairs->reference[i].state;
    }
}

static void speed_fill(const struct exercise *exercise, int index, const struct pairs_result *pairs,
                       struct speed_result *ret_speed) {
    const struct exercise_speed *asked = &exercise->timed[index];
    struct speed_result speed = {
        .size = asked->size,
        .verdict = score_time_verdict(pairs->low, pairs->high, asked->full, pairs->unsteady),
        .full = asked->full,
        .zero = asked->zero,
        .ratio = pairs->ratio,
        .low = pairs->low,
        .high = pairs->high,
        .pairs = pairs->pairs,
        .gflops = timed_gflops(exercise, asked->size, pairs->student_ms),
        .reference_gflops = timed_gflops(exercise, asked->size, pairs->reference_ms),
        .points_max =
            score_part(exercise->speed_points, exercise->timed, exercise->timed_count, index),
        .launches = pairs->student[0].launches,
        .attempts = pairs->attempts,
        .calibrated_ms = pairs->calibrated_ms,
    };
    (void)snprintf(speed.doubt, sizeof speed.doubt, "%s", pairs->doubt);
    note_write(pairs, speed.note);
    samples_copy(pairs, &speed);
    speed.points =
        score_speed(speed.points_max, speed.verdict, speed.ratio, asked->full, asked->zero);
    *ret_speed = speed;
}

static bool has_constants(const struct signature *signature) {
    for (int i = 0; i < signature->parameter_count; i++) {
        if (signature->parameter[i].kind == PARAMETER_CONSTANT) {
            return true;
        }
    }
    return false;
}

// The number of launches per sample: enough for the faster side, and the same for both.  Launches
// with __constant__ arrays are timed alone, because the next launch would need other values there.
static int batch_for(const struct exercise *exercise, double least_ms) {
    if (least_ms >= SHORT_MS || has_constants(&exercise->signature)) {
        return 1;
    }
    double count = ceil(BATCH_MS / (least_ms > 1e-6 ? least_ms : 1e-6));
    return count < TIMED_BATCH_MAX ? (int)count : TIMED_BATCH_MAX;
}

// Launches both sides alone to measure their times, on inputs of both kinds.  The outputs are
// verified like any other.
static enum status probe(struct timed_size *timed, double *ret_least_ms, bool *ret_right,
                         struct error *err) {
    double least_ms = INFINITY;
    double longest_ms = 0.0;
    bool right = true;
    enum status status = STATUS_OK;
    for (int i = 0; i < PROBES && !status && right && longest_ms < PROBE_MS; i++) {
        least_ms = INFINITY;
        for (int side = 0; side < PAIRS_SIDES && !status && right; side++) {
            struct pairs_sample sample;
            status =
                timed_size_launch(timed, (enum pairs_side)side, PROBE_PAIR + 2 * i, &sample, err);
            right = !status && sample.right;
            if (right) {
                least_ms = fmin(least_ms, sample.event_ms);
                longest_ms = fmax(longest_ms, sample.event_ms);
            }
        }
    }
    if (!status) {
        status = timed_size_settle(timed, &right, err);
    }
    if (!status) {
        *ret_least_ms = least_ms;
        *ret_right = right;
    }
    return status;
}

// Takes the pairs of one size.  *ret_pairs->right is false if the student's kernel is wrong.
static enum status pairs_take(struct timing *timing, struct timed_size *timed,
                              const struct exercise_speed *asked, struct pairs_result *ret_pairs,
                              struct error *err) {
    const struct gpu *gpu = &timing->options->machine.gpu;
    const struct exercise *exercise = timing->result->exercise;
    // The minimum time of a kernel is known only for a matmul.
    double least_possible_ms =
        exercise->signature.is_matmul
            ? guard_least_ms(asked->size, exercise->precision != PRECISION_FP32,
                             gpu->multiprocessors, gpu->clock_khz)
            : 0.0;
    struct pairs_io io = {.context = timed,
                          .least_ms = least_possible_ms,
                          .warm_up_ms = timing->warm ? 0 : WARM_UP_MS,
                          .hopeless = HOPELESS * asked->zero,
                          .one_kind =
                              timed->expected && timed_expected_is_real_only(timed->expected),
                          .launch = timed_size_launch,
                          .settle = timed_size_settle,
                          .isolate = timed_size_isolate};
    double least_ms = 0.0;
    bool right = true;
    enum status status = timed_size_init(timed, asked->size, 1, err);
    if (!status) {
        status = probe(timed, &least_ms, &right, err);
    }
    if (!status && !right) {
        ret_pairs->right = false;
        return STATUS_OK;
    }
    if (!status && batch_for(exercise, least_ms) > 1) {
        timed_size_done(timed);
        status = timed_size_init(timed, asked->size, batch_for(exercise, least_ms), err);
    }
    return status ? status : pairs_measure(&io, SCORE_GRACE * asked->full, ret_pairs, err);
}

// True if each launch prints so much that writing it out disturbs the measurement.
static bool prints_much(const struct pairs_result *pairs) {
    int many = 0;
    for (int i = 0; i < pairs->pairs; i++) {
        many += pairs->student[i].printed > PRINTED_MAX;
    }
    return 2 * many > pairs->pairs;
}

// The times of a kernel that prints are not trusted: this is the kernel's result, not a failure of
// ours.
static enum status printing_fails(const struct timing *timing, struct size size,
                                  struct error *err) {
    struct run_outcome outcome = {.verdict = VERDICT_PASS, .text_verdict = VERDICT_PASS};
    const struct planned_case planned = {.size = size, .inputs = INPUTS_EXACT};
    char text[200];
    words_write(text, sizeof text,
                _("the kernel prints more than %d bytes in each launch that is timed, and "
                  "writing them out disturbs the measurement."),
                PRINTED_MAX);
    run_outcome_add(&outcome, VERDICT_OUTPUT_LIMIT, text);
    return run_case_failed(timing->kernel, DEVICE_GPU, &planned, &outcome, timing->result, err);
}

// Measures one size. *ret_right is false if the measurement ended because the kernel is wrong.
static enum status size_measure(struct timing *timing, int index, bool *ret_right,
                                struct error *err) {
    struct exercise_result *result = timing->result;
    const struct exercise_speed *asked = &result->exercise->timed[index];
    struct timed_size timed = {
        .seed = timing->options->seed,
        .exercise = result->exercise,
        .worker = {timing->worker[PAIRS_STUDENT], timing->worker[PAIRS_REFERENCE]}};
    struct pairs_result *pairs = xcalloc(1, sizeof *pairs);
    char size[SIZE_TEXT_MAX];
    size_format(asked->size, size);
    enum status status =
        timed_expected_new(timing->options, result->exercise, asked->size, &timed.expected, err);
    if (!status) {
        status = pairs_take(timing, &timed, asked, pairs, err);
    }
    if (!status && !pairs->right) {
        assert(timed.wrong);
        status = run_case_failed(timing->kernel, DEVICE_GPU, &timed.wrong_launch.planned,
                                 &timed.wrong_launch.outcome, result, err);
    } else if (!status && !pairs->believed && prints_much(pairs)) {
        status = printing_fails(timing, asked->size, err);
    } else if (!status && !pairs->believed) {
        status = fail(err, STATUS_UNAVAILABLE,
                      "%s: the speed at size %s could not be measured, %d times: %s; nothing is "
                      "graded, try again when nothing else uses the GPU",
                      result->file, size, pairs->attempts, pairs->doubt);
    } else if (!status) {
        speed_fill(result->exercise, index, pairs, &result->speed.list[index]);
        result->speed.count = status ? index : index + 1;
    }
    if (!status) {
        *ret_right = pairs->right && pairs->believed;
    }
    timing->warm = true;
    timed_size_done(&timed);
    timed_expected_free(timed.expected);
    free(pairs);
    return status;
}

static enum status sizes_measure(struct timing *timing, struct error *err) {
    bool right = true;
    enum status status = STATUS_OK;
    for (int i = 0; i < timing->result->exercise->timed_count && !status && right; i++) {
        judge_report_progress(&timing->options->listener, timing->result->exercise, STAGE_SPEED, i,
                              timing->result->exercise->timed_count);
        status = size_measure(timing, i, &right, err);
    }
    if (!status && right) {
        // Everything that counts is decided.
        status = speed_cublas(timing->options, timing->kernel, timing->worker, timing->result, err);
    }
    return status;
}

enum status speed_timed(const struct judge_options *options, struct exercise_result *result,
                        struct run_kernel *kernel, struct error *err) {
    struct run_program reference;
    struct run_worker beside;
    struct timing timing = {.options = options,
                            .kernel = kernel,
                            .result = result,
                            .worker = {&kernel->worker, &beside}};
    const struct run_program *programs[PAIRS_SIDES] = {&kernel->program[DEVICE_GPU], &reference};
    enum status status =
        speed_reference_build(options, DEVICE_GPU, result->exercise, &reference, err);
    if (status) {
        return status;
    }
    if (reference.report.fault == BUILD_FAULT_NEEDS_GPU) {
        speed_reference_missing(reference.report.text, result);
        run_program_done(&reference);
        return STATUS_OK;
    }
    run_worker_init(&beside, &reference);
    status = timed_inputs_build(&options->machine, programs, PAIRS_SIDES, err);
    if (!status) {
        status = run_worker_renew(&kernel->worker, err);
    }
    if (!status) {
        status = sizes_measure(&timing, err);
    }
    run_worker_stop(&kernel->worker);
    run_worker_stop(&beside);
    run_program_done(&reference);
    return status;
}
