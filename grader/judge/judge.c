// Judges a submission: every requested exercise, then the points.
#include "judge/judge.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compose.h"
#include "base/file.h"
#include "base/memory.h"
#include "judge/answers/judge_answers.h"
#include "judge/diagnose/exercise_run.h"
#include "judge/model/judge_options.h"
#include "judge/model/judgement.h"
#include "judge/model/points.h"
#include "judge/run/gpu_lease.h"
#include "judge/run/pictures.h"
#include "judge/run/run_worker.h"
#include "judge/speed/reference.h"
#include "judge/speed/speed.h"
#include "sandbox/sandbox.h"

// The requested exercises: all, or the named one.
static enum status exercises_choose(const struct judge_options *options,
                                    const struct exercise **ret_first, int *ret_count,
                                    struct error *err) {
    if (!options->only) {
        *ret_first = options->course->exercises;
        *ret_count = options->course->exercise_count;
        return STATUS_OK;
    }
    const struct exercise *exercise = course_find(options->course, options->only);
    if (!exercise) {
        return fail(err, STATUS_BAD_USAGE, "there is no exercise '%s'", options->only);
    }
    *ret_first = exercise;
    *ret_count = 1;
    return STATUS_OK;
}

// Chooses the basis for speed, and allocates its sizes.
static enum status speed_measure(const struct judge_options *options,
                                 struct exercise_result *result, struct run_kernel *kernel,
                                 struct error *err) {
    const struct exercise *exercise = result->exercise;
    struct speed_outcome *speed = &result->speed;
    bool timed = options->uses[DEVICE_GPU] && !options->extras.no_references &&
                 (exercise->signature.is_matmul || exercise->timed_count > 0);
    int sizes = timed ? exercise->timed_count : exercise->counted_count;
    if (!speed->compared) {
        return kernel->built[DEVICE_EMU] ? speed_counted_alone(options, result, kernel, err)
                                         : STATUS_OK;
    }
    if (!timed && !kernel->built[DEVICE_EMU]) {
        assert(options->uses[DEVICE_GPU] && options->extras.no_references);
        speed->complete = false;  // a handout cannot time the reference
        return STATUS_OK;
    }
    speed->complete = sizes > 0 || exercise->speed_points == 0;
    speed->list = xcalloc((size_t)sizes + 1, sizeof *speed->list);
    if (!timed) {
        return speed_counted(options, result, kernel, err);
    }
    enum status status = speed_timed(options, result, kernel, err);
    gpu_lease_give(options->machine.lease);
    bool drawn = options->extras.maps && kernel->built[DEVICE_EMU] && speed->count > 0 &&
                 result->verdict == VERDICT_PASS;
    return status || !drawn ? status : speed_counted_small(options, result, kernel, err);
}

// Runs the kernel, then makes the other parts of the result that were requested.
static enum status exercise_run(const struct judge_options *options, struct exercise_result *result,
                                struct run_kernel *kernel, struct error *err) {
    const struct judge_extras *extras = &options->extras;
    enum status status = run_exercise(options, result, kernel, err);
    if (status) {
        return status;
    }
    // A stub, and a kernel that does not end or is refused, have nothing to show.
    if (extras->maps && kernel->built[DEVICE_EMU] && !result->exercise->is_program &&
        result->cases.count > 0 && result->verdict > VERDICT_CRASH) {
        status = index_map_trace(result->exercise, options->seed, &kernel->program[DEVICE_EMU],
                                 &result->maps, err);
        if (status) {
            return status;
        }
    }
    return extras->speed && result->verdict == VERDICT_PASS && !result->exercise->is_program
               ? speed_measure(options, result, kernel, err)
               : STATUS_OK;
}

static enum status exercise_judge(const struct judge_options *options,
                                  struct exercise_result *result, struct error *err) {
    struct run_kernel kernel;
    memset(&kernel, 0, sizeof kernel);
    (void)snprintf(result->file, sizeof result->file, "%s.cu", result->exercise->name);
    struct gpu_lease *lease = options->machine.lease;
    enum status status =
        reference_work_exists(options, result->exercise, &result->speed.compared, err);
    result->speed.complete = result->speed.compared || result->exercise->is_program;
    if (!status) {
        status = exercise_run(options, result, &kernel, err);
    }
    run_worker_stop(&kernel.worker);
    gpu_lease_give(lease);
    if (lease) {
        result->gpu = lease->use;
        lease->use = (struct gpu_use){.locked_s = 0.0};
    }
    if (!status) {
        result->source = submitted_show(&kernel.source);
    }
    run_kernel_done(&kernel);
    if (!status) {
        score_exercise(options, result);
    }
    return status;
}

