// Speed by counted work: the same launch of student and reference, their work compared.
// Deterministic.
#include "judge/run/case.h"
#include "judge/speed/speed.h"

#include <stdio.h>

#include "base/translate.h"
#include "judge/model/judgement.h"
#include "judge/speed/counted.h"
#include "judge/run/lines.h"
#include "judge/speed/score.h"
#include "judge/speed/estimate.h"
#include "judge/speed/reference.h"

#define STUDENT_FLAGS (REQUEST_COUNT | REQUEST_SAMPLE)
#define BESIDE_EDGE   128  // two million multiply-adds: a tenth of a second

// Runs one program at one size with exact inputs.  Cases have run with all checkers, but at smaller
// sizes; so a student's kernel runs with REQUEST_SAMPLE among the flags.
static enum status work_count(struct seed seed, const struct exercise *exercise,
                              const struct run_program *program, struct size size, uint32_t flags,
                              struct planned_case *planned, struct run_outcome *ret_outcome,
                              struct error *err) {
    struct run_worker worker;
    *planned = case_of(exercise, seed, INPUTS_EXACT, size);
    run_worker_init(&worker, program);
    enum status status = run_case(&worker, planned, flags, ret_outcome, err);
    run_worker_stop(&worker);
    ret_outcome->counts.busiest_passes =
        status ? 0 : counted_busiest(&ret_outcome->counts, exercise->multiprocessors);
    return status ? status : run_lines_locate(program, &ret_outcome->counts.lines, err);
}

static void speed_fill(const struct exercise *exercise, int index, const struct counts *counts,
                       const struct counts *reference_counts, struct speed_result *speed) {
    const struct exercise_speed *asked = &exercise->counted[index];
    enum counted_metric metric;
    double ratio = counted_ratio(counts, reference_counts, &metric);
    *speed = (struct speed_result){
        .size = asked->size,
        .counted = true,
        .full = asked->full,
        .zero = asked->zero,
        .ratio = ratio,
        .low = ratio,
        .high = ratio,
        .verdict = score_speed_verdict(ratio, ratio, asked->full),
        .points_max =
            score_part(exercise->speed_points, exercise->counted, exercise->counted_count, index),
        .counts = *counts,
        .reference_counts = *reference_counts,
        .metric = metric,
        .metric_line = counted_line(counts, metric),
    };
    speed->points = score_speed(speed->points_max, speed->verdict, ratio, asked->full, asked->zero);
}

// Leaves the speed open because the counted work does not show it.
static void leave_open(struct exercise_result *result, const char *why) {
    result->speed.complete = false;
    result->speed.withheld = true;
    result->speed.count = 0;
    result->speed.estimate = (struct kernel_estimate){.made = false};
    (void)snprintf(result->why.detail, sizeof result->why.detail, "%s", why);
}

// One size.  *ret_go_on is false if no further size need be tried: the student's output was wrong
// there, or its work could not be counted.
static enum status size_count(const struct judge_options *options, struct exercise_result *result,
                              const struct run_kernel *kernel, const struct run_program *reference,
                              int index, bool *ret_go_on, struct error *err) {
    const struct exercise *exercise = result->exercise;
    struct planned_case planned;
    struct run_outcome outcome;
    struct run_outcome reference_outcome;
    judge_tell(&options->listener, exercise, STAGE_SPEED, 2 * index, 2 * exercise->counted_count);
    enum status status =
        work_count(options->seed, exercise, &kernel->program[DEVICE_EMU],
                   exercise->counted[index].size, STUDENT_FLAGS, &planned, &outcome, err);
    if (status) {
        return status;
    }
    *ret_go_on = outcome.verdict == VERDICT_PASS;
    if (!*ret_go_on) {
        return run_case_failed(kernel, DEVICE_EMU, &planned, &outcome, result, err);
    }
    if (!counted_is_complete(planned.size, &outcome.counts)) {
        leave_open(
            result,
            _("The counted work is less than blocks of this size need, so some of the work was not "
              "counted. The points for speed stay open until the kernel is graded on a GPU."));
        *ret_go_on = false;
        return STATUS_OK;
    }
    judge_tell(&options->listener, exercise, STAGE_SPEED, 2 * index + 1,
               2 * exercise->counted_count);
    status = work_count(options->seed, exercise, reference, planned.size, REQUEST_COUNT, &planned,
                        &reference_outcome, err);
    if (!status) {
        status = speed_reference_check(exercise, &planned, &reference_outcome, err);
    }
    if (status) {
        return status;
    }
    speed_fill(exercise, index, &outcome.counts, &reference_outcome.counts,
               &result->speed.list[index]);
    if (result->speed.list[index].points > 0 &&
        counted_is_idle(&outcome.counts, &reference_outcome.counts)) {
        leave_open(result, _("Most of the 32 threads of a warp idle while one computes: the "
                             "counted loads and stores do not show how slow that is. The points "
                             "for speed stay open until the kernel is graded on a GPU."));
        *ret_go_on = false;
        return STATUS_OK;
    }
    result->speed.count = index + 1;
    if (index == 0) {
        const struct estimated_kernel student = {&kernel->program[DEVICE_EMU], &outcome};
        const struct estimated_kernel theirs = {reference, &reference_outcome};
        speed_estimate(options, kernel, planned.size, &student, &theirs, result);
    }
    return STATUS_OK;
}

enum status speed_counted(const struct judge_options *options, struct exercise_result *result,
                          const struct run_kernel *kernel, struct error *err) {
    struct run_program reference;
    enum status status =
        speed_reference_build(options, DEVICE_EMU, result->exercise, &reference, err);
    if (status) {
        return status;
    }
    bool go_on = !speed_reference_missing(&reference, result);
    for (int i = 0; i < result->exercise->counted_count && !status && go_on; i++) {
        status = size_count(options, result, kernel, &reference, i, &go_on, err);
    }
    run_program_done(&reference);
    return status;
}

enum status speed_counted_alone(const struct judge_options *options, struct exercise_result *result,
                                const struct run_kernel *kernel, struct error *err) {
    const struct exercise *exercise = result->exercise;
    struct planned_case planned;
    struct run_outcome outcome;
    if (exercise->counted_count == 0) {
        return STATUS_OK;
    }
    enum status status =
        work_count(options->seed, exercise, &kernel->program[DEVICE_EMU], exercise->counted[0].size,
                   STUDENT_FLAGS, &planned, &outcome, err);
    if (status) {
        return status;
    }
    if (outcome.verdict != VERDICT_PASS) {
        return run_case_failed(kernel, DEVICE_EMU, &planned, &outcome, result, err);
    }
    result->speed.counted_alone = true;
    result->speed.alone_size = planned.size;
    result->speed.alone = outcome.counts;
    const struct estimated_kernel student = {&kernel->program[DEVICE_EMU], &outcome};
    speed_estimate(options, kernel, planned.size, &student, NULL, result);
    return STATUS_OK;
}

enum status speed_counted_beside(const struct judge_options *options,
                                 struct exercise_result *result, const struct run_kernel *kernel,
                                 struct error *err) {
    const struct size size = {.m = BESIDE_EDGE, .n = BESIDE_EDGE, .k = BESIDE_EDGE};
    struct planned_case planned;
    struct run_outcome outcome;
    enum status status = work_count(options->seed, result->exercise, &kernel->program[DEVICE_EMU],
                                    size, REQUEST_COUNT, &planned, &outcome, err);
    if (!status && outcome.verdict == VERDICT_PASS) {
        result->speed.counted_alone = true;
        result->speed.alone_size = size;
        result->speed.alone = outcome.counts;
    }
    return status;
}
