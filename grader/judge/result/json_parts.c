// The parts of result.json: keys and values, texts, what a kernel is called with, counted work,
// measured times and estimates, and pictures as numbers; the reports draw them.
//
// A text has its messages and their values, so that reports can write it in another language:
//   text     := [sentence, …]
//   sentence := "plain" | {"message": format, "values": [value, …], "context": …, "capital": true}
//   value    := number | sentence | text
#include "judge/result/json_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compose.h"
#include "base/text.h"
#include "base/words.h"
#include "exercise/signature.h"
#include "judge/compile/program_build.h"
#include "judge/model/points.h"

void result_put(json_t *object, const char *key, json_t *value, bool *failed) {
    *failed |= json_object_set_new(object, key, value) != 0;
}

void result_put_text(json_t *object, const char *key, const char *text, bool *failed) {
    char *clean = strdup(text);
    if (clean) {
        text_end(clean);  // it may end in the middle of a character
        text_clean(clean);
    }
    result_put(object, key, clean ? json_string(clean) : NULL, failed);
    free(clean);
}

void result_put_integer(json_t *object, const char *key, int64_t value, bool *failed) {
    result_put(object, key, json_integer(value), failed);
}

void result_append(json_t *array, json_t *value, bool *failed) {
    *failed |= json_array_append_new(array, value) != 0;
}

json_t *result_triple_json(int64_t x, int64_t y, int64_t z) {
    return json_pack("[I, I, I]", (json_int_t)x, (json_int_t)y, (json_int_t)z);
}

