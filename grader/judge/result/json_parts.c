// The parts of result.json: keys and values, texts, arguments of kernels, counted work, measured
// times and estimates, and pictures as numbers; the reports draw them.
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
#include "base/language.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"
#include "exercise/signature.h"
#include "judge/compile/program_build.h"
#include "judge/model/points.h"

json_t *result_with(json_t *object, const char *key, json_t *value) {
    if (json_object_set_new(object, key, value) == 0) {
        return object;
    }
    json_decref(object);
    return NULL;
}

json_t *result_joined(json_t *object, json_t *more) {
    if (json_object_update_new(object, more) == 0) {
        return object;
    }
    json_decref(object);
    return NULL;
}

json_t *result_added(json_t *array, json_t *value) {
    if (json_array_append_new(array, value) == 0) {
        return array;
    }
    json_decref(array);
    return NULL;
}

json_t *result_text(const char *text) {
    char *clean = xstrdup(text);
    text_end(clean);  // it may end in the middle of a character
    text_clean(clean);
    json_t *value = json_string(clean);
    free(clean);
    return value;
}

json_t *result_triple_json(const uint32_t triple[3]) {
    return json_pack("[I, I, I]", (json_int_t)triple[0], (json_int_t)triple[1],
                     (json_int_t)triple[2]);
}

json_t *result_size_json(struct size size) {
    int rank = size_rank(size);
    json_t *list = json_array();
    for (int i = 0; i < (rank > 0 ? rank : 3); i++) {
        list = result_added(list, json_integer(size.at[i]));
    }
    return list;
}

static json_t *text_json(const char *text, size_t bytes);

// A whole number, a real number, or the text unchanged if it is neither.
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

// A single sentence is written directly, several as a list.
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
    json_t *object = json_object();
    json_t *values = json_array();
    if (message->context_bytes > 0) {
        object =
            result_with(object, "context", json_stringn(message->context, message->context_bytes));
    }
    object = result_with(object, "message", json_stringn(message->key, message->key_bytes));
    for (int i = 0; i < message->count; i++) {
        values = result_added(values, value_json(&message->value[i]));
    }
    if (message->count > 0) {
        object = result_with(object, "values", values);
    } else {
        json_decref(values);
    }
    return message->is_capital ? result_with(object, "capital", json_true()) : object;
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
    json_t *values = json_array();
    size_t count = 0;
    for (; part > 0; part = words_part(at, (size_t)(end - at))) {
        values = result_added(values, part_json(at, part));
        at += part;
        count++;
    }
    char *format = xmalloc(2 * count);
    for (size_t i = 0; i < count; i++) {
        memcpy(format + 2 * i, "%s", 2);
    }
    json_t *object =
        json_pack("{s:o, s:o}", "message", json_stringn(format, 2 * count), "values", values);
    free(format);
    return object;
}

static json_t *text_json(const char *text, size_t bytes) {
    const char *end = text + bytes;
    json_t *sentences = json_array();
    while (text < end) {
        const char *at = text;
        for (size_t part; at < end && *at != WORDS_GAP; at += part) {
            part = words_part(at, (size_t)(end - at));
        }
        if (at > text) {
            sentences = result_added(sentences, sentence_json(text, at));
        }
        text = at + (at < end);
    }
    return sentences;
}

json_t *result_with_words(json_t *object, const char *key, const char *text) {
    char *clean = xstrdup(text);
    words_clean(clean);
    char *plain = language_plain(clean);
    object = result_with(object, key, result_text(plain));
    if (object && strpbrk(clean, WORDS_MARKS)) {
        json_t *texts = json_object_get(object, "texts");
        texts = texts ? json_incref(texts) : json_object();
        texts = result_with(texts, key, text_json(clean, strlen(clean)));
        object = result_with(object, "texts", texts);
    }
    free(plain);
    free(clean);
    return object;
}

static json_t *argument_json(const struct parameter *parameter) {
    static const char *const kinds[] = {[PARAMETER_ARRAY] = "array",
                                        [PARAMETER_CONSTANT] = "constant",
                                        [PARAMETER_SIZE] = "size",
                                        [PARAMETER_SCALAR] = "scalar"};
    static const char *const roles[] = {
        [ROLE_IN] = "in", [ROLE_OUT] = "out", [ROLE_INOUT] = "inout"};
    json_t *object = json_pack("{s:s, s:s, s:s}", "name", parameter->name, "kind",
                               kinds[parameter->kind], "type", element_name(parameter->element));
    if (parameter_is_array(parameter)) {
        json_t *shape = json_array();
        for (int i = 0; i < parameter->rank; i++) {
            shape = result_added(shape, json_string(parameter->extent[i]));
        }
        return result_joined(
            object, json_pack("{s:s, s:o}", "role", roles[parameter->role], "shape", shape));
    }
    return parameter->kind == PARAMETER_SCALAR
               ? result_with(object, "value", json_real(parameter->value))
               : object;
}

