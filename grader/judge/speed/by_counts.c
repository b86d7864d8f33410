// Speed by counted work: the same launch of student and reference, their work compared.
// Deterministic.  As well as that, and for no points, an estimate for a GPU: registers come from
// the compiler, if it is installed, the rest from the model.
#include "judge/speed/why_open.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compose.h"
#include "exercise/exercise.h"
#include "judge/compile/program_build.h"
#include "judge/model/judgement.h"
#include "judge/model/points.h"
#include "judge/run/cases.h"
#include "judge/run/launch_outcome.h"
#include "judge/run/run_worker.h"
#include "judge/speed/reference.h"
#include "judge/speed/speed.h"

// The size to estimate for: the timed one with the most work, else the counted one.
static struct size estimate_size_of(const struct exercise *exercise, struct size counted_size) {
    const struct signature *signature = &exercise->signature;
    return exercise->timed_count > 0 ? exercise->timed[exercise_largest_timed(exercise)].size
           : signature->is_matmul    ? (struct size){4096, 4096, 4096}
                                     : counted_size;
}

// Registers of a thread, from NVRTC for the GPU; 0 if NVRTC is missing or refuses.
static int registers_of(const struct judge_machine *machine, const struct card *card,
                        const struct exercise *exercise, struct text text) {
    struct run_program program;
    struct judge_machine for_card = *machine;
    (void)snprintf(for_card.gpu.architecture, sizeof for_card.gpu.architecture, "sm_%d",
                   card->multiprocessor->capability);
    if (!machine->has_nvrtc || run_build(&for_card, DEVICE_GPU, exercise, text, &program, NULL)) {
        return 0;
    }
    int registers = program.report.registers;
    run_program_done(&program);
    return registers;
}

static int reference_registers_of(const struct judge_options *options, const struct card *card,
                                  const struct exercise *exercise) {
    char *text = NULL;
    size_t bytes = 0;
    int registers = 0;
    if (!speed_reference_read(options, exercise, &text, &bytes, NULL)) {
        registers = registers_of(&options->machine, card, exercise, (struct text){text, bytes});
    }
    free(text);
    return registers;
}

static bool kernel_estimate(const struct signature *signature, const struct kernel_estimate *whole,
                            struct size counted_size, const struct estimated_kernel *kernel,
                            int registers, struct estimate *ret_estimate) {
    struct estimate_request request = {.card = whole->card,
                                       .size = whole->size,
                                       .counted_size = counted_size,
                                       .counts = kernel->counts,
                                       .registers = registers,
                                       .shared_bytes = (int)kernel->shared_bytes};
    if (!signature->is_matmul) {
        request.growth = (double)signature_work(signature, whole->size) /
                         (double)signature_work(signature, counted_size);
        request.flop = signature_flop(signature, whole->size);
        request.bytes = signature_bytes(signature, whole->size);
    }
    // The model covers a single launch, because another size may have other launches. It does not
    // cover tensor cores.
    return kernel->launch_count <= 1 && kernel->counts->tensor_flops == 0 &&
           estimate_make(&request, ret_estimate);
}

// Fills result->speed.estimate from launches of counted_size; kernel is the student's.
//
// reference  may be NULL.
//
// If NVRTC is on this machine, registers of a thread are known, for both kernels or for neither.
// If no estimate is possible, nothing is reported and nothing fails: it is not part of a grade.
static void speed_estimate(const struct judge_options *options, const struct run_kernel *kernel,
                           struct size counted_size, const struct estimated_kernel *student,
                           const struct estimated_kernel *reference,
                           struct exercise_result *result) {
    const struct exercise *exercise = result->exercise;
    struct kernel_estimate whole = {.card = options->extras.card,
                                    .size = estimate_size_of(exercise, counted_size)};
    if (!whole.card && card_find(CARD_DEFAULT, &whole.card, NULL)) {
        return;
    }
    // LAUNCH may choose another kernel at another size.
    if (student->launch_count > 0 || (reference && reference->launch_count > 0)) {
        whole.size = counted_size;
    }
    whole.registers = registers_of(&options->machine, whole.card, exercise,
                                   (struct text){kernel->prepared, kernel->prepared_bytes});
    int theirs = whole.registers > 0 && reference
                     ? reference_registers_of(options, whole.card, exercise)
                     : 0;
    if (reference && theirs == 0) {
        whole.registers = 0;  // for both or for neither, so that they can be compared
    }
    whole.made = kernel_estimate(&exercise->signature, &whole, counted_size, student,
                                 whole.registers, &whole.student);
    whole.has_reference = reference && kernel_estimate(&exercise->signature, &whole, counted_size,
                                                       reference, theirs, &whole.reference);
    result->speed.estimate = whole;
}

