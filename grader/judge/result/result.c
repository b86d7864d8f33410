// result.json: keys in a fixed order, so that two runs with one seed give the same bytes (measured
// times apart). grader/result.schema.json documents it.
#include "judge/result/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/memory.h"
#include "base/words.h"
#include "exercise/assignment.h"
#include "judge/model/judgement.h"
#include "judge/result/json_parts.h"
#include "judge/run/program_run.h"

static const char *severity_name(uint32_t severity) {
    static const char *const names[SEVERITY_COUNT] = {"note", "warning", "error"};
    return severity < SEVERITY_COUNT ? names[severity] : "unknown";
}

// The thread and the place, if this kind of finding has them.
static json_t *with_place(json_t *object, const struct judged_finding *judged) {
    const struct finding *finding = &judged->finding;
    if (judged->array[0] != '\0') {
        object = result_with(object, "array", result_text(judged->array));
    }
    if (judged->index_count > 0) {
        json_t *index = json_array();
        for (int i = 0; i < judged->index_count; i++) {
            index = result_added(index, json_integer(judged->index[i]));
        }
        object = result_with(object, "index", index);
    }
    object =
        result_joined(object, json_pack("{s:o, s:o}", "block", result_triple_json(finding->block),
                                        "thread", result_triple_json(finding->thread)));
    if (finding->kind == FINDING_RACE) {
        object = result_joined(
            object, json_pack("{s:o, s:o}", "other_block", result_triple_json(finding->other_block),
                              "other_thread", result_triple_json(finding->other_thread)));
    }
    if (finding->kind == FINDING_BARRIER_DIVERGENCE ||
        finding->kind == FINDING_EXITED_BEFORE_BARRIER) {
        object = result_joined(
            object, json_pack("{s:I, s:I}", "threads_waiting", (json_int_t)finding->count_waiting,
                              "threads_absent", (json_int_t)finding->count_absent));
    }
    return object;
}

// A line, and the part to mark in it; omitted if there is nothing to mark.
static json_t *with_line(json_t *object, const char *key, const char *mark_key,
                         const struct shown_line *shown) {
    object = result_with(object, key, result_text(shown->text));
    return shown->mark.length == 0 ? object
                                   : result_with(object, mark_key,
                                                 json_pack("[I, I]", (json_int_t)shown->mark.start,
                                                           (json_int_t)shown->mark.length));
}

// The variables of the failing thread, if they are known.
static json_t *with_values(json_t *object, const struct judged_finding *judged) {
    json_t *values = json_array();
    for (int i = 0; i < judged->value_count; i++) {
        values =
            result_added(values, json_pack("{s:o, s:I}", "name", result_text(judged->value[i].name),
                                           "value", (json_int_t)judged->value[i].number));
    }
    if (judged->value_count == 0) {
        json_decref(values);
        return object;
    }
    return result_with(object, "values", values);
}

static json_t *finding_json(const struct judged_finding *judged, const char *file) {
    const struct finding *finding = &judged->finding;
    uint32_t line = finding->line;
    uint32_t other_line = finding->other_line;
    const char *of_program = program_file_of(judged->files, &line);
    (void)program_file_of(judged->files, &other_line);
    file = judged->files ? of_program : file;
    json_t *object =
        json_pack("{s:s, s:s, s:o, s:I, s:I, s:I, s:I}", "kind", finding_kind_name(finding->kind),
                  "severity", severity_name(finding->severity), "file", result_text(file), "line",
                  (json_int_t)line, "column", (json_int_t)judged->shown.column, "other_line",
                  (json_int_t)other_line, "other_column", (json_int_t)judged->other_shown.column);
    object = with_line(object, "source", "mark", &judged->shown);
    object = with_line(object, "other_source", "other_mark", &judged->other_shown);
    object = result_with(object, "count", json_integer((json_int_t)finding->count));
    object = with_values(with_place(object, judged), judged);
    if (judged->barrier.after > 0) {
        object = result_with(object, "barrier_after", json_integer(judged->barrier.after));
    }
    if (!judged->files) {
        object = result_with(object, "size", result_size_json(judged->size));
    }
    object = result_with(object, "device", json_string(device_kind_name(judged->device)));
    object = result_with_words(object, "message", judged->message);
    return result_with(object, "lesson", result_text(judged->lesson));
}