json_t *result_kernel_json(const struct signature *signature) {
    json_t *sizes = json_array();
    json_t *arguments = json_array();
    for (int i = 0; i < signature->size_count; i++) {
        sizes = result_added(sizes, json_string(signature->size_name[i]));
    }
    for (int i = 0; i < signature->parameter_count; i++) {
        arguments = result_added(arguments, argument_json(&signature->parameter[i]));
    }
    return json_pack("{s:b, s:b, s:o, s:o}", "product", signature->is_matmul, "by_flop",
                     signature_is_by_flop(signature), "sizes", sizes, "arguments", arguments);
}

// --- Counted work and measured times -------------------------------------------------------------

// A size, and the FLOP and bytes that the operation needs at it; 0: not stated.
static json_t *needs_json(const struct signature *signature, struct size size) {
    return json_pack("{s:o, s:f, s:f}", "size", result_size_json(size), "needed_flop",
                     signature_flop(signature, size), "needed_bytes",
                     signature_bytes(signature, size));
}

static json_t *line_kind_json(const struct count_line *work, bool is_shared) {
    return json_pack("{s:I, s:I, s:I, s:I, s:I}", "requests", (json_int_t)work->requests,
                     is_shared ? "wavefronts" : "sectors", (json_int_t)work->units, "ideal",
                     (json_int_t)work->ideal, "bytes", (json_int_t)work->bytes, "lanes",
                     (json_int_t)work->lanes);
}

// The work of each source line that does some.
static json_t *lines_json(const struct count_lines *lines) {
    static const char *const names[COUNT_KINDS] = {
        [COUNT_GLOBAL_LOAD] = "global_load",     [COUNT_GLOBAL_STORE] = "global_store",
        [COUNT_GLOBAL_ATOMIC] = "global_atomic", [COUNT_SHARED_LOAD] = "shared_load",
        [COUNT_SHARED_STORE] = "shared_store",   [COUNT_SHARED_ATOMIC] = "shared_atomic"};
    struct line_work work[LINE_WORKS_MAX];
    int count = run_lines_merge(lines, work);
    json_t *array = json_array();
    for (int i = 0; i < count; i++) {
        json_t *line = json_pack("{s:I, s:I}", "line", (json_int_t)work[i].line, "flops",
                                 (json_int_t)work[i].flops);
        for (int kind = 0; kind < COUNT_KINDS; kind++) {
            if (work[i].kind[kind].requests > 0) {
                line = result_with(line, names[kind],
                                   line_kind_json(&work[i].kind[kind], kind >= COUNT_SHARED_LOAD));
            }
        }
        array = result_added(array, line);
    }
    return array;
}