#define STUDENT_FLAGS (REQUEST_COUNT | REQUEST_SAMPLE)
#define BESIDE_EDGE   128  // of a product: two million multiply-adds, a tenth of a second

// One launch that was counted.
struct counted_launch {
    struct planned_case planned;
    struct run_outcome outcome;
    bool open;  // the kernel ends, but counting its work takes too long
};

// Runs one program at one size with exact inputs.  Cases have run with all checkers, but at smaller
// sizes; so a student's kernel runs with REQUEST_SAMPLE among the flags.
static enum status work_count(const struct run_program *program, struct seed seed, struct size size,
                              uint32_t flags, struct counted_launch *ret_launch,
                              struct error *err) {
    struct counts *counts = &ret_launch->outcome.counts;
    ret_launch->planned = case_of(program->exercise, seed, INPUTS_EXACT, size);
    ret_launch->open = false;
    enum status status =
        run_case_alone(program, &ret_launch->planned, flags, &ret_launch->outcome, err);
    counts->busiest_passes =
        status ? 0 : counted_busiest(counts, program->exercise->multiprocessors);
    return status ? status : run_lines_locate(program, &counts->lines, err);
}

// Counts a student's kernel.  The time limit includes counter and checkers.  So if it stops the
// kernel, a second launch without them gets the whole time again.  If the second launch passes, the
// result stays open; otherwise it is the outcome.
static enum status student_count(const struct run_program *program, struct seed seed,
                                 struct size size, struct counted_launch *ret_launch,
                                 struct error *err) {
    struct judge_patience renewed;
    struct run_program again = *program;
    enum status status = work_count(program, seed, size, STUDENT_FLAGS, ret_launch, err);
    if (status || !run_outcome_may_end(&ret_launch->outcome)) {
        return status;
    }
    if (program->patience) {
        renewed = *program->patience;
        run_patience_kernel(&renewed);
        again.patience = &renewed;
    }
    status = work_count(&again, seed, size, 0, ret_launch, err);
    if (program->patience) {
        run_patience_spend(program->patience, DEVICE_EMU, renewed.kernel_ms[DEVICE_EMU]);
    }
    ret_launch->open = !status && ret_launch->outcome.verdict == VERDICT_PASS;
    return status;
}

// The ratio of two kernels at a counted size: of their work, or of times estimated from it.
struct counted_speed {
    double ratio, low, high;
    enum counted_metric metric;
    struct estimated_times times;  // size.m = 0: the work decides
};

static void speed_fill(const struct exercise *exercise, int index,
                       const struct counted_speed *counted, const struct counts *counts,
                       const struct counts *reference_counts, struct speed_result *speed) {
    const struct exercise_speed *asked = &exercise->counted[index];
    const enum counted_metric metric = counted->metric;
    const double ratio = counted->ratio;
    *speed = (struct speed_result){
        .size = asked->size,
        .counted = true,
        .full = asked->full,
        .zero = asked->zero,
        .ratio = ratio,
        .low = counted->low,
        .high = counted->high,
        .verdict = score_speed_verdict(counted->low, counted->high, asked->full),
        .points_max =
            score_part(exercise->speed_points, exercise->counted, exercise->counted_count, index),
        .counts = *counts,
        .reference_counts = *reference_counts,
        .metric = metric,
        .metric_line = counted_line(counts, metric),
    };
    speed->points = score_speed(speed->points_max, speed->verdict, ratio, asked->full, asked->zero);
    speed->estimated = counted->times;
    if (counted->times.size.m > 0 && speed->verdict == SPEED_SLOW) {
        const struct estimated_times *times = &counted->times;
        const struct estimated_pair pair = {times->size, ratio, times->student[1],
                                            times->reference[1]};
        char cause[ERROR_TEXT_MAX];
        why_slower(&pair, counts, reference_counts, cause);
        words_write(speed->note, sizeof speed->note, "%s", cause);
    }
}

// Leaves the speed open because the counted work does not show it.
static void leave_open(struct exercise_result *result, const char *why) {
    char *detail = result->why.detail;
    result->speed.complete = false;
    result->speed.withheld = true;
    result->speed.count = 0;
    result->speed.estimate = (struct kernel_estimate){.made = false};
    words_write(detail, sizeof result->why.detail, "%s", why);
    words_sentence(detail, sizeof result->why.detail,
                   "The points for speed stay open until the kernel is graded on a GPU.");
}

