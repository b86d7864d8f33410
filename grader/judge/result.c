// result.json: keys in a fixed order, so that two runs with one seed give the same bytes (measured
// times apart). grader/result.schema.json documents it.
#include "judge/judge.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/text.h"
#include "judge/result_estimate.h"
#include "judge/result_views.h"
#include "judge/run_lines.h"

// Adds a value, which may be NULL where memory ran out; jansson then reports a failure itself.
static void put(json_t *object, const char *key, json_t *value, bool *failed) {
    *failed |= json_object_set_new(object, key, value) != 0;
}

static void put_text(json_t *object, const char *key, const char *text, bool *failed) {
    char *clean = strdup(text);
    if (clean) {
        text_clean(clean);
    }
    put(object, key, clean ? json_string(clean) : NULL, failed);
    free(clean);
}

static void put_integer(json_t *object, const char *key, int64_t value, bool *failed) {
    put(object, key, json_integer(value), failed);
}

static void append(json_t *array, json_t *value, bool *failed) {
    *failed |= json_array_append_new(array, value) != 0;
}

static json_t *triple(int64_t x, int64_t y, int64_t z) {
    return json_pack("[I, I, I]", (json_int_t)x, (json_int_t)y, (json_int_t)z);
}

static json_t *size_json(struct size size) {
    return triple(size.m, size.n, size.k);
}

static json_t *place_json(const uint32_t place[3]) {
    return triple(place[0], place[1], place[2]);
}

static const char *severity_name(uint32_t severity) {
    static const char *const names[SEVERITY_COUNT] = {"note", "warning", "error"};
    return severity < SEVERITY_COUNT ? names[severity] : "unknown";
}

static json_t *line_kind_json(const struct count_line *work, bool is_shared, bool *failed) {
    json_t *object = json_object();
    put_integer(object, "requests", (int64_t)work->requests, failed);
    put_integer(object, is_shared ? "wavefronts" : "sectors", (int64_t)work->units, failed);
    put_integer(object, "ideal", (int64_t)work->ideal, failed);
    put_integer(object, "bytes", (int64_t)work->bytes, failed);
    put_integer(object, "lanes", (int64_t)work->lanes, failed);
    return object;
}

// The work of each source line that does any.
static json_t *lines_json(const struct count_lines *lines, bool *failed) {
    static const char *const names[COUNT_KINDS] = {
        [COUNT_GLOBAL_LOAD] = "global_load",     [COUNT_GLOBAL_STORE] = "global_store",
        [COUNT_GLOBAL_ATOMIC] = "global_atomic", [COUNT_SHARED_LOAD] = "shared_load",
        [COUNT_SHARED_STORE] = "shared_store",   [COUNT_SHARED_ATOMIC] = "shared_atomic"};
    struct line_work work[LINE_WORKS_MAX];
    int count = run_lines_merge(lines, work);
    json_t *array = json_array();
    for (int i = 0; i < count; i++) {
        json_t *object = json_object();
        put_integer(object, "line", work[i].line, failed);
        put_integer(object, "flops", (int64_t)work[i].flops, failed);
        for (int kind = 0; kind < COUNT_KINDS; kind++) {
            if (work[i].kind[kind].requests > 0) {
                put(object, names[kind],
                    line_kind_json(&work[i].kind[kind], kind >= COUNT_SHARED_LOAD, failed), failed);
            }
        }
        append(array, object, failed);
    }
    return array;
}

// The sums of a launch; bytes are for each operation of the product itself, 2 M N K, which all
// kernels share.
static json_t *counts_json(const struct counts *counts, struct size size, bool *failed) {
    json_t *object = json_object();
    double flop = 2.0 * (double)size_multiply_adds(size);
    uint64_t requests = counts_requests(counts);
    put(object, "size", size_json(size), failed);
#define COUNT_PUT(field, text) put_integer(object, #field, (int64_t)counts->field, failed);
    COUNT_FIELDS(COUNT_PUT)
#undef COUNT_PUT
    if (counts->flop_blocks == 0) {
        put(object, "flops", json_null(), failed);  // not known is not 0
    }
    *failed |= json_object_del(object, "flop_blocks") != 0;
    put_integer(object, "shared_conflicts", (int64_t)counts_conflicts(counts), failed);
    put(object, "active_lanes",
        json_real(requests > 0 ? (double)counts->memory_lanes / (double)requests : 0.0), failed);
    double bytes = (double)(counts->global_load_bytes + counts->global_store_bytes +
                            counts->global_atomic_bytes);
    double sectors = (double)(counts->global_load_sectors + counts->global_store_sectors +
                              counts->global_atomic_sectors);
    put(object, "requested_bytes_per_flop", json_real(bytes / flop), failed);
    put(object, "sector_bytes_per_flop", json_real(32.0 * sectors / flop), failed);
    return object;
}

