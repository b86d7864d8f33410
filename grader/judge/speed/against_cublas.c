// cuBLAS next to a grade: see speed.h.
//
// Invariant: nothing here changes a verdict, a ratio or points; only a wrong output of the
// student's kernel is reported, as everywhere.
#include "judge/speed/speed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compose.h"
#include "base/memory.h"
#include "judge/model/judgement.h"
#include "judge/model/points.h"
#include "judge/speed/timed_size.h"

#define AS_FAST  1.0  // the ratio that is "as fast as cuBLAS"; SCORE_GRACE times it is enough
#define WARM_UPS 2    // the first launch of a size loads a kernel of the library

struct asking {
    const struct judge_options *options;
    const struct run_kernel *kernel;
    struct run_worker *const *worker;
    struct exercise_result *result;
};

void cublas_version_format(uint32_t version, char text[CUBLAS_VERSION_MAX]) {
    uint32_t major =
        version >= 100000 ? 10000 : 1000;  // the factor of the major number; 12 and later have five
                                           // digits
    (void)snprintf(text, CUBLAS_VERSION_MAX, "%u.%u.%u", version / major, version % major / 100,
                   version % 100);
}

enum timed_by speed_cublas_by(const struct exercise *exercise) {
    enum element_type element = exercise->signature.parameter[ARRAY_A].element;
    return !signature_multiplies(&exercise->signature) ? TIMED_BY_KERNEL
           : element == ELEMENT_HALF                   ? TIMED_BY_CUBLAS_FP16
           : element == ELEMENT_BF16                   ? TIMED_BY_CUBLAS_BF16
           : exercise->precision == PRECISION_FP32     ? TIMED_BY_CUBLAS_FP32
                                                       : TIMED_BY_CUBLAS_TF32;
}

static struct timed_size timed_of(const struct asking *asking) {
    return (struct timed_size){
        .seed = asking->options->seed,
        .exercise = asking->result->exercise,
        .worker = {asking->worker[PAIRS_STUDENT], asking->worker[PAIRS_REFERENCE]},
        .by = speed_cublas_by(asking->result->exercise)};
}

static void version_keep(struct cublas_table *table, const struct pairs_sample *sample) {
    if (sample->cublas_version > 0) {
        cublas_version_format(sample->cublas_version, table->version);
    }
}

// --- cuBLAS alone -------------------------------------------------------------------------------

static enum status times_take(struct timed_size *timed, struct cublas_table *table,
                              struct cublas_times *times, struct error *err) {
    struct pairs_sample sample;
    bool right = true;
    enum status status = STATUS_OK;
    for (int i = -WARM_UPS; i < CUBLAS_SAMPLES && !status; i++) {
        status = timed_size_launch(timed, PAIRS_REFERENCE, i + WARM_UPS, &sample, err);
        if (!status && !(sample.event_ms > 0.0)) {
            status = fail(err, STATUS_SYSTEM, "its time is not a positive number");
        } else if (!status && i >= 0) {
            times->ms[i] = sample.event_ms;
        }
    }
    if (!status) {
        version_keep(table, &sample);
        status = timed_size_settle(timed, &right, err);
    }
    times->count = status ? 0 : CUBLAS_SAMPLES;
    return status;
}

// Times of one size: those measured for an earlier exercise, or new ones.
static enum status alone_measure(const struct asking *asking, struct speed_result *speed,
                                 struct error *err) {
    struct cublas_table *table = asking->options->extras.cublas;
    struct timed_size timed = timed_of(asking);
    int at = 0;
    while (at < table->count &&
           (!size_equal(table->size[at], speed->size) || table->by[at] != timed.by)) {
        at++;
    }
    if (at == CUBLAS_SIZES_MAX) {
        return fail(err, STATUS_SYSTEM, "too many sizes");
    }
    if (at == table->count) {
        enum status status = timed_size_init(&timed, speed->size, speed->launches, err);
        if (!status) {
            status = times_take(&timed, table, &table->times[at], err);
        }
        timed_size_done(&timed);
        if (status) {
            return status;
        }
        table->by[table->count] = timed.by;
        table->size[table->count++] = speed->size;
    }
    speed->cublas = table->times[at];
    speed->cublas_gflops = timed_gflops(asking->result->exercise, speed->size,
                                        stats_median(speed->cublas.ms, CUBLAS_SAMPLES));
    return STATUS_OK;
}

// --- In pairs with the student's kernel ----------------------------------------------------------