// The sizes of one exercise, and the facts about student and reference.
struct counting {
    const struct judge_options *options;
    struct exercise_result *result;
    const struct run_kernel *kernel;
    struct reference_work reference;
    struct why_open_plans plans;
    bool go_on;  // false: no further size need be tried
    // Launches with more work than the first counted size, for estimates: see estimated_more_size.
    struct counted_launch more;
    struct counts reference_more;
    struct size more_size, reference_more_size;  // m = 0: none
};

// Student and reference at one size.
struct counted_pair {
    struct counted_launch launch;  // of the student's kernel
    struct estimated_kernel student, reference;
};

// Counts both at one size.  counting->go_on becomes false if the student's output is wrong there,
// or its work could not be counted.
static enum status both_count(struct counting *counting, struct size size, int step,
                              struct counted_pair *pair, struct error *err) {
    const struct judge_options *options = counting->options;
    const struct exercise *exercise = counting->result->exercise;
    const struct run_program *program = &counting->kernel->program[DEVICE_EMU];
    const struct run_outcome *student = &pair->launch.outcome;
    const struct reference_size *reference = NULL;
    int steps = 2 * (exercise->counted_count + 1);
    judge_report_progress(&options->listener, exercise, STAGE_SPEED, step, steps);
    enum status status = student_count(program, options->seed, size, &pair->launch, err);
    if (status) {
        return status;
    }
    counting->go_on = student->verdict == VERDICT_PASS && !pair->launch.open;
    if (pair->launch.open) {
        leave_open(counting->result,
                   _("At a counted size the kernel ends, but counting its work takes too long."));
        return STATUS_OK;
    }
    if (!counting->go_on) {
        return run_case_failed(counting->kernel, DEVICE_EMU, &pair->launch.planned, student,
                               counting->result, err);
    }
    if (!counted_is_complete(&exercise->signature, size, &student->counts)) {
        leave_open(
            counting->result,
            _("The counted work is less than blocks of this size need, so some of the work was not "
              "counted."));
        counting->go_on = false;
        return STATUS_OK;
    }
    judge_report_progress(&options->listener, exercise, STAGE_SPEED, step + 1, steps);
    status = reference_work_at(&counting->reference, size, &reference, err);
    if (!status) {
        pair->student = estimated_of(program, student);
        pair->reference = (struct estimated_kernel){.counts = &reference->counts,
                                                    .shared_bytes = reference->shared_bytes,
                                                    .launch_count = reference->launch_count};
    }
    return status;
}

// Counts the launches with more work.
static enum status more_count(struct counting *counting, const struct counted_pair *pair,
                              struct error *err) {
    struct exercise_result *result = counting->result;
    const struct run_program *program = &counting->kernel->program[DEVICE_EMU];
    const struct reference_size *reference = NULL;
    enum status status = STATUS_OK;
    counting->more_size =
        estimated_more_size(result->exercise, pair->student.counts, counting->plans.student);
    counting->reference_more_size =
        estimated_more_size(result->exercise, pair->reference.counts, counting->plans.reference);
    if (counting->reference_more_size.m > 0) {
        status =
            reference_work_at(&counting->reference, counting->reference_more_size, &reference, err);
        counting->reference_more = status ? (struct counts){.blocks = 0} : reference->counts;
    }
    if (status || counting->more_size.m == 0) {
        return status;
    }
    status =
        student_count(program, counting->options->seed, counting->more_size, &counting->more, err);
    if (status || counting->more.open) {
        counting->more_size.m = 0;
        return status;
    }
    counting->go_on = counting->more.outcome.verdict == VERDICT_PASS;
    return counting->go_on ? STATUS_OK
                           : run_case_failed(counting->kernel, DEVICE_EMU, &counting->more.planned,
                                             &counting->more.outcome, result, err);
}

static struct estimated_side side_of(const struct estimated_kernel *kernel,
                                     const struct counts *more, struct size more_size,
                                     const struct planned_launch *plans) {
    return (struct estimated_side){.kernel = *kernel,
                                   .more = more_size.m > 0 ? more : NULL,
                                   .more_size = more_size,
                                   .plans = plans};
}