// The same with its lines.
static json_t *counts_lines_json(const struct counts *counts, struct size size, bool *failed) {
    json_t *object = counts_json(counts, size, failed);
    put(object, "lines", lines_json(&counts->lines, failed), failed);
    return object;
}

static json_t *samples_json(const double *samples, int count, bool *failed) {
    json_t *array = json_array();
    for (int i = 0; i < count; i++) {
        append(array, json_real(samples[i]), failed);
    }
    return array;
}

// null stands for what is not known.
static void put_known(json_t *object, const char *key, bool known, uint32_t value, bool *failed) {
    put(object, key, known ? json_integer(value) : json_null(), failed);
}

static json_t *states_json(const struct gpu_state *states, int count, bool *failed) {
    json_t *array = json_array();
    for (int i = 0; i < count && states; i++) {
        const struct gpu_state *state = &states[i];
        json_t *object = json_object();
        bool clocks = (state->known & GPU_STATE_CLOCKS) != 0;
        put_known(object, "sm_mhz", clocks, state->sm_mhz, failed);
        put_known(object, "memory_mhz", clocks, state->memory_mhz, failed);
        put_known(object, "reasons", state->known & GPU_STATE_REASONS, state->reasons, failed);
        put_known(object, "celsius", state->known & GPU_STATE_HEAT, state->celsius, failed);
        put_known(object, "milliwatts", state->known & GPU_STATE_POWER, state->milliwatts, failed);
        append(array, object, failed);
    }
    return array;
}

static json_t *speed_json(const struct speed_result *speed, bool *failed) {
    json_t *object = json_object();
    put(object, "size", size_json(speed->size), failed);
    put_text(object, "basis", speed->counted ? "counted" : "measured", failed);
    put_text(object, "verdict", speed_verdict_name(speed->verdict), failed);
    put(object, "ratio", json_real(speed->ratio), failed);
    put(object, "low", json_real(speed->low), failed);
    put(object, "high", json_real(speed->high), failed);
    put(object, "full", json_real(speed->full), failed);
    put(object, "zero", json_real(speed->zero), failed);
    put_integer(object, "pairs", speed->pairs, failed);
    put_integer(object, "points", speed->points, failed);
    put_integer(object, "points_max", speed->points_max, failed);
    if (speed->counted) {
        put_text(object, "metric", counted_metric_name(speed->metric), failed);
        put_text(object, "metric_text", counted_metric_text(speed->metric), failed);
        put_integer(object, "metric_line", speed->metric_line, failed);
        put_integer(object, "work", (int64_t)counted_work(&speed->counts, speed->metric), failed);
        put_integer(object, "reference_work",
                    (int64_t)counted_work(&speed->reference_counts, speed->metric), failed);
        put(object, "counts", counts_json(&speed->counts, speed->size, failed), failed);
        put(object, "reference_counts", counts_json(&speed->reference_counts, speed->size, failed),
            failed);
    } else {
        put(object, "gflops", json_real(speed->gflops), failed);
        put(object, "reference_gflops", json_real(speed->reference_gflops), failed);
        put(object, "student_ms", samples_json(speed->student_ms, speed->pairs, failed), failed);
        put(object, "reference_ms", samples_json(speed->reference_ms, speed->pairs, failed),
            failed);
        put_integer(object, "launches", speed->launches, failed);
        put_integer(object, "attempts", speed->attempts, failed);
        put_text(object, "doubt", speed->doubt, failed);
        put(object, "calibrated_ms", json_real(speed->calibrated_ms), failed);
        put(object, "gpu_states", states_json(speed->states, speed->pairs, failed), failed);
    }
    return object;
}