// Implausible times give no verdict; the other sizes continue.
static void pairs_fill(const struct pairs_result *pairs, struct exercise_result *result,
                       struct speed_result *speed) {
    struct cublas_pairs *kept = &speed->cublas_pairs;
    char size[SIZE_TEXT_MAX];
    if (!pairs->believed) {
        size_format(speed->size, size);
        words_write(
            result->speed.cublas_note, sizeof result->speed.cublas_note,
            _("no comparison with cuBLAS at size %s: its times were not plausible in %d attempts"),
            size, pairs->attempts);
        return;
    }
    kept->pairs = pairs->pairs;
    kept->verdict = score_speed_verdict(pairs->low, pairs->high, AS_FAST);
    kept->ratio = pairs->ratio;
    kept->low = pairs->low;
    kept->high = pairs->high;
    for (int i = 0; i < pairs->pairs; i++) {
        kept->student_ms[i] = pairs->student[i].event_ms;
        kept->cublas_ms[i] = pairs->reference[i].event_ms;
    }
}

// If the exercise has an expected.c, it judges the first outputs of cuBLAS before the student's
// outputs are compared with them.
//
// *ret_right is false if an output of the student's kernel is wrong; it is then reported.
static enum status pairs_take(const struct asking *asking, struct speed_result *speed,
                              bool *ret_right, struct error *err) {
    const struct gpu *gpu = &asking->options->machine.gpu;
    struct timed_size timed = timed_of(asking);
    const bool tensor_cores = asking->result->exercise->precision != PRECISION_FP32;
    struct pairs_io io = {
        .context = &timed,
        .least_ms = guard_least_ms(speed->size, tensor_cores, gpu->multiprocessors, gpu->clock_khz),
        .launch = timed_size_launch,
        .settle = timed_size_settle,
        .isolate = timed_size_isolate};
    struct pairs_result *pairs = xcalloc(1, sizeof *pairs);
    enum status status = timed_expected_new(asking->options, asking->result->exercise, speed->size,
                                            &timed.expected, err);
    if (!status) {
        io.one_kind = timed.expected && timed_expected_is_real_only(timed.expected);
        status = timed_size_init(&timed, speed->size, speed->launches, err);
    }
    if (!status) {
        status = pairs_measure(&io, SCORE_GRACE * AS_FAST, pairs, err);
    }
    if (!status && !pairs->right) {
        *ret_right = false;
        status = run_case_failed(asking->kernel, DEVICE_GPU, &timed.wrong_launch.planned,
                                 &timed.wrong_launch.outcome, asking->result, err);
    } else if (!status) {
        version_keep(asking->options->extras.cublas, &pairs->reference[0]);
        speed->cublas_gflops =
            timed_gflops(asking->result->exercise, speed->size, pairs->reference_ms);
        pairs_fill(pairs, asking->result, speed);
    }
    timed_size_done(&timed);
    timed_expected_free(timed.expected);
    free(pairs);
    return status;
}

// --- All sizes ----------------------------------------------------------------------------------

// Notes the failure in a few words; earlier results stay.
static void note_make(struct cublas_table *table, const struct speed_result *speed,
                      const struct error *err) {
    char size[SIZE_TEXT_MAX];
    size_format(speed->size, size);
    if (table->version[0] == '\0') {
        words_write(table->note, sizeof table->note, "not compared with cuBLAS: %s", err->words);
    } else {
        words_write(table->note, sizeof table->note, "not compared with cuBLAS from size %s on: %s",
                    size, err->words);
    }
    table->gone = true;
}

enum status speed_cublas(const struct judge_options *options, const struct run_kernel *kernel,
                         struct run_worker *const worker[], struct exercise_result *result,
                         struct error *err) {
    const struct asking asking = {options, kernel, worker, result};
    struct cublas_table *table = options->extras.cublas;
    struct error trouble = {.text = ""};
    bool right = true;
    const struct exercise *exercise = result->exercise;
    if (!table || (!exercise->signature.is_matmul && !exercise->against_cublas)) {
        return STATUS_OK;
    }
    for (int i = 0; i < result->speed.count && !table->gone; i++) {
        struct speed_result *speed = &result->speed.list[i];
        enum status status = exercise->against_cublas ? pairs_take(&asking, speed, &right, &trouble)
                                                      : alone_measure(&asking, speed, &trouble);
        if (!right) {
            return status ? fail(err, status, "%s", trouble.text) : STATUS_OK;
        }
        if (status) {
            note_make(table, speed, &trouble);
        }
    }
    (void)snprintf(result->speed.cublas_version, sizeof result->speed.cublas_version, "%s",
                   table->version);
    if (table->note[0] != '\0') {
        (void)snprintf(result->speed.cublas_note, sizeof result->speed.cublas_note, "%s",
                       table->note);
    }
    return STATUS_OK;
}