static json_t *case_json(const struct case_result *judged) {
    return json_pack("{s:o, s:s, s:s, s:s}", "size", result_size_json(judged->size), "inputs",
                     inputs_kind_name(judged->inputs), "device", device_kind_name(judged->device),
                     "verdict", verdict_name(judged->verdict));
}

static json_t *points_json(int64_t points, int64_t points_max, int64_t points_open) {
    return json_pack("{s:I, s:I, s:I}", "points", (json_int_t)points, "points_max",
                     (json_int_t)points_max, "points_open", (json_int_t)points_open);
}

// The lists of an exercise.  `counts` repeats the work at the first counted size, for readers who
// need only one size.
static json_t *with_lists(json_t *object, const struct exercise_result *result) {
    const struct speed_outcome *outcome = &result->speed;
    json_t *findings = json_array();
    json_t *cases = json_array();
    json_t *speed = json_array();
    for (int i = 0; i < result->findings.count; i++) {
        findings = result_added(findings, finding_json(&result->findings.list[i], result->file));
    }
    for (int i = 0; i < result->cases.count; i++) {
        cases = result_added(cases, case_json(&result->cases.list[i]));
    }
    for (int i = 0; i < outcome->count; i++) {
        speed = result_added(speed, result_speed_json(&outcome->list[i], result->exercise));
    }
    object = result_joined(object, json_pack("{s:o, s:o}", "findings", findings, "cases", cases));
    if (outcome->alone_size.m > 0) {
        object =
            result_with(object, "counts",
                        result_counts_json(&outcome->alone, result->exercise, outcome->alone_size));
    }
    object = result_with(object, "speed", speed);
    if (outcome->cublas_version[0] != '\0' || outcome->cublas_note[0] != '\0') {
        json_t *cublas = json_pack("{s:o}", "version", result_text(outcome->cublas_version));
        cublas = result_with_words(cublas, "note", outcome->cublas_note);
        object = result_with(object, "cublas", cublas);
    }
    return outcome->estimate.made
               ? result_with(object, "estimate",
                             result_estimate_json(&outcome->estimate, result->exercise))
               : object;
}

// The subject of the judgement, and its outcome.
static json_t *verdict_json(const struct exercise_result *result) {
    const struct exercise *exercise = result->exercise;
    char lesson[128];
    (void)snprintf(lesson, sizeof lesson, "lessons/verdicts.md#%s", verdict_name(result->verdict));
    json_t *object = json_pack("{s:o, s:o}", "name", result_text(exercise->name), "title",
                               result_text(exercise->title));
    if (exercise->title_zh[0] != '\0') {
        object = result_with(object, "title_zh", result_text(exercise->title_zh));
    }
    object = result_joined(
        object,
        json_pack("{s:o, s:o, s:o, s:s, s:s, s:o, s:s, s:b, s:b}", "lesson",
                  result_text(exercise->lesson), "kernel", result_kernel_json(&exercise->signature),
                  "file", result_text(result->file), "sha256", result->sha256, "verdict",
                  verdict_name(result->verdict), "verdict_title",
                  result_text(verdict_title(result->verdict)), "verdict_lesson", lesson, "complete",
                  result->complete, "speed_complete", result->speed.complete));
    object =
        result_joined(object, points_json(result->points, result->points_max, result->points_open));
    object = result_with_words(object, "headline", result->why.headline);
    object = result_with_words(object, "detail", result->why.detail);
    return result_with_words(object, "diagnostics",
                             result->why.diagnostics ? result->why.diagnostics : "");
}

