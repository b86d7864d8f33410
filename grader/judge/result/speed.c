// Counted work, measured times and estimates as JSON.
#include "judge/result/parts.h"

#include "base/compose.h"
#include "judge/run/lines.h"
#include "judge/speed/counted.h"

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

// What is known of cuBLAS at the size, if anything is.
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