// One hash for the submission: over the names and hashes of the expected files.
static void submission_hash(struct judgement *judgement) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = xopen_memstream(&text, &bytes);
    for (int i = 0; i < judgement->exercise_count; i++) {
        (void)fprintf(stream, "%s %s\n", judgement->exercises[i].file,
                      judgement->exercises[i].sha256);
    }
    if (judgement->answers.state != ANSWERS_NOT_ASKED) {
        (void)fprintf(stream, ANSWERS_FILE " %s\n", judgement->answers.sha256);
    }
    xclose_memstream(stream, &text);
    sha256_hex(text, bytes, judgement->submission_sha256);
    free(text);
}

// The layers of protection in effect, and whether one of them is not in effect for a GPU.
static void sandbox_describe(const struct judge_options *options, char text[SANDBOX_TEXT_BYTES]) {
    char layers[SANDBOX_TEXT_BYTES];
    sandbox_text(options->machine.sandbox, text);
    if (options->uses[DEVICE_GPU] && options->machine.gpu.pageable_memory_access) {
        memcpy(layers, text, sizeof layers);
        words_write(text, SANDBOX_TEXT_BYTES,
                    "%s; a kernel on this GPU can reach all memory of its worker (HMM)", layers);
    }
}

static void judgement_describe(const struct judge_options *options, struct judgement *judgement) {
    const struct gpu *gpu = &options->machine.gpu;
    judgement->used_emu = options->uses[DEVICE_EMU];
    judgement->used_gpu = options->uses[DEVICE_GPU];
    judgement->measured = options->extras.speed;
    judgement->counted = !options->uses[DEVICE_GPU];
    judgement->complete = true;
    judgement->card =
        options->uses[DEVICE_GPU] ? card_of_gpu(gpu->name, gpu->multiprocessors) : NULL;
    seed_format(options->seed, judgement->seed_text);
    sandbox_describe(options, judgement->sandbox_text);
    if (!options->uses[DEVICE_GPU]) {
        (void)snprintf(judgement->device_text, sizeof judgement->device_text, "emu");
    } else if (gpu->name[0] != '\0') {
        (void)snprintf(judgement->device_text, sizeof judgement->device_text, "%s", gpu->name);
    } else {
        (void)snprintf(judgement->device_text, sizeof judgement->device_text, "GPU %s",
                       gpu->architecture);
    }
}

enum status judge_submission(const struct judge_options *options, struct judgement **ret_judgement,
                             struct error *err) {
    const struct exercise *first = NULL;
    struct judgement *judgement = NULL;
    struct judge_patience patience;
    struct judge_options patient = *options;
    int count = 0;
    assert(options->uses[DEVICE_EMU] || options->uses[DEVICE_GPU]);
    enum status status = exercises_choose(options, &first, &count, err);
    if (status) {
        return status;
    }
    judgement = xcalloc(1, sizeof *judgement);
    judgement->exercises = xcalloc((size_t)count, sizeof *judgement->exercises);
    judgement->exercise_count = count;
    judgement_describe(options, judgement);
    run_patience_begin(&patience);
    patient.patience = &patience;
    for (int i = 0; i < count; i++) {
        struct exercise_result *result = &judgement->exercises[i];
        result->exercise = &first[i];
        run_patience_kernel(&patience);
        status = exercise_judge(&patient, result, err);
        if (status) {
            goto out;
        }
        judgement->points += result->points;
        judgement->points_max += result->points_max;
        judgement->points_open += result->points_open;
        judgement->complete &=
            result->complete && (result->speed.complete || !options->extras.speed);
    }
    if (options->extras.speed) {  // a test gives no points
        run_patience_kernel(&patience);
        status = judge_answers(&patient, judgement, err);
        judgement->points += judgement->answers.points;
        judgement->points_max += judgement->answers.points_max;
        judgement->points_open += judgement->answers.points_open;
    }
    if (!status) {
        submission_hash(judgement);
    }
    if (!status) {
        *ret_judgement = judgement;
        judgement = NULL;
    }

out:
    judgement_free(judgement);
    return status;
}

void judgement_free(struct judgement *judgement) {
    if (!judgement) {
        return;
    }
    for (int i = 0; i < judgement->exercise_count; i++) {
        struct exercise_result *result = &judgement->exercises[i];
        free(result->why.diagnostics);
        free(result->source);
        free(result->maps);
        for (int j = 0; j < result->speed.count; j++) {
            free(result->speed.list[j].student_ms);
            free(result->speed.list[j].reference_ms);
            free(result->speed.list[j].states);
        }
        free(result->speed.list);
    }
    free(judgement->exercises);
    judge_answers_done(judgement);
    free(judgement);
}