json_t *result_size_json(struct size size) {
    int rank = size_rank(size);
    json_t *list = json_array();
    bool failed = false;
    for (int i = 0; i < (rank > 0 ? rank : 3); i++) {
        result_append(list, json_integer(size.at[i]), &failed);
    }
    if (failed) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *text_json(const char *text, size_t bytes);

// A whole number, a real one, or as it is if it is neither.
static json_t *number_json(const struct words_value *value) {
    char digits[64];
    char *end = digits;
    size_t bytes = value->bytes < sizeof digits ? value->bytes : sizeof digits - 1;
    memcpy(digits, value->at, bytes);
    digits[bytes] = '\0';
    errno = 0;
    long long whole = strtoll(digits, &end, 10);
    if (end != digits && *end == '\0' && errno == 0) {
        return json_integer(whole);
    }
    double real = strtod(digits, &end);
    return end != digits && *end == '\0' && isfinite(real) ? json_real(real) : json_string(digits);
}

// One sentence is itself, and several are a list.
static json_t *value_json(const struct words_value *value) {
    if (value->is_number) {
        return number_json(value);
    }
    json_t *sentences = text_json(value->at, value->bytes);
    if (json_array_size(sentences) != 1) {
        return json_array_size(sentences) > 1 ? sentences
                                              : (json_decref(sentences), json_string(""));
    }
    json_t *only = json_incref(json_array_get(sentences, 0));
    json_decref(sentences);
    return only;
}

static json_t *message_json(const struct words_message *message) {
    bool failed = false;
    json_t *object = json_object();
    json_t *values = json_array();
    if (message->context_bytes > 0) {
        result_put(object, "context", json_stringn(message->context, message->context_bytes),
                   &failed);
    }
    result_put(object, "message", json_stringn(message->key, message->key_bytes), &failed);
    for (int i = 0; i < message->count; i++) {
        result_append(values, value_json(&message->value[i]), &failed);
    }
    if (message->count > 0) {
        result_put(object, "values", values, &failed);
    } else {
        json_decref(values);
    }
    if (message->is_capital) {
        result_put(object, "capital", json_true(), &failed);
    }
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *part_json(const char *part, size_t bytes) {
    struct words_message message;
    return words_read(part, bytes, &message) ? message_json(&message) : json_stringn(part, bytes);
}

// Several parts, such as lines of a compiler and a message, are the values of a message.
static json_t *sentence_json(const char *at, const char *end) {
    size_t part = words_part(at, (size_t)(end - at));
    if (at + part == end) {
        return part_json(at, part);
    }
    bool failed = false;
    json_t *object = json_object();
    json_t *values = json_array();
    size_t count = 0;
    for (; part > 0; part = words_part(at, (size_t)(end - at))) {
        result_append(values, part_json(at, part), &failed);
        at += part;
        count++;
    }
    char *format = calloc(count, 2);
    for (size_t i = 0; format && i < count; i++) {
        memcpy(format + 2 * i, "%s", 2);
    }
    result_put(object, "message", format ? json_stringn(format, 2 * count) : NULL, &failed);
    result_put(object, "values", values, &failed);
    free(format);
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *text_json(const char *text, size_t bytes) {
    const char *end = text + bytes;
    json_t *sentences = json_array();
    bool failed = false;
    while (text < end) {
        const char *at = text;
        for (size_t part; at < end && *at != WORDS_GAP; at += part) {
            part = words_part(at, (size_t)(end - at));
        }
        if (at > text) {
            result_append(sentences, sentence_json(text, at), &failed);
        }
        text = at + (at < end);
    }
    if (failed) {
        json_decref(sentences);
        return NULL;
    }
    return sentences;
}

void result_put_words(json_t *object, const char *key, const char *text, bool *failed) {
    char *clean = strdup(text);
    char *plain = NULL;
    if (clean) {
        words_clean(clean);
        plain = words_plain_new(clean);
    }
    if (!plain) {
        *failed = true;
        free(clean);
        return;
    }
    result_put_text(object, key, plain, failed);
    if (strpbrk(clean, WORDS_MARKS)) {
        json_t *texts = json_object_get(object, "texts");
        if (!texts) {
            texts = json_object();
            result_put(object, "texts", texts, failed);
        }
        result_put(texts, key, text_json(clean, strlen(clean)), failed);
    }
    free(plain);
    free(clean);
}

static json_t *shape_json(const struct parameter *parameter, bool *failed) {
    json_t *shape = json_array();
    for (int i = 0; i < parameter->rank; i++) {
        result_append(shape, json_string(parameter->extent[i]), failed);
    }
    return shape;
}

static json_t *argument_json(const struct parameter *parameter, bool *failed) {
    static const char *const kinds[] = {[PARAMETER_ARRAY] = "array",
                                        [PARAMETER_CONSTANT] = "constant",
                                        [PARAMETER_SIZE] = "size",
                                        [PARAMETER_SCALAR] = "scalar"};
    static const char *const roles[] = {
        [ROLE_IN] = "in", [ROLE_OUT] = "out", [ROLE_INOUT] = "inout"};
    json_t *object = json_object();
    result_put_text(object, "name", parameter->name, failed);
    result_put_text(object, "kind", kinds[parameter->kind], failed);
    result_put_text(object, "type", element_name(parameter->element), failed);
    if (parameter_is_array(parameter)) {
        result_put_text(object, "role", roles[parameter->role], failed);
        result_put(object, "shape", shape_json(parameter, failed), failed);
    } else if (parameter->kind == PARAMETER_SCALAR) {
        result_put(object, "value", json_real(parameter->value), failed);
    }
    return object;
}

json_t *result_kernel_json(const struct signature *signature, bool *failed) {
    json_t *object = json_object();
    json_t *sizes = json_array();
    json_t *arguments = json_array();
    for (int i = 0; i < signature->size_count; i++) {
        result_append(sizes, json_string(signature->size_name[i]), failed);
    }
    for (int i = 0; i < signature->parameter_count; i++) {
        result_append(arguments, argument_json(&signature->parameter[i], failed), failed);
    }
    result_put(object, "product", json_boolean(signature->is_matmul), failed);
    result_put(object, "by_flop", json_boolean(signature_is_by_flop(signature)), failed);
    result_put(object, "sizes", sizes, failed);
    result_put(object, "arguments", arguments, failed);
    return object;
}

// Adds FLOP and bytes that the operation needs at a size; 0: not stated.
static void result_put_needs(json_t *object, const struct signature *signature, struct size size,
                             bool *failed) {
    result_put(object, "needed_flop", json_real(signature_flop(signature, size)), failed);
    result_put(object, "needed_bytes", json_real(signature_bytes(signature, size)), failed);
}

#define ESTIMATE_NOTE _("an estimate from counted work, not a measurement")

static json_t *line_kind_json(const struct count_line *work, bool is_shared, bool *failed) {
    json_t *object = json_object();
    result_put_integer(object, "requests", (int64_t)work->requests, failed);
    result_put_integer(object, is_shared ? "wavefronts" : "sectors", (int64_t)work->units, failed);
    result_put_integer(object, "ideal", (int64_t)work->ideal, failed);
    result_put_integer(object, "bytes", (int64_t)work->bytes, failed);
    result_put_integer(object, "lanes", (int64_t)work->lanes, failed);
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
        result_put_integer(object, "line", work[i].line, failed);
        result_put_integer(object, "flops", (int64_t)work[i].flops, failed);
        for (int kind = 0; kind < COUNT_KINDS; kind++) {
            if (work[i].kind[kind].requests > 0) {
                result_put(object, names[kind],
                           line_kind_json(&work[i].kind[kind], kind >= COUNT_SHARED_LOAD, failed),
                           failed);
            }
        }
        result_append(array, object, failed);
    }
    return array;
}

// The sums of a launch.  Bytes are per operation of the exercise, which is the same for all
// kernels; 0 if it has none.
static json_t *counts_json(const struct counts *counts, const struct exercise *exercise,
                           struct size size, bool *failed) {
    json_t *object = json_object();
    double flop = signature_flop(&exercise->signature, size);
    uint64_t requests = counts_requests(counts);
    result_put(object, "size", result_size_json(size), failed);
    result_put_needs(object, &exercise->signature, size, failed);
#define COUNT_PUT(field, text) result_put_integer(object, #field, (int64_t)counts->field, failed);
    COUNT_FIELDS(COUNT_PUT)
#undef COUNT_PUT
    if (counts->flop_blocks == 0) {
        result_put(object, "flops", json_null(), failed);  // not known is not 0
    }
    *failed |= json_object_del(object, "flop_blocks") != 0;
    result_put_integer(object, "shared_conflicts", (int64_t)counts_conflicts(counts), failed);
    result_put(object, "active_lanes",
               json_real(requests > 0 ? (double)counts->memory_lanes / (double)requests : 0.0),
               failed);
    double bytes = (double)(counts->global_load_bytes + counts->global_store_bytes +
                            counts->global_atomic_bytes);
    double sectors = (double)(counts->global_load_sectors + counts->global_store_sectors +
                              counts->global_atomic_sectors);
    result_put(object, "requested_bytes_per_flop", json_real(flop > 0 ? bytes / flop : 0.0),
               failed);
    result_put(object, "sector_bytes_per_flop", json_real(flop > 0 ? 32.0 * sectors / flop : 0.0),
               failed);
    return object;
}

json_t *result_counts_json(const struct counts *counts, const struct exercise *exercise,
                           struct size size, bool *failed) {
    json_t *object = counts_json(counts, exercise, size, failed);
    result_put(object, "lines", lines_json(&counts->lines, failed), failed);
    return object;
}

static json_t *samples_json(const double *samples, int count, bool *failed) {
    json_t *array = json_array();
    for (int i = 0; i < count; i++) {
        result_append(array, json_real(samples[i]), failed);
    }
    return array;
}

// null means unknown.
static void put_known(json_t *object, const char *key, bool known, uint32_t value, bool *failed) {
    result_put(object, key, known ? json_integer(value) : json_null(), failed);
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
        result_append(array, object, failed);
    }
    return array;
}

static json_t *cublas_pairs_json(const struct cublas_pairs *pairs, bool *failed) {
    json_t *object = json_object();
    result_put_text(object, "verdict", speed_verdict_name(pairs->verdict), failed);
    result_put(object, "ratio", json_real(pairs->ratio), failed);
    result_put(object, "low", json_real(pairs->low), failed);
    result_put(object, "high", json_real(pairs->high), failed);
    result_put_integer(object, "pairs", pairs->pairs, failed);
    result_put(object, "student_ms", samples_json(pairs->student_ms, pairs->pairs, failed), failed);
    result_put(object, "cublas_ms", samples_json(pairs->cublas_ms, pairs->pairs, failed), failed);
    return object;
}

// What is known about cuBLAS at the size, if anything is.
static void cublas_put(json_t *object, const struct speed_result *speed, bool *failed) {
    if (!(speed->cublas_gflops > 0.0)) {
        return;
    }
    result_put(object, "cublas_gflops", json_real(speed->cublas_gflops), failed);
    if (speed->cublas.count > 0) {
        result_put(object, "cublas_ms", samples_json(speed->cublas.ms, speed->cublas.count, failed),
                   failed);
    }
    if (speed->cublas_pairs.pairs > 0) {
        result_put(object, "against_cublas", cublas_pairs_json(&speed->cublas_pairs, failed),
                   failed);
    }
}

json_t *result_speed_json(const struct speed_result *speed, const struct exercise *exercise,
                          bool *failed) {
    json_t *object = json_object();
    result_put(object, "size", result_size_json(speed->size), failed);
    result_put_needs(object, &exercise->signature, speed->size, failed);
    result_put_text(object, "basis", speed->counted ? "counted" : "measured", failed);
    result_put_text(object, "verdict", speed_verdict_name(speed->verdict), failed);
    result_put(object, "ratio", json_real(speed->ratio), failed);
    result_put(object, "low", json_real(speed->low), failed);
    result_put(object, "high", json_real(speed->high), failed);
    result_put(object, "full", json_real(speed->full), failed);
    result_put(object, "zero", json_real(speed->zero), failed);
    result_put_integer(object, "pairs", speed->pairs, failed);
    result_put_integer(object, "points", speed->points, failed);
    result_put_integer(object, "points_max", speed->points_max, failed);
    if (speed->counted) {
        result_put_text(object, "metric", counted_metric_name(speed->metric), failed);
        result_put_words(object, "metric_text", counted_metric_text(speed->metric), failed);
        result_put_integer(object, "metric_line", speed->metric_line, failed);
        result_put_integer(object, "work", (int64_t)counted_work(&speed->counts, speed->metric),
                           failed);
        result_put_integer(object, "reference_work",
                           (int64_t)counted_work(&speed->reference_counts, speed->metric), failed);
        result_put(object, "counts", counts_json(&speed->counts, exercise, speed->size, failed),
                   failed);
        result_put(object, "reference_counts",
                   counts_json(&speed->reference_counts, exercise, speed->size, failed), failed);
    } else {
        result_put(object, "gflops", json_real(speed->gflops), failed);
        result_put(object, "reference_gflops", json_real(speed->reference_gflops), failed);
        result_put(object, "student_ms", samples_json(speed->student_ms, speed->pairs, failed),
                   failed);
        result_put(object, "reference_ms", samples_json(speed->reference_ms, speed->pairs, failed),
                   failed);
        result_put_integer(object, "launches", speed->launches, failed);
        result_put_integer(object, "attempts", speed->attempts, failed);
        result_put_words(object, "doubt", speed->doubt, failed);
        if (speed->note[0] != '\0') {
            result_put_words(object, "note", speed->note, failed);
        }
        result_put(object, "calibrated_ms", json_real(speed->calibrated_ms), failed);
        result_put(object, "gpu_states", states_json(speed->states, speed->pairs, failed), failed);
        cublas_put(object, speed, failed);
    }
    return object;
}

// --- Estimates: next to the grade, and labelled --------------------------------------------------

static json_t *kernel_json(const struct estimate *estimate, int registers, bool *failed) {
    json_t *object = json_object();
    result_put(object, "gflops", json_real(estimate->gflops), failed);
    result_put(object, "ms", json_real(estimate->ms), failed);
    result_put_text(object, "bound", estimate_bound_name(estimate->bound), failed);
    result_put_words(object, "bound_text", estimate_bound_text(estimate->bound), failed);
    result_put_text(object, "lesson", estimate_bound_lesson(estimate->bound), failed);
    result_put(object, "occupancy", json_real(estimate->occupancy.share), failed);
    result_put_text(object, "occupancy_limit", occupancy_limit_name(estimate->occupancy.limit),
                    failed);
    result_put(object, "waves", json_real(estimate->waves), failed);
    result_put(object, "registers", registers > 0 ? json_integer(registers) : json_null(), failed);
    return object;
}

json_t *result_peaks_json(const struct card *card) {
    double giga_clocks = card->clock_mhz / 1000.0;
    const struct multiprocessor *unit = card->multiprocessor;
    return json_pack("{s:f, s:f, s:f, s:f}", "gflops",
                     2.0 * unit->fma_per_clock * card->multiprocessors * giga_clocks, "l1_gb_s",
                     (double)unit->shared_bytes_per_clock * card->multiprocessors * giga_clocks,
                     "l2_gb_s", card->l2_bytes_per_clock * giga_clocks, "memory_gb_s",
                     card->memory_gb_s);
}

json_t *result_estimate_json(const struct kernel_estimate *estimate,
                             const struct exercise *exercise, bool *failed) {
    json_t *object = json_object();
    result_put_words(object, "note", ESTIMATE_NOTE, failed);
    result_put_text(object, "card", estimate->card->name, failed);
    result_put(object, "card_peaks", result_peaks_json(estimate->card), failed);
    result_put(object, "size", result_size_json(estimate->size), failed);
    result_put_needs(object, &exercise->signature, estimate->size, failed);
    result_put(object, "student", kernel_json(&estimate->student, estimate->registers, failed),
               failed);
    if (estimate->has_reference) {
        result_put(object, "reference_ms", json_real(estimate->reference.ms), failed);
        result_put(object, "reference_gflops", json_real(estimate->reference.gflops), failed);
    }
    return object;
}

static json_t *row_json(const struct wrong_tiles *tiles, int32_t row, bool *failed) {
    json_t *array = json_array();
    for (int32_t column = 0; column < tiles->columns; column++) {
        *failed |= json_array_append_new(array, json_integer(tiles->count[row][column])) != 0;
    }
    return array;
}

json_t *result_wrong_tiles_json(const struct wrong_tiles *tiles) {
    bool failed = false;
    json_t *rows = json_array();
    for (int32_t row = 0; row < tiles->rows; row++) {
        failed |= json_array_append_new(rows, row_json(tiles, row, &failed)) != 0;
    }
    json_t *object = json_pack("{s:[i, i, i], s:i, s:I, s:o}", "size", tiles->size.m, tiles->size.n,
                               tiles->size.k, "edge", tiles->edge, "wrong",
                               (json_int_t)tiles->wrong, "rows", rows);
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static const char *const cell_value_names[CELL_COUNT] = {
    [CELL_UNWRITTEN] = "unwritten", [CELL_ZERO] = "zero",       [CELL_NOT_FINITE] = "not_finite",
    [CELL_PLACE] = "place",         [CELL_MISSING] = "missing", [CELL_TWICE] = "twice",
    [CELL_OTHER] = "other"};

static json_t *cell_json(const struct wrong_cell *cell) {
    bool has_fact = cell->held >= CELL_PLACE && cell->held <= CELL_TWICE;
    return has_fact
               ? json_pack("[i, i, i, i]", cell->row, cell->column, cell->fact[0], cell->fact[1])
               : json_pack("[i, i]", cell->row, cell->column);
}

json_t *result_wrong_cells_json(const struct wrong_cells *cells) {
    bool failed = false;
    json_t *object =
        json_pack("{s:[i, i, i]}", "size", cells->size.m, cells->size.n, cells->size.k);
    for (int held = CELL_UNKNOWN + 1; held < CELL_COUNT; held++) {
        json_t *list = json_array();
        for (int32_t i = 0; i < cells->count; i++) {
            const struct wrong_cell *cell = &cells->cell[i];
            failed |= cell->held == held && json_array_append_new(list, cell_json(cell)) != 0;
        }
        failed |= json_object_set_new(object, cell_value_names[held], list) != 0;
    }
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static const char *const kind_names[TRACE_KIND_COUNT] = {
    [ACCESS_NONE] = "none",     [ACCESS_READ] = "load",      [ACCESS_WRITE] = "store",
    [ACCESS_ATOMIC] = "atomic", [TRACE_ZERO] = "zero",       [TRACE_COPY] = "copy",
    [TRACE_WAIT] = "wait",      [TRACE_COMPUTE] = "compute", [TRACE_BARRIER] = "barrier"};

static json_t *array_json(const char *name, const char *space, uint32_t element_bytes) {
    return json_pack("{s:s, s:s, s:i, s:[]}", "name", name, "space", space, "element_bytes",
                     (int)element_bytes, "extent");
}

static void extent_put(json_t *array, int64_t extent, bool *failed) {
    *failed |= json_array_append_new(json_object_get(array, "extent"), json_integer(extent)) != 0;
}

// The number of an array in "arrays": those of the parameters, the workspace, then the shared ones.
// -1: none.
static int array_number(const struct signature *signature, uint32_t space, uint32_t array) {
    uint32_t most = space == SPACE_SHARED || array == ARRAY_WORKSPACE ? PARAMETERS_MAX : array;
    int number = 0;
    for (int i = 0; i < signature->parameter_count && (uint32_t)i < most; i++) {
        number += signature->parameter[i].kind == PARAMETER_ARRAY;
    }
    return array == ARRAY_NONE ? -1 : space == SPACE_SHARED ? number + 1 + (int)array : number;
}

static json_t *arrays_json(const struct index_map *map, bool *failed) {
    const struct signature *signature = map->signature;
    json_t *arrays = json_array();
    for (int i = 0; i < signature->parameter_count; i++) {
        const struct parameter *parameter = &signature->parameter[i];
        if (parameter->kind != PARAMETER_ARRAY) {
            continue;
        }
        json_t *array =
            array_json(parameter->name, "global", (uint32_t)element_bytes(parameter->element));
        for (int e = 0; e < parameter->rank; e++) {
            extent_put(array, (int64_t)parameter_extent(signature, parameter, e, map->size),
                       failed);
        }
        *failed |= json_array_append_new(arrays, array) != 0;
    }
    *failed |= json_array_append_new(arrays, array_json("workspace", "global", sizeof(float))) != 0;
    for (uint32_t i = 0; i < map->shared.count; i++) {
        const struct shared_array *shared = &map->shared.array[i];
        json_t *array = array_json(shared->name, "shared", shared->element_bytes);
        for (uint32_t e = 0; e < shared->rank && e < ARRAY_RANK_MAX; e++) {
            extent_put(array, shared->extent[e], failed);
        }
        *failed |= json_array_append_new(arrays, array) != 0;
    }
    return arrays;
}

static json_t *box_json(const struct signature *signature, const struct trace_box *box,
                        bool *failed) {
    int array = array_number(signature, box->space, box->array);
    json_t *steps = json_array();
    for (int i = 0; i < TRACE_STEPS; i++) {
        const struct trace_step *step = &box->step[i];
        if (step->count > 1) {
            *failed |= json_array_append_new(steps, json_pack("[i, i, i]", (int)step->count,
                                                              step->thread, step->offset)) != 0;
        }
    }
    return json_pack("[i, s, i, i, i, i, i, o]", (int)box->phase, kind_names[box->kind], array,
                     (int)box->line, (int)box->bytes, (int)box->thread, box->offset, steps);
}

static json_t *triple_json(const uint32_t triple[3]) {
    return json_pack("[i, i, i]", (int)triple[0], (int)triple[1], (int)triple[2]);
}

static json_t *act_json(const struct signature *signature, const struct trace_act *act) {
    bool touches = act->kind <= TRACE_COPY;
    return json_pack("[i, i, i, s, i, i, i, i, i, i, i]", (int)act->team, (int)act->step,
                     (int)act->slot, kind_names[act->kind], (int)act->line,
                     touches ? array_number(signature, act->space, act->array) : -1,
                     act->kind == TRACE_COPY ? array_number(signature, SPACE_SHARED, act->to) : -1,
                     (int)act->lanes, (int)act->times, act->low, act->high);
}

static json_t *copy_json(const struct signature *signature, const struct trace_copy *copy) {
    return json_pack("[i, i, i, i, i, i, i]", (int)copy->team, (int)copy->group,
                     array_number(signature, SPACE_SHARED, copy->to), (int)copy->issued,
                     copy->done == TRACE_NEVER ? -1 : (int)copy->done, copy->low, copy->high);
}

static json_t *team_json(uint32_t warps, bool *failed) {
    json_t *team = json_array();
    for (int warp = 0; warp < 32; warp++) {
        if (warps >> warp & 1) {
            result_append(team, json_integer(warp), failed);
        }
    }
    return team;
}

static json_t *order_json(const struct index_map *map, bool *failed) {
    const struct trace *trace = &map->trace;
    json_t *teams = json_array();
    json_t *acts = json_array();
    json_t *copies = json_array();
    for (uint32_t i = 0; i < trace->team_count; i++) {
        result_append(teams, team_json(trace->team[i], failed), failed);
    }
    for (uint32_t i = 0; i < trace->act_count; i++) {
        result_append(acts, act_json(map->signature, &trace->act[i]), failed);
    }
    for (uint32_t i = 0; i < trace->copy_count; i++) {
        result_append(copies, copy_json(map->signature, &trace->copy[i]), failed);
    }
    return json_pack("{s:b, s:o, s:o, s:o}", "whole", trace->acts_cut == 0, "teams", teams, "acts",
                     acts, "copies", copies);
}

static json_t *index_map_json(const struct index_map *map, bool *failed) {
    const struct trace *trace = &map->trace;
    json_t *accesses = json_array();
    for (uint32_t i = 0; i < trace->count; i++) {
        result_append(accesses, box_json(map->signature, &trace->box[i], failed), failed);
    }
    return json_pack(
        "{s:o, s:i, s:i, s:o, s:o, s:o, s:i, s:b, s:o, s:o, s:o}", "size",
        result_size_json(map->size), "launches", (int)map->launches, "launch", (int)map->launch,
        "grid", triple_json(map->blocks), "block", triple_json(trace->block), "threads",
        triple_json(map->threads), "phases", (int)trace->phases, "whole", trace->cut == 0, "arrays",
        arrays_json(map, failed), "accesses", accesses, "order", order_json(map, failed));
}

json_t *result_index_maps_json(const struct index_maps *maps) {
    bool failed = false;
    json_t *list = json_array();
    for (int i = 0; i < maps->count; i++) {
        result_append(list, index_map_json(&maps->map[i], &failed), &failed);
    }
    json_t *object = json_pack("{s:[i, i, i], s:o}", "tile", maps->tile.m, maps->tile.n,
                               maps->tile.k, "list", list);
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return object;
}