static struct counted_speed counted_speed_of(const struct counting *counting, struct size size,
                                             const struct counted_pair *pair) {
    const struct exercise *exercise = counting->result->exercise;
    const struct estimated_side student = side_of(&pair->student, &counting->more.outcome.counts,
                                                  counting->more_size, counting->plans.student);
    const struct estimated_side reference =
        side_of(&pair->reference, &counting->reference_more, counting->reference_more_size,
                counting->plans.reference);
    struct counted_speed speed = {.times = {.size = {.m = 0}}};
    speed.ratio = counted_ratio(pair->student.counts, pair->reference.counts, &speed.metric);
    speed.low = speed.high = speed.ratio;
    if (is_estimated(exercise, pair->reference.counts) &&
        estimated_times_make(exercise, size, &student, &reference, &speed.times)) {
        speed.low = speed.times.low;
        speed.high = speed.times.high;
        speed.ratio = sqrt(speed.low * speed.high);
    }
    return speed;
}

// Leaves the speed open if the two estimates give very different points.
static void leave_open_if_wide(struct counting *counting, const struct exercise_speed *asked,
                               const struct counted_speed *speed) {
    if (score_share(asked, speed->high) - score_share(asked, speed->low) > WHY_OPEN_LESS) {
        char text[ERROR_TEXT_MAX];
        words_write(text, sizeof text,
                    _("The kernel is estimated to have between %.2f and %.2f of the reference's "
                      "speed. Counted work shows neither how many loads each warp has under way at "
                      "once, nor what each block does only once."),
                    speed->low, speed->high);
        leave_open(counting->result, text);
        counting->go_on = false;
    }
}

// Leaves the speed open if the counted work does not show it, although it would give some points.
static void leave_open_if_slow(struct counting *counting, const struct exercise_speed *asked,
                               double share, const struct counted_pair *pair) {
    const struct why_open_request request = {.exercise = counting->result->exercise,
                                             .plans = &counting->plans,
                                             .asked = asked,
                                             .student = &pair->student,
                                             .reference = &pair->reference,
                                             .report =
                                                 &counting->kernel->program[DEVICE_EMU].report,
                                             .share = share};
    char text[ERROR_TEXT_MAX] = "";
    if (share > 0.0 && counting->result->waits) {
        words_write(text, sizeof text,
                    _("The kernel ends only if its blocks or threads run in a certain order, so "
                      "some of them seem to wait for others. Counted work does not show how "
                      "long."));
    } else if (share > 0.0) {
        why_open_find(&request, text);
    }
    if (text[0] != '\0') {
        leave_open(counting->result, text);
        counting->go_on = false;
    }
}

static enum status size_count(struct counting *counting, int index, struct error *err) {
    struct exercise_result *result = counting->result;
    const struct exercise_speed *asked = &result->exercise->counted[index];
    struct counted_pair pair;
    enum status status = both_count(counting, asked->size, 2 * index, &pair, err);
    if (status || !counting->go_on) {
        return status;
    }
    struct speed_result *speed = &result->speed.list[index];
    if (index == 0) {
        result->speed.alone_size = asked->size;
        result->speed.alone = *pair.student.counts;
        status = is_estimated(result->exercise, pair.reference.counts)
                     ? more_count(counting, &pair, err)
                     : STATUS_OK;
        if (status || !counting->go_on) {
            return status;
        }
    }
    const struct counted_speed counted = counted_speed_of(counting, asked->size, &pair);
    speed_fill(result->exercise, index, &counted, pair.student.counts, pair.reference.counts,
               speed);
    leave_open_if_slow(counting, asked, score_share(asked, counted.high), &pair);
    if (counting->go_on) {
        leave_open_if_wide(counting, asked, &counted);
    }
    if (!counting->go_on) {
        return STATUS_OK;
    }
    result->speed.count = index + 1;
    if (index == 0) {
        speed_estimate(counting->options, counting->kernel, asked->size, &pair.student,
                       &pair.reference, result);
    }
    return STATUS_OK;
}

// The share of the points that the sizes give.
static double share_of(const struct exercise_result *result) {
    int64_t points = 0;
    for (int i = 0; i < result->speed.count; i++) {
        points += result->speed.list[i].points;
    }
    int64_t all = result->exercise->speed_points;
    return all > 0 ? (double)points / (double)all : 0.0;
}