static json_t *exercise_json(const struct exercise_result *result) {
    json_t *object = verdict_json(result);
    object = result_joined(
        object, json_pack("{s:o, s:o}", "output", result_text(result->output.text), "repeat_size",
                          result->why.repeat_size.m > 0 ? result_size_json(result->why.repeat_size)
                                                        : json_null()));
    if (result->gpu.locked_s > 0.0) {
        object = result_with(object, "gpu_seconds",
                             json_pack("{s:f, s:f}", "locked", result->gpu.locked_s, "waited",
                                       result->gpu.waited_s));
    }
    if (result->source) {
        object = result_with(object, "source", result_text(result->source));
    }
    object = with_lists(object, result);
    if (result->wrong.wrong > 0) {
        object = result_with(object, "wrong_tiles", result_wrong_tiles_json(&result->wrong));
    }
    if (result->cells.count > 0) {
        object = result_with(object, "wrong_cells", result_wrong_cells_json(&result->cells));
    }
    return result->maps ? result_with(object, "maps", result_index_maps_json(result->maps))
                        : object;
}

static json_t *submission_json(const struct judgement *judgement) {
    json_t *files = json_object();
    for (int i = 0; i < judgement->exercise_count; i++) {
        files = result_with(files, judgement->exercises[i].exercise->name,
                            result_text(judgement->exercises[i].file));
    }
    return json_pack("{s:s, s:o}", "sha256", judgement->submission_sha256, "files", files);
}

static json_t *device_json(const struct judgement *judgement) {
    json_t *object = json_pack(
        "{s:s, s:o, s:b}", "name", device_kind_name(judgement->used_gpu ? DEVICE_GPU : DEVICE_EMU),
        "gpu", judgement->used_gpu ? result_text(judgement->device_text) : json_null(), "emu",
        judgement->used_emu);
    return judgement->card ? result_with(object, "peaks", result_peaks_json(judgement->card))
                           : object;
}

static json_t *answer_json(const struct answer_result *answer) {
    json_t *object = json_pack("{s:o, s:i, s:o}", "section", result_text(answer->page->name),
                               "number", answer->number, "title", result_text(answer->title));
    if (answer->title_zh[0] != '\0') {
        object = result_with(object, "title_zh", result_text(answer->title_zh));
    }
    object = result_with(object, "given", result_text(answer->given));
    if (answer->unread_line > 0) {
        object = result_with(object, "unread_line", json_integer(answer->unread_line));
    }
    return result_joined(object, json_pack("{s:b, s:I, s:I}", "right", answer->right, "points",
                                           (json_int_t)answer->points, "points_max",
                                           (json_int_t)answer->points_max));
}

static json_t *answers_json(const struct answers_result *answers) {
    static const char *const states[] = {[ANSWERS_NOT_ASKED] = "",
                                         [ANSWERS_MARKED] = "marked",
                                         [ANSWERS_MISSING] = "missing",
                                         [ANSWERS_WITHHELD] = "withheld"};
    json_t *list = json_array();
    for (int i = 0; i < answers->count; i++) {
        list = result_added(list, answer_json(&answers->list[i]));
    }
    json_t *object =
        json_pack("{s:s, s:s}", "state", states[answers->state], "sha256", answers->sha256);
    object = result_with_words(object, "note", answers->note);
    object = result_joined(object,
                           points_json(answers->points, answers->points_max, answers->points_open));
    return result_with(object, "list", list);
}

static json_t *assignment_json(const struct judgement_origin *origin) {
    const struct assignment *assignment = origin->assignment;
    int64_t time = 0;
    char text[MOMENT_TEXT_BYTES];
    bool shown = assignment_reference_time(assignment, origin->extension_days_max, &time);
    moment_format(time, text);
    return json_pack("{s:o, s:o, s:o, s:s, s:o}", "name", result_text(assignment->name), "title",
                     result_text(assignment->title), "due",
                     assignment->due != MOMENT_NONE ? json_string(assignment->due_text)
                                                    : json_null(),
                     "feedback", assignment_feedback_name(assignment->feedback), "reference_from",
                     shown ? json_string(text) : json_null());
}

