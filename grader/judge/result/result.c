// result.json: keys in a fixed order, so that two runs with one seed give the same bytes (measured
// times apart). grader/result.schema.json documents it.
#include "judge/result/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/words.h"
#include "exercise/assignment.h"
#include "judge/model/judgement.h"
#include "judge/result/json_parts.h"

static json_t *place_json(const uint32_t place[3]) {
    return result_triple_json(place[0], place[1], place[2]);
}

static const char *severity_name(uint32_t severity) {
    static const char *const names[SEVERITY_COUNT] = {"note", "warning", "error"};
    return severity < SEVERITY_COUNT ? names[severity] : "unknown";
}

// The thread and the place, if this kind of finding has them.
static void finding_place_put(json_t *object, const struct judged_finding *judged, bool *failed) {
    const struct finding *finding = &judged->finding;
    if (judged->array[0] != '\0') {
        result_put_text(object, "array", judged->array, failed);
    }
    if (judged->index_count > 0) {
        json_t *index = json_array();
        for (int i = 0; i < judged->index_count; i++) {
            result_append(index, json_integer(judged->index[i]), failed);
        }
        result_put(object, "index", index, failed);
    }
    result_put(object, "block", place_json(finding->block), failed);
    result_put(object, "thread", place_json(finding->thread), failed);
    if (finding->kind == FINDING_RACE) {
        result_put(object, "other_block", place_json(finding->other_block), failed);
        result_put(object, "other_thread", place_json(finding->other_thread), failed);
    }
    if (finding->kind == FINDING_BARRIER_DIVERGENCE ||
        finding->kind == FINDING_EXITED_BEFORE_BARRIER) {
        result_put_integer(object, "threads_waiting", finding->count_waiting, failed);
        result_put_integer(object, "threads_absent", finding->count_absent, failed);
    }
}

// Left out if there is nothing to mark.
static void span_put(json_t *object, const char *key, struct source_span span, bool *failed) {
    if (span.length > 0) {
        result_put(object, key,
                   json_pack("[I, I]", (json_int_t)span.start, (json_int_t)span.length), failed);
    }
}

// The variables of the failing thread, if they are known.
static void values_put(json_t *object, const struct judged_finding *judged, bool *failed) {
    json_t *values = judged->value_count > 0 ? json_array() : NULL;
    for (int i = 0; i < judged->value_count; i++) {
        json_t *value = json_object();
        result_put_text(value, "name", judged->value[i].name, failed);
        result_put_integer(value, "value", judged->value[i].number, failed);
        result_append(values, value, failed);
    }
    if (values) {
        result_put(object, "values", values, failed);
    }
}

static json_t *finding_json(const struct judged_finding *judged, const char *file, bool *failed) {
    const struct finding *finding = &judged->finding;
    json_t *object = json_object();
    result_put_text(object, "kind", finding_kind_name(finding->kind), failed);
    result_put_text(object, "severity", severity_name(finding->severity), failed);
    result_put_text(object, "file", file, failed);
    result_put_integer(object, "line", finding->line, failed);
    result_put_integer(object, "column", judged->shown.column, failed);
    result_put_integer(object, "other_line", finding->other_line, failed);
    result_put_integer(object, "other_column", judged->other_shown.column, failed);
    result_put_text(object, "source", judged->shown.text, failed);
    span_put(object, "mark", judged->shown.mark, failed);
    result_put_text(object, "other_source", judged->other_shown.text, failed);
    span_put(object, "other_mark", judged->other_shown.mark, failed);
    result_put_integer(object, "count", (int64_t)finding->count, failed);
    finding_place_put(object, judged, failed);
    values_put(object, judged, failed);
    if (judged->barrier.after > 0) {
        result_put_integer(object, "barrier_after", judged->barrier.after, failed);
    }
    result_put(object, "size", result_size_json(judged->size), failed);
    result_put_text(object, "device", device_kind_name(judged->device), failed);
    result_put_words(object, "message", judged->message, failed);
    result_put_text(object, "lesson", judged->lesson, failed);
    return object;
}