// One more size, which no kernel knows in advance: the points of the other sizes must be earned
// there too.
static enum status drawn_count(struct counting *counting, struct error *err) {
    const struct exercise *exercise = counting->result->exercise;
    const struct exercise_speed asked = counted_drawn(exercise, counting->options->seed);
    struct counted_pair pair;
    double share = share_of(counting->result);
    if (share <= 0.0) {
        return STATUS_OK;
    }
    enum status status = both_count(counting, asked.size, 2 * exercise->counted_count, &pair, err);
    if (status || !counting->go_on) {
        return status;
    }
    const struct counted_speed drawn = counted_speed_of(counting, asked.size, &pair);
    const bool by_time = drawn.times.size.m > 0;
    const double least = by_time ? share - WHY_OPEN_LESS : WHY_OPEN_SURE * share;
    if (score_share(&asked, drawn.ratio) < least) {
        char size[SIZE_TEXT_MAX];
        char text[ERROR_TEXT_MAX];
        size_format(asked.size, size);
        words_write(text, sizeof text,
                    by_time
                        ? _("At %s, a size that the seed of this grade has drawn, the kernel is "
                            "estimated to take %.1f times as long as the reference, longer than at "
                            "the other counted sizes.")
                        : _("At %s, a size that the seed of this grade has drawn, the kernel does "
                            "%.1f times the reference's work, more than at the other counted "
                            "sizes."),
                    size, 1.0 / drawn.ratio);
        leave_open(counting->result, text);
        return STATUS_OK;
    }
    leave_open_if_slow(counting, &asked, share, &pair);
    return STATUS_OK;
}

static enum status plans_make(struct counting *counting, struct error *err) {
    const struct exercise *exercise = counting->result->exercise;
    const struct reference_facts *facts = counting->reference.facts;
    enum status status = reference_work_plan(&counting->reference, err);
    if (status) {
        return status;
    }
    counting->go_on = facts->missing[0] == '\0';
    if (!counting->go_on) {
        speed_reference_missing(facts->missing, counting->result);
        return STATUS_OK;
    }
    memcpy(counting->plans.reference, facts->plan, sizeof counting->plans.reference);
    return planned_launches(exercise, &counting->kernel->program[DEVICE_EMU],
                            counting->plans.student, err);
}

enum status speed_counted(const struct judge_options *options, struct exercise_result *result,
                          const struct run_kernel *kernel, struct error *err) {
    struct counting counting = {.options = options, .result = result, .kernel = kernel};
    enum status status = reference_work_open(options, result->exercise, &counting.reference, err);
    if (!status) {
        status = plans_make(&counting, err);
    }
    for (int i = 0; i < result->exercise->counted_count && !status && counting.go_on; i++) {
        status = size_count(&counting, i, err);
    }
    if (!status && counting.go_on) {
        status = drawn_count(&counting, err);
    }
    reference_work_close(&counting.reference);
    return status;
}

// Keeps only the counts of the student's work.
static void alone_keep(const struct counted_launch *launch, struct speed_outcome *speed) {
    speed->counted_alone = true;
    speed->alone_size = launch->planned.size;
    speed->alone = launch->outcome.counts;
}

enum status speed_counted_alone(const struct judge_options *options, struct exercise_result *result,
                                const struct run_kernel *kernel, struct error *err) {
    const struct exercise *exercise = result->exercise;
    const struct run_program *program = &kernel->program[DEVICE_EMU];
    struct counted_launch launch;
    if (exercise->counted_count == 0) {
        return STATUS_OK;
    }
    const struct size size = exercise->counted[0].size;
    enum status status = student_count(program, options->seed, size, &launch, err);
    if (status || launch.open) {
        return status;
    }
    if (launch.outcome.verdict != VERDICT_PASS) {
        return run_case_failed(kernel, DEVICE_EMU, &launch.planned, &launch.outcome, result, err);
    }
    alone_keep(&launch, &result->speed);
    const struct estimated_kernel student = estimated_of(program, &launch.outcome);
    speed_estimate(options, kernel, size, &student, NULL, result);
    return STATUS_OK;
}

enum status speed_counted_small(const struct judge_options *options, struct exercise_result *result,
                                const struct run_kernel *kernel, struct error *err) {
    const struct exercise *exercise = result->exercise;
    struct size size = {.m = BESIDE_EDGE, .n = BESIDE_EDGE, .k = BESIDE_EDGE};
    struct counted_launch launch;
    if (!exercise->signature.is_matmul) {
        size = exercise->counted[0].size;
    }
    if (size.m == 0) {
        return STATUS_OK;  // exercise.ini names no size that is small enough
    }
    enum status status =
        work_count(&kernel->program[DEVICE_EMU], options->seed, size, REQUEST_COUNT, &launch, err);
    if (!status && launch.outcome.verdict == VERDICT_PASS) {
        alone_keep(&launch, &result->speed);
    }
    return status;
}