// The sums of a launch.  Bytes are per operation of the exercise, which is the same for all
// kernels; 0 if it has none.
static json_t *counts_json(const struct counts *counts, const struct exercise *exercise,
                           struct size size) {
    json_t *object = needs_json(&exercise->signature, size);
    double flop = signature_flop(&exercise->signature, size);
    uint64_t requests = counts_requests(counts);
#define COUNT_PUT(field, text)                                                                     \
    object = result_with(object, #field, json_integer((json_int_t)counts->field));
    COUNT_FIELDS(COUNT_PUT)
#undef COUNT_PUT
    if (counts->flop_blocks == 0) {
        object = result_with(object, "flops", json_null());  // not known is not 0
    }
    (void)json_object_del(object, "flop_blocks");
    double bytes = (double)(counts->global_load_bytes + counts->global_store_bytes +
                            counts->global_atomic_bytes);
    double sectors = (double)(counts->global_load_sectors + counts->global_store_sectors +
                              counts->global_atomic_sectors);
    return result_joined(
        object, json_pack("{s:I, s:f, s:f, s:f}", "shared_conflicts",
                          (json_int_t)counts_conflicts(counts), "active_lanes",
                          requests > 0 ? (double)counts->memory_lanes / (double)requests : 0.0,
                          "requested_bytes_per_flop", flop > 0 ? bytes / flop : 0.0,
                          "sector_bytes_per_flop", flop > 0 ? 32.0 * sectors / flop : 0.0));
}

json_t *result_counts_json(const struct counts *counts, const struct exercise *exercise,
                           struct size size) {
    return result_with(counts_json(counts, exercise, size), "lines", lines_json(&counts->lines));
}

static json_t *samples_json(const double *samples, int count) {
    json_t *array = json_array();
    for (int i = 0; i < count; i++) {
        array = result_added(array, json_real(samples[i]));
    }
    return array;
}

// null means unknown.
static json_t *known_json(bool known, uint32_t value) {
    return known ? json_integer(value) : json_null();
}

static json_t *states_json(const struct gpu_state *states, int count) {
    json_t *array = json_array();
    for (int i = 0; i < count && states; i++) {
        const struct gpu_state *state = &states[i];
        bool clocks = (state->known & GPU_STATE_CLOCKS) != 0;
        array = result_added(
            array,
            json_pack("{s:o, s:o, s:o, s:o, s:o}", "sm_mhz", known_json(clocks, state->sm_mhz),
                      "memory_mhz", known_json(clocks, state->memory_mhz), "reasons",
                      known_json(state->known & GPU_STATE_REASONS, state->reasons), "celsius",
                      known_json(state->known & GPU_STATE_HEAT, state->celsius), "milliwatts",
                      known_json(state->known & GPU_STATE_POWER, state->milliwatts)));
    }
    return array;
}

// The known facts about cuBLAS at the size, if any.
static json_t *with_cublas(json_t *object, const struct speed_result *speed) {
    const struct cublas_pairs *pairs = &speed->cublas_pairs;
    if (!(speed->cublas_gflops > 0.0)) {
        return object;
    }
    object = result_with(object, "cublas_gflops", json_real(speed->cublas_gflops));
    if (speed->cublas.count > 0) {
        object =
            result_with(object, "cublas_ms", samples_json(speed->cublas.ms, speed->cublas.count));
    }
    return pairs->pairs == 0
               ? object
               : result_with(object, "against_cublas",
                             json_pack("{s:s, s:f, s:f, s:f, s:i, s:o, s:o}", "verdict",
                                       speed_verdict_name(pairs->verdict), "ratio", pairs->ratio,
                                       "low", pairs->low, "high", pairs->high, "pairs",
                                       pairs->pairs, "student_ms",
                                       samples_json(pairs->student_ms, pairs->pairs), "cublas_ms",
                                       samples_json(pairs->cublas_ms, pairs->pairs)));
}

static json_t *times_json(const struct estimated_times *times) {
    const struct estimate *mine = times->student;
    const struct estimate *theirs = times->reference;
    return json_pack("{s:o, s:[f, f], s:[f, f]}", "size", result_size_json(times->size),
                     "student_ms", mine[0].ms, mine[1].ms, "reference_ms", theirs[0].ms,
                     theirs[1].ms);
}

static json_t *with_counted(json_t *object, const struct speed_result *speed,
                            const struct exercise *exercise) {
    if (speed->estimated.size.m > 0) {
        object = result_with(object, "estimated", times_json(&speed->estimated));
    }
    if (speed->note[0] != '\0') {
        object = result_with_words(object, "note", speed->note);
    }
    object = result_with(object, "metric", json_string(counted_metric_name(speed->metric)));
    object = result_with_words(object, "metric_text", counted_metric_text(speed->metric));
    return result_joined(
        object,
        json_pack("{s:I, s:I, s:I, s:o, s:o}", "metric_line", (json_int_t)speed->metric_line,
                  "work", (json_int_t)counted_work(&speed->counts, speed->metric), "reference_work",
                  (json_int_t)counted_work(&speed->reference_counts, speed->metric), "counts",
                  counts_json(&speed->counts, exercise, speed->size), "reference_counts",
                  counts_json(&speed->reference_counts, exercise, speed->size)));
}

static json_t *with_measured(json_t *object, const struct speed_result *speed) {
    object = result_joined(object,
                           json_pack("{s:f, s:f, s:o, s:o, s:i, s:i}", "gflops", speed->gflops,
                                     "reference_gflops", speed->reference_gflops, "student_ms",
                                     samples_json(speed->student_ms, speed->pairs), "reference_ms",
                                     samples_json(speed->reference_ms, speed->pairs), "launches",
                                     speed->launches, "attempts", speed->attempts));
    object = result_with_words(object, "doubt", speed->doubt);
    if (speed->note[0] != '\0') {
        object = result_with_words(object, "note", speed->note);
    }
    object =
        result_joined(object, json_pack("{s:f, s:o}", "calibrated_ms", speed->calibrated_ms,
                                        "gpu_states", states_json(speed->states, speed->pairs)));
    return with_cublas(object, speed);
}

json_t *result_speed_json(const struct speed_result *speed, const struct exercise *exercise) {
    json_t *object =
        result_joined(needs_json(&exercise->signature, speed->size),
                      json_pack("{s:s, s:s}", "basis", speed->counted ? "counted" : "measured",
                                "verdict", speed_verdict_name(speed->verdict)));
#define RATIO_PUT(field) object = result_with(object, #field, json_real(speed->field));
    SPEED_RATIOS(RATIO_PUT)
#undef RATIO_PUT
    object = result_joined(object, json_pack("{s:i, s:I, s:I}", "pairs", speed->pairs, "points",
                                             (json_int_t)speed->points, "points_max",
                                             (json_int_t)speed->points_max));
    return speed->counted ? with_counted(object, speed, exercise) : with_measured(object, speed);
}

// --- Estimates: next to the grade, and labelled --------------------------------------------------

static json_t *estimated_json(const struct estimate *estimate, int registers) {
    json_t *object = json_pack("{s:f, s:f, s:s}", "gflops", estimate->gflops, "ms", estimate->ms,
                               "bound", estimate_bound_name(estimate->bound));
    object = result_with_words(object, "bound_text", estimate_bound_text(estimate->bound));
    return result_joined(object, json_pack("{s:s, s:f, s:s, s:f, s:o}", "lesson",
                                           estimate_bound_lesson(estimate->bound), "occupancy",
                                           estimate->occupancy.share, "occupancy_limit",
                                           occupancy_limit_name(estimate->occupancy.limit), "waves",
                                           estimate->waves, "registers",
                                           registers > 0 ? json_integer(registers) : json_null()));
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
                             const struct exercise *exercise) {
    json_t *object = result_with_words(json_object(), "note",
                                       _("an estimate from counted work, not a measurement"));
    object = result_joined(object, json_pack("{s:s, s:o}", "card", estimate->card->name,
                                             "card_peaks", result_peaks_json(estimate->card)));
    object = result_joined(object, needs_json(&exercise->signature, estimate->size));
    object =
        result_with(object, "student", estimated_json(&estimate->student, estimate->registers));
    return estimate->has_reference
               ? result_joined(object,
                               json_pack("{s:f, s:f}", "reference_ms", estimate->reference.ms,
                                         "reference_gflops", estimate->reference.gflops))
               : object;
}

// --- Pictures ------------------------------------------------------------------------------------

json_t *result_wrong_tiles_json(const struct wrong_tiles *tiles) {
    json_t *rows = json_array();
    for (int32_t row = 0; row < tiles->rows; row++) {
        json_t *columns = json_array();
        for (int32_t column = 0; column < tiles->columns; column++) {
            columns = result_added(columns, json_integer(tiles->count[row][column]));
        }
        rows = result_added(rows, columns);
    }
    return json_pack("{s:[i, i, i], s:i, s:I, s:o}", "size", tiles->size.m, tiles->size.n,
                     tiles->size.k, "edge", tiles->edge, "wrong", (json_int_t)tiles->wrong, "rows",
                     rows);
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
    json_t *object =
        json_pack("{s:[i, i, i]}", "size", cells->size.m, cells->size.n, cells->size.k);
    for (int value = CELL_UNKNOWN + 1; value < CELL_COUNT; value++) {
        json_t *list = json_array();
        for (int32_t i = 0; i < cells->count; i++) {
            const struct wrong_cell *cell = &cells->cell[i];
            list = cell->held == value ? result_added(list, cell_json(cell)) : list;
        }
        object = result_with(object, cell_value_names[value], list);
    }
    return object;
}

static const char *const kind_names[TRACE_KIND_COUNT] = {
    [ACCESS_NONE] = "none",     [ACCESS_READ] = "load",      [ACCESS_WRITE] = "store",
    [ACCESS_ATOMIC] = "atomic", [TRACE_ZERO] = "zero",       [TRACE_COPY] = "copy",
    [TRACE_WAIT] = "wait",      [TRACE_COMPUTE] = "compute", [TRACE_BARRIER] = "barrier"};

static json_t *array_json(const char *name, const char *space, uint32_t element_bytes,
                          json_t *extent) {
    return json_pack("{s:s, s:s, s:i, s:o}", "name", name, "space", space, "element_bytes",
                     (int)element_bytes, "extent", extent);
}

// The number of an array in "arrays": parameters first, then the workspace, then shared arrays. -1:
// none.
static int array_number(const struct signature *signature, uint32_t space, uint32_t array) {
    uint32_t most = space == SPACE_SHARED || array == ARRAY_WORKSPACE ? PARAMETERS_MAX : array;
    int number = 0;
    for (int i = 0; i < signature->parameter_count && (uint32_t)i < most; i++) {
        number += signature->parameter[i].kind == PARAMETER_ARRAY;
    }
    return array == ARRAY_NONE ? -1 : space == SPACE_SHARED ? number + 1 + (int)array : number;
}

static json_t *arrays_json(const struct index_map *map) {
    const struct signature *signature = map->signature;
    json_t *arrays = json_array();
    for (int i = 0; i < signature->parameter_count; i++) {
        const struct parameter *parameter = &signature->parameter[i];
        json_t *extent = json_array();
        for (int e = 0; e < parameter->rank; e++) {
            extent = result_added(extent, json_integer((json_int_t)parameter_extent(
                                              signature, parameter, e, map->size)));
        }
        if (parameter->kind == PARAMETER_ARRAY) {
            arrays = result_added(arrays,
                                  array_json(parameter->name, "global",
                                             (uint32_t)element_bytes(parameter->element), extent));
        } else {
            json_decref(extent);
        }
    }
    arrays = result_added(arrays, array_json("workspace", "global", sizeof(float), json_array()));
    for (uint32_t i = 0; i < map->shared.count; i++) {
        const struct shared_array *shared = &map->shared.array[i];
        json_t *extent = json_array();
        for (uint32_t e = 0; e < shared->rank && e < ARRAY_RANK_MAX; e++) {
            extent = result_added(extent, json_integer(shared->extent[e]));
        }
        arrays =
            result_added(arrays, array_json(shared->name, "shared", shared->element_bytes, extent));
    }
    return arrays;
}

static json_t *box_json(const struct signature *signature, const struct trace_box *box) {
    int array = array_number(signature, box->space, box->array);
    json_t *steps = json_array();
    for (int i = 0; i < TRACE_STEPS; i++) {
        const struct trace_step *step = &box->step[i];
        if (step->count > 1) {
            steps = result_added(
                steps, json_pack("[i, i, i]", (int)step->count, step->thread, step->offset));
        }
    }
    return json_pack("[i, s, i, i, i, i, i, o]", (int)box->phase, kind_names[box->kind], array,
                     (int)box->line, (int)box->bytes, (int)box->thread, box->offset, steps);
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

static json_t *team_json(uint32_t warps) {
    json_t *team = json_array();
    for (int warp = 0; warp < 32; warp++) {
        team = warps >> warp & 1 ? result_added(team, json_integer(warp)) : team;
    }
    return team;
}

static json_t *order_json(const struct index_map *map) {
    const struct trace *trace = &map->trace;
    json_t *teams = json_array();
    json_t *acts = json_array();
    json_t *copies = json_array();
    for (uint32_t i = 0; i < trace->team_count; i++) {
        teams = result_added(teams, team_json(trace->team[i]));
    }
    for (uint32_t i = 0; i < trace->act_count; i++) {
        acts = result_added(acts, act_json(map->signature, &trace->act[i]));
    }
    for (uint32_t i = 0; i < trace->copy_count; i++) {
        copies = result_added(copies, copy_json(map->signature, &trace->copy[i]));
    }
    return json_pack("{s:b, s:o, s:o, s:o}", "whole", trace->acts_cut == 0, "teams", teams, "acts",
                     acts, "copies", copies);
}

static json_t *index_map_json(const struct index_map *map) {
    const struct trace *trace = &map->trace;
    json_t *accesses = json_array();
    for (uint32_t i = 0; i < trace->count; i++) {
        accesses = result_added(accesses, box_json(map->signature, &trace->box[i]));
    }
    return json_pack("{s:o, s:i, s:i, s:o, s:o, s:o, s:i, s:b, s:o, s:o, s:o}", "size",
                     result_size_json(map->size), "launches", (int)map->launches, "launch",
                     (int)map->launch, "grid", result_triple_json(map->blocks), "block",
                     result_triple_json(trace->block), "threads", result_triple_json(map->threads),
                     "phases", (int)trace->phases, "whole", trace->cut == 0, "arrays",
                     arrays_json(map), "accesses", accesses, "order", order_json(map));
}

json_t *result_index_maps_json(const struct index_maps *maps) {
    json_t *list = json_array();
    for (int i = 0; i < maps->count; i++) {
        list = result_added(list, index_map_json(&maps->map[i]));
    }
    return json_pack("{s:[i, i, i], s:o}", "tile", maps->tile.m, maps->tile.n, maps->tile.k, "list",
                     list);
}