// Who and where, as far as the kind of finding has it.
static void finding_place_put(json_t *object, const struct judged_finding *judged, bool *failed) {
    const struct finding *finding = &judged->finding;
    if (judged->array[0] != '\0') {
        put_text(object, "array", judged->array, failed);
    }
    if (judged->index_count > 0) {
        json_t *index = json_array();
        for (int i = 0; i < judged->index_count; i++) {
            append(index, json_integer(judged->index[i]), failed);
        }
        put(object, "index", index, failed);
    }
    put(object, "block", place_json(finding->block), failed);
    put(object, "thread", place_json(finding->thread), failed);
    if (finding->kind == FINDING_RACE) {
        put(object, "other_block", place_json(finding->other_block), failed);
        put(object, "other_thread", place_json(finding->other_thread), failed);
    }
    if (finding->kind == FINDING_BARRIER_DIVERGENCE ||
        finding->kind == FINDING_EXITED_BEFORE_BARRIER) {
        put_integer(object, "threads_waiting", finding->count_waiting, failed);
        put_integer(object, "threads_absent", finding->count_absent, failed);
    }
}

// Left out where there is nothing to mark.
static void span_put(json_t *object, const char *key, struct source_span span, bool *failed) {
    if (span.length > 0) {
        put(object, key, json_pack("[I, I]", (json_int_t)span.start, (json_int_t)span.length),
            failed);
    }
}

static json_t *finding_json(const struct judged_finding *judged, const char *file, bool *failed) {
    const struct finding *finding = &judged->finding;
    json_t *object = json_object();
    put_text(object, "kind", finding_kind_name(finding->kind), failed);
    put_text(object, "severity", severity_name(finding->severity), failed);
    put_text(object, "file", file, failed);
    put_integer(object, "line", finding->line, failed);
    put_integer(object, "column", judged->column, failed);
    put_integer(object, "other_line", finding->other_line, failed);
    put_integer(object, "other_column", judged->other_column, failed);
    put_text(object, "source", judged->source, failed);
    span_put(object, "mark", judged->mark, failed);
    put_text(object, "other_source", judged->other_source, failed);
    span_put(object, "other_mark", judged->other_mark, failed);
    put_integer(object, "count", (int64_t)finding->count, failed);
    finding_place_put(object, judged, failed);
    put(object, "size", size_json(judged->size), failed);
    put_text(object, "device", device_kind_name(judged->device), failed);
    put_text(object, "message", judged->message, failed);
    put_text(object, "lesson", judged->lesson, failed);
    return object;
}

static json_t *case_json(const struct case_result *judged, bool *failed) {
    json_t *object = json_object();
    put(object, "size", size_json(judged->size), failed);
    put_text(object, "inputs", inputs_kind_name(judged->inputs), failed);
    put_text(object, "device", device_kind_name(judged->device), failed);
    put_text(object, "verdict", verdict_name(judged->verdict), failed);
    return object;
}

// The lists of an exercise; counts repeats the work at the first counted size, for readers who look
// for one.
static void exercise_lists_put(json_t *object, const struct exercise_result *result, bool *failed) {
    json_t *findings = json_array();
    json_t *cases = json_array();
    json_t *speed = json_array();
    for (int i = 0; i < result->finding_count; i++) {
        append(findings, finding_json(&result->findings[i], result->file, failed), failed);
    }
    for (int i = 0; i < result->case_count; i++) {
        append(cases, case_json(&result->cases[i], failed), failed);
    }
    for (int i = 0; i < result->speed_count; i++) {
        append(speed, speed_json(&result->speed[i], failed), failed);
    }
    put(object, "findings", findings, failed);
    put(object, "cases", cases, failed);
    if (result->counted_alone) {
        put(object, "counts", counts_lines_json(&result->alone, result->alone_size, failed),
            failed);
    } else if (result->speed_count > 0 && result->speed[0].counted) {
        put(object, "counts",
            counts_lines_json(&result->speed[0].counts, result->speed[0].size, failed), failed);
    }
    put(object, "speed", speed, failed);
    if (result->estimate.made) {
        put(object, "estimate", result_estimate_json(&result->estimate), failed);
    }
}