// `graded_at`, `seconds` and `cpu_seconds` are the only lines in which two runs with one seed may
// differ, apart from measured times.
static json_t *with_origin(json_t *root, const struct judgement_origin *origin) {
    char text[MOMENT_TEXT_BYTES];
    if (origin->student) {
        root = result_with(root, "student", result_text(origin->student));
    }
    if (origin->assignment) {
        root = result_with(root, "assignment", assignment_json(origin));
    }
    if (origin->job) {
        root = result_with(root, "job", result_text(origin->job));
    }
    if (origin->graded_at != 0) {
        moment_format(origin->graded_at, text);
        root = result_joined(root, json_pack("{s:s, s:f}", "graded_at", text, "seconds",
                                             (double)origin->milliseconds / 1000.0));
    }
    if (origin->cpu_milliseconds != 0) {
        root =
            result_with(root, "cpu_seconds", json_real((double)origin->cpu_milliseconds / 1000.0));
    }
    return root;
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

static json_t *root_json(const struct judgement *judgement, const char *grader_version) {
    json_t *exercises = json_array();
    json_t *root = json_pack("{s:s, s:o, s:s, s:o, s:o, s:s}", "schema", RESULT_SCHEMA,
                             "grader_version", result_text(grader_version), "language",
                             texts_language(), "submission", submission_json(judgement), "device",
                             device_json(judgement), "speed_basis", speed_basis(judgement));
    root = result_with_words(root, "sandbox", judgement->sandbox_text);
    root = result_with(root, "seed", result_text(judgement->seed_text));
    root = with_origin(root, &judgement->origin);
    root = result_with(root, "complete", json_boolean(judgement->complete));
    root = result_joined(
        root, points_json(judgement->points, judgement->points_max, judgement->points_open));
    for (int i = 0; i < judgement->exercise_count; i++) {
        exercises = result_added(exercises, exercise_json(&judgement->exercises[i]));
    }
    root = result_with(root, "exercises", exercises);
    return judgement->answers.state == ANSWERS_NOT_ASKED
               ? root
               : result_with(root, "answers", answers_json(&judgement->answers));
}

static enum status root_write(json_t *root, char **ret_text, struct error *err) {
    if (!root) {
        return fail(err, STATUS_SYSTEM, "result.json: a number is not finite");
    }
    char *text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(RESULT_REAL_DIGITS));
    *ret_text = xasprintf("%s\n", text);
    free(text);
    json_decref(root);
    return STATUS_OK;
}

// Why a program was not run.
static json_t *build_json(const struct run_program *program) {
    const struct build_report *report = &program->report;
    uint32_t line = report->line > 0 ? (uint32_t)report->line : 0;
    const char *file = program_file_of(&program->files, &line);
    bool needs_gpu = report->fault == BUILD_FAULT_NEEDS_GPU;
    json_t *object = json_pack("{s:s, s:o, s:I}", "verdict",
                               verdict_name(needs_gpu ? VERDICT_NEEDS_GPU : VERDICT_BUILD_ERROR),
                               "file", result_text(file), "line", (json_int_t)line);
    object = result_with_words(object, "headline", report->text);
    return result_with_words(object, "diagnostics", report->diagnostics ? report->diagnostics : "");
}

enum status result_write_program(const struct run_program *program,
                                 const struct program_result *result, const char *grader_version,
                                 char **ret_text, struct error *err) {
    bool ran = program->report.fault == BUILD_FAULT_NONE;
    json_t *findings = json_array();
    json_t *root = json_pack("{s:s, s:o, s:s, s:o}", "schema", RESULT_SCHEMA_PROGRAM,
                             "grader_version", result_text(grader_version), "language",
                             texts_language(), "build", ran ? json_null() : build_json(program));
    root = result_with(root, "exit_code", ran ? json_integer(result->exit_code) : json_null());
    for (int i = 0; ran && i < result->findings.count; i++) {
        findings = result_added(findings, finding_json(&result->findings.list[i], ""));
    }
    return root_write(result_with(root, "findings", findings), ret_text, err);
}

enum status result_write_json(const struct judgement *judgement, const char *grader_version,
                              char **ret_text, struct error *err) {
    return root_write(root_json(judgement, grader_version), ret_text, err);
}