static json_t *case_json(const struct case_result *judged, bool *failed) {
    json_t *object = json_object();
    result_put(object, "size", result_size_json(judged->size), failed);
    result_put_text(object, "inputs", inputs_kind_name(judged->inputs), failed);
    result_put_text(object, "device", device_kind_name(judged->device), failed);
    result_put_text(object, "verdict", verdict_name(judged->verdict), failed);
    return object;
}

// The lists of an exercise.  `counts` repeats the work at the first counted size, for readers who
// need only one size.
static void exercise_lists_put(json_t *object, const struct exercise_result *result, bool *failed) {
    json_t *findings = json_array();
    json_t *cases = json_array();
    json_t *speed = json_array();
    for (int i = 0; i < result->findings.count; i++) {
        result_append(findings, finding_json(&result->findings.list[i], result->file, failed),
                      failed);
    }
    for (int i = 0; i < result->cases.count; i++) {
        result_append(cases, case_json(&result->cases.list[i], failed), failed);
    }
    for (int i = 0; i < result->speed.count; i++) {
        result_append(speed, result_speed_json(&result->speed.list[i], result->exercise, failed),
                      failed);
    }
    result_put(object, "findings", findings, failed);
    result_put(object, "cases", cases, failed);
    if (result->speed.alone_size.m > 0) {
        result_put(object, "counts",
                   result_counts_json(&result->speed.alone, result->exercise,
                                      result->speed.alone_size, failed),
                   failed);
    }
    result_put(object, "speed", speed, failed);
    if (result->speed.cublas_version[0] != '\0' || result->speed.cublas_note[0] != '\0') {
        json_t *cublas = json_object();
        result_put_text(cublas, "version", result->speed.cublas_version, failed);
        result_put_words(cublas, "note", result->speed.cublas_note, failed);
        result_put(object, "cublas", cublas, failed);
    }
    if (result->speed.estimate.made) {
        result_put(object, "estimate",
                   result_estimate_json(&result->speed.estimate, result->exercise, failed), failed);
    }
}

static json_t *exercise_json(const struct exercise_result *result, bool *failed) {
    json_t *object = json_object();
    char verdict_lesson[128];
    result_put_text(object, "name", result->exercise->name, failed);
    result_put_text(object, "title", result->exercise->title, failed);
    if (result->exercise->title_zh[0] != '\0') {
        result_put_text(object, "title_zh", result->exercise->title_zh, failed);
    }
    result_put_text(object, "lesson", result->exercise->lesson, failed);
    result_put(object, "kernel", result_kernel_json(&result->exercise->signature, failed), failed);
    result_put_text(object, "file", result->file, failed);
    result_put_text(object, "sha256", result->sha256, failed);
    result_put_text(object, "verdict", verdict_name(result->verdict), failed);
    result_put_text(object, "verdict_title", verdict_title(result->verdict), failed);
    (void)snprintf(verdict_lesson, sizeof verdict_lesson, "lessons/verdicts.md#%s",
                   verdict_name(result->verdict));
    result_put_text(object, "verdict_lesson", verdict_lesson, failed);
    result_put(object, "complete", json_boolean(result->complete), failed);
    result_put(object, "speed_complete", json_boolean(result->speed.complete), failed);
    result_put_integer(object, "points", result->points, failed);
    result_put_integer(object, "points_max", result->points_max, failed);
    result_put_integer(object, "points_open", result->points_open, failed);
    result_put_words(object, "headline", result->why.headline, failed);
    result_put_words(object, "detail", result->why.detail, failed);
    result_put_words(object, "diagnostics", result->why.diagnostics ? result->why.diagnostics : "",
                     failed);
    result_put_text(object, "output", result->output.text, failed);
    result_put(object, "repeat_size",
               result->why.repeat_size.m > 0 ? result_size_json(result->why.repeat_size)
                                             : json_null(),
               failed);
    if (result->gpu.locked_s > 0.0) {
        result_put(
            object, "gpu_seconds",
            json_pack("{s:f, s:f}", "locked", result->gpu.locked_s, "waited", result->gpu.waited_s),
            failed);
    }
    if (result->source) {
        result_put_text(object, "source", result->source, failed);
    }
    exercise_lists_put(object, result, failed);
    if (result->wrong.wrong > 0) {
        result_put(object, "wrong_tiles", result_wrong_tiles_json(&result->wrong), failed);
    }
    if (result->cells.count > 0) {
        result_put(object, "wrong_cells", result_wrong_cells_json(&result->cells), failed);
    }
    if (result->maps) {
        result_put(object, "maps", result_index_maps_json(result->maps), failed);
    }
    return object;
}