static json_t *exercise_json(const struct exercise_result *result, bool *failed) {
    json_t *object = json_object();
    char verdict_lesson[128];
    put_text(object, "name", result->exercise->name, failed);
    put_text(object, "title", result->exercise->title, failed);
    put_text(object, "lesson", result->exercise->lesson, failed);
    put_text(object, "file", result->file, failed);
    put_text(object, "sha256", result->sha256, failed);
    put_text(object, "verdict", verdict_name(result->verdict), failed);
    put_text(object, "verdict_title", verdict_title(result->verdict), failed);
    (void)snprintf(verdict_lesson, sizeof verdict_lesson, "lessons/verdicts.md#%s",
                   verdict_name(result->verdict));
    put_text(object, "verdict_lesson", verdict_lesson, failed);
    put(object, "complete", json_boolean(result->complete), failed);
    put(object, "speed_complete", json_boolean(result->speed_complete), failed);
    put_integer(object, "points", result->points, failed);
    put_integer(object, "points_max", result->points_max, failed);
    put_text(object, "headline", result->headline, failed);
    put_text(object, "detail", result->detail, failed);
    put_text(object, "diagnostics", result->diagnostics ? result->diagnostics : "", failed);
    put_text(object, "output", result->output, failed);
    put(object, "repeat_size",
        result->repeat_size.m > 0 ? size_json(result->repeat_size) : json_null(), failed);
    if (result->source) {
        put_text(object, "source", result->source, failed);
    }
    exercise_lists_put(object, result, failed);
    if (result->wrong.wrong > 0) {
        put(object, "wrong_tiles", result_wrong_tiles_json(&result->wrong), failed);
    }
    if (result->map.size.m > 0) {
        put(object, "map", result_index_map_json(&result->map), failed);
    }
    return object;
}

static json_t *submission_json(const struct judgement *judgement, bool *failed) {
    json_t *object = json_object();
    json_t *files = json_object();
    for (int i = 0; i < judgement->exercise_count; i++) {
        put_text(files, judgement->exercises[i].exercise->name, judgement->exercises[i].file,
                 failed);
    }
    put_text(object, "sha256", judgement->submission_sha256, failed);
    put(object, "files", files, failed);
    return object;
}

static json_t *device_json(const struct judgement *judgement, bool *failed) {
    json_t *object = json_object();
    put_text(object, "name", device_kind_name(judgement->used_gpu ? DEVICE_GPU : DEVICE_EMU),
             failed);
    if (judgement->used_gpu) {
        put_text(object, "gpu", judgement->device_text, failed);
    } else {
        put(object, "gpu", json_null(), failed);
    }
    put(object, "emu", json_boolean(judgement->used_emu), failed);
    if (judgement->card) {
        put(object, "peaks", result_peaks_json(judgement->card), failed);
    }
    return object;
}

static const char *speed_basis(const struct judgement *judgement) {
    if (!judgement->measured) {
        return "none";
    }
    return judgement->counted ? "counted" : "measured";
}

enum status result_write_json(const struct judgement *judgement, const char *grader_version,
                              char **ret_text, struct error *err) {
    bool failed = false;
    json_t *root = json_object();
    json_t *exercises = json_array();
    put_text(root, "schema", RESULT_SCHEMA, &failed);
    put_text(root, "grader_version", grader_version, &failed);
    put(root, "submission", submission_json(judgement, &failed), &failed);
    put(root, "device", device_json(judgement, &failed), &failed);
    put_text(root, "speed_basis", speed_basis(judgement), &failed);
    put_text(root, "sandbox", judgement->sandbox_text, &failed);
    put_text(root, "seed", judgement->seed_text, &failed);
    put(root, "complete", json_boolean(judgement->complete), &failed);
    put_integer(root, "points", judgement->points, &failed);
    put_integer(root, "points_max", judgement->points_max, &failed);
    for (int i = 0; i < judgement->exercise_count; i++) {
        append(exercises, exercise_json(&judgement->exercises[i], &failed), &failed);
    }
    put(root, "exercises", exercises, &failed);
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