static json_t *submission_json(const struct judgement *judgement, bool *failed) {
    json_t *object = json_object();
    json_t *files = json_object();
    for (int i = 0; i < judgement->exercise_count; i++) {
        result_put_text(files, judgement->exercises[i].exercise->name, judgement->exercises[i].file,
                        failed);
    }
    result_put_text(object, "sha256", judgement->submission_sha256, failed);
    result_put(object, "files", files, failed);
    return object;
}

static json_t *device_json(const struct judgement *judgement, bool *failed) {
    json_t *object = json_object();
    result_put_text(object, "name", device_kind_name(judgement->used_gpu ? DEVICE_GPU : DEVICE_EMU),
                    failed);
    if (judgement->used_gpu) {
        result_put_text(object, "gpu", judgement->device_text, failed);
    } else {
        result_put(object, "gpu", json_null(), failed);
    }
    result_put(object, "emu", json_boolean(judgement->used_emu), failed);
    if (judgement->card) {
        result_put(object, "peaks", result_peaks_json(judgement->card), failed);
    }
    return object;
}

static json_t *answer_json(const struct answer_result *answer, bool *failed) {
    json_t *object = json_object();
    result_put_text(object, "section", answer->page->name, failed);
    result_put_integer(object, "number", answer->number, failed);
    result_put_text(object, "title", answer->title, failed);
    if (answer->title_zh[0] != '\0') {
        result_put_text(object, "title_zh", answer->title_zh, failed);
    }
    result_put_text(object, "given", answer->given, failed);
    if (answer->unread_line > 0) {
        result_put_integer(object, "unread_line", answer->unread_line, failed);
    }
    result_put(object, "right", json_boolean(answer->right), failed);
    result_put_integer(object, "points", answer->points, failed);
    result_put_integer(object, "points_max", answer->points_max, failed);
    return object;
}

static json_t *answers_json(const struct answers_result *answers, bool *failed) {
    static const char *const states[] = {[ANSWERS_NOT_ASKED] = "",
                                         [ANSWERS_MARKED] = "marked",
                                         [ANSWERS_MISSING] = "missing",
                                         [ANSWERS_WITHHELD] = "withheld"};
    json_t *object = json_object();
    json_t *list = json_array();
    for (int i = 0; i < answers->count; i++) {
        result_append(list, answer_json(&answers->list[i], failed), failed);
    }
    result_put_text(object, "state", states[answers->state], failed);
    result_put_text(object, "sha256", answers->sha256, failed);
    result_put_words(object, "note", answers->note, failed);
    result_put_integer(object, "points", answers->points, failed);
    result_put_integer(object, "points_max", answers->points_max, failed);
    result_put_integer(object, "points_open", answers->points_open, failed);
    result_put(object, "list", list, failed);
    return object;
}

static json_t *assignment_json(const struct judgement_origin *origin, bool *failed) {
    const struct assignment *assignment = origin->assignment;
    json_t *object = json_object();
    int64_t time = 0;
    char text[MOMENT_TEXT_BYTES];
    result_put_text(object, "name", assignment->name, failed);
    result_put_text(object, "title", assignment->title, failed);
    result_put(object, "due",
               assignment->due != MOMENT_NONE ? json_string(assignment->due_text) : json_null(),
               failed);
    result_put_text(object, "feedback", assignment_feedback_name(assignment->feedback), failed);
    bool shown = assignment_reference_time(assignment, origin->extension_days_max, &time);
    moment_format(time, text);
    result_put(object, "reference_from", shown ? json_string(text) : json_null(), failed);
    return object;
}

// `graded_at`, `seconds` and `cpu_seconds` are the only lines in which two runs with one seed may
// differ, but for measured times.
static void origin_put(json_t *root, const struct judgement_origin *origin, bool *failed) {
    char text[MOMENT_TEXT_BYTES];
    if (origin->student) {
        result_put_text(root, "student", origin->student, failed);
    }
    if (origin->assignment) {
        result_put(root, "assignment", assignment_json(origin, failed), failed);
    }
    if (origin->job) {
        result_put_text(root, "job", origin->job, failed);
    }
    if (origin->graded_at != 0) {
        moment_format(origin->graded_at, text);
        result_put_text(root, "graded_at", text, failed);
        result_put(root, "seconds", json_real((double)origin->milliseconds / 1000.0), failed);
    }
    if (origin->cpu_milliseconds != 0) {
        result_put(root, "cpu_seconds", json_real((double)origin->cpu_milliseconds / 1000.0),
                   failed);
    }
}

static const char *speed_basis(const struct judgement *judgement) {
    if (!judgement->measured) {
        return "none";
    }
    return judgement->counted ? "counted" : "measured";
}

bool result_is_known(const char *schema) {
    return strcmp(schema, RESULT_SCHEMA) == 0 || strcmp(schema, RESULT_SCHEMA_V1) == 0;
}

enum status result_write_json(const struct judgement *judgement, const char *grader_version,
                              char **ret_text, struct error *err) {
    bool failed = false;
    json_t *root = json_object();
    json_t *exercises = json_array();
    result_put_text(root, "schema", RESULT_SCHEMA, &failed);
    result_put_text(root, "grader_version", grader_version, &failed);
    result_put_text(root, "language", texts_language(), &failed);
    result_put(root, "submission", submission_json(judgement, &failed), &failed);
    result_put(root, "device", device_json(judgement, &failed), &failed);
    result_put_text(root, "speed_basis", speed_basis(judgement), &failed);
    result_put_words(root, "sandbox", judgement->sandbox_text, &failed);
    result_put_text(root, "seed", judgement->seed_text, &failed);
    origin_put(root, &judgement->origin, &failed);
    result_put(root, "complete", json_boolean(judgement->complete), &failed);
    result_put_integer(root, "points", judgement->points, &failed);
    result_put_integer(root, "points_max", judgement->points_max, &failed);
    result_put_integer(root, "points_open", judgement->points_open, &failed);
    for (int i = 0; i < judgement->exercise_count; i++) {
        result_append(exercises, exercise_json(&judgement->exercises[i], &failed), &failed);
    }
    result_put(root, "exercises", exercises, &failed);
    if (judgement->answers.state != ANSWERS_NOT_ASKED) {
        result_put(root, "answers", answers_json(&judgement->answers, &failed), &failed);
    }
    char *text =
        failed ? NULL : json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(RESULT_REAL_DIGITS));
    json_decref(root);
    if (!text) {
        return fail(err, STATUS_NO_MEMORY, "no memory for result.json");
    }
    size_t bytes = strlen(text);
    char *whole = realloc(text, bytes + 2);
    if (!whole) {
        free(text);
        return fail(err, STATUS_NO_MEMORY, "no memory for result.json");
    }
    memcpy(whole + bytes, "\n", 2);
    *ret_text = whole;
    return STATUS_OK;
}
