// Points, and the ratios of counted work: see points.h.
#include "judge/model/points.h"

#include <assert.h>
#include <math.h>

#include "base/compose.h"

int64_t score_correctness(const struct exercise *exercise, enum verdict verdict) {
    return verdict == VERDICT_PASS ? exercise->points_max - exercise->speed_points : 0;
}

int64_t score_part(int64_t total, const struct exercise_speed *list, int count, int index) {
    assert(total >= 0 && count > 0 && index >= 0 && index < count);
    int64_t weights = 0;
    int64_t left = total;
    for (int i = 0; i < count; i++) {
        assert(list[i].weight > 0);
        weights += list[i].weight;
    }
    for (int i = 0; i < count; i++) {
        left -= total * list[i].weight / weights;
    }
    return total * list[index].weight / weights + (index < left ? 1 : 0);
}

enum speed_verdict score_speed_verdict(double low, double high, double full) {
    assert(isfinite(low) && isfinite(high));
    assert(low <= high);
    double needed = SCORE_GRACE * full;
    if (low >= needed) {
        return SPEED_FAST;
    }
    return high < needed ? SPEED_SLOW : SPEED_MARGINAL;
}

enum speed_verdict score_time_verdict(double low, double high, double full, bool unsteady) {
    enum speed_verdict verdict = score_speed_verdict(low, high, full);
    return verdict == SPEED_MARGINAL && unsteady ? SPEED_UNSTEADY : verdict;
}

int64_t score_speed(int64_t points_max, enum speed_verdict verdict, double ratio, double full,
                    double zero) {
    assert(isfinite(ratio));
    assert(zero < full);
    bool by_median = verdict == SPEED_MARGINAL || verdict == SPEED_UNSTEADY;
    if (verdict == SPEED_FAST || (by_median && ratio >= SCORE_GRACE * full)) {
        return points_max;
    }
    double share = (ratio - zero) / (full - zero);
    if (!(share > 0.0)) {
        return 0;
    }
    return share >= 1.0 ? points_max : (int64_t)floor(share * (double)points_max + 0.5);
}

double score_share(const struct exercise_speed *asked, double ratio) {
    return fmax(0.0, fmin(1.0, (ratio - asked->zero) / (asked->full - asked->zero)));
}

void score_exercise(const struct judge_options *options, struct exercise_result *result) {
    const struct exercise *exercise = result->exercise;
    bool speed_counts = options->extras.speed && result->speed.compared;
    bool passes = result->verdict == VERDICT_PASS;
    result->points = score_correctness(exercise, result->verdict);
    result->points_max = exercise->points_max - (speed_counts ? 0 : exercise->speed_points);
    if (!result->complete) {
        result->points_open = result->points_max;
    } else if (speed_counts && passes && !result->speed.complete) {
        result->points_open = exercise->speed_points;
    } else {
        for (int i = 0; i < result->speed.count && passes; i++) {
            result->points += result->speed.list[i].points;
        }
    }
}

#define EVENLY 0.5  // part of the minimum for evenly shared work: some blocks may have none

const char *counted_metric_name(enum counted_metric metric) {
    static const char *const names[COUNTED_METRIC_COUNT] = {
        [COUNTED_SECTORS] = "global_sectors",
        [COUNTED_WAVEFRONTS] = "shared_wavefronts",
        [COUNTED_BYTES] = "global_bytes",
        [COUNTED_BUSIEST] = "busiest_passes",
    };
    return (unsigned)metric < COUNTED_METRIC_COUNT ? names[metric] : "";
}

const char *counted_metric_text(enum counted_metric metric) {
    static const char *const texts[COUNTED_METRIC_COUNT] = {
        [COUNTED_SECTORS] = N_("sectors of global memory"),
        [COUNTED_WAVEFRONTS] = N_("wavefronts of shared memory"),
        [COUNTED_BYTES] = N_("bytes requested from global memory"),
        [COUNTED_BUSIEST] = N_("work of the busiest SM (more blocks would share it)"),
    };
    return (unsigned)metric < COUNTED_METRIC_COUNT ? texts[metric] : "";
}

uint64_t counted_work(const struct counts *counts, enum counted_metric metric) {
    switch (metric) {
    case COUNTED_SECTORS:
        return counts->global_load_sectors + counts->global_store_sectors +
               counts->global_atomic_sectors;
    case COUNTED_WAVEFRONTS:
        return counts->shared_load_wavefronts + counts->shared_store_wavefronts +
               counts->shared_atomic_wavefronts;
    case COUNTED_BYTES:
        return counts->global_load_bytes + counts->global_store_bytes + counts->global_atomic_bytes;
    case COUNTED_BUSIEST:
        return counts->busiest_passes;
    case COUNTED_METRIC_COUNT:
        break;
    }
    return 0;
}

uint64_t counted_busiest(const struct counts *counts, int multiprocessors) {
    if (multiprocessors <= 0) {
        return 0;
    }
    uint64_t passes = counts->global_load_wavefronts + counts->global_store_wavefronts +
                      counts->shared_load_wavefronts + counts->shared_store_wavefronts +
                      counts->shared_atomic_wavefronts;
    uint64_t share = passes / (uint64_t)multiprocessors;
    return share > counts->block_passes_max ? share : counts->block_passes_max;
}

// The amount (bytes, sectors or passes) that one place adds to a kind of work.
static uint64_t line_work_of(const struct count_line *line, enum counted_metric metric) {
    bool is_shared = line->kind >= COUNT_SHARED_LOAD;
    if (metric == COUNTED_BUSIEST || is_shared != (metric == COUNTED_WAVEFRONTS)) {
        return 0;  // adding blocks does not concern any one line
    }
    return metric == COUNTED_BYTES ? line->bytes : line->units;
}

uint32_t counted_line(const struct counts *counts, enum counted_metric metric) {
    const struct count_lines *lines = &counts->lines;
    uint64_t most = 0;
    uint32_t found = 0;
    for (uint32_t i = 0; i < lines->count; i++) {
        uint64_t work = 0;
        for (uint32_t j = 0; j < lines->count; j++) {
            bool same = lines->access[j].line == lines->access[i].line;
            work += same ? line_work_of(&lines->access[j], metric) : 0;
        }
        if (work > most && lines->access[i].line > 0) {
            most = work;
            found = lines->access[i].line;
        }
    }
    return found;
}

// Each input is read and each output stored, at least once; constant memory is not counted.
static bool other_is_complete(const struct signature *signature, struct size size,
                              const struct counts *counts) {
    uint64_t in = 0;
    uint64_t out = 0;
    for (int i = 0; i < signature->parameter_count; i++) {
        const struct parameter *parameter = &signature->parameter[i];
        uint64_t bytes = parameter_bytes(signature, parameter, size);
        in += parameter->kind == PARAMETER_ARRAY && parameter->role == ROLE_IN ? bytes : 0;
        out += parameter_is_output(parameter) ? bytes : 0;
    }
    return counts->blocks > 0 && counts->global_load_bytes >= in &&
           counts->global_store_bytes + counts->global_atomic_bytes >= out;
}

bool counted_is_complete(const struct signature *signature, struct size size,
                         const struct counts *counts) {
    if (!signature->is_matmul) {
        return other_is_complete(signature, size, counts);
    }
    double inputs = (double)(size_elements_a(size) + size_elements_b(size));
    double loaded = (double)counts->global_load_bytes / sizeof(float);
    double stored =
        (double)(counts->global_store_bytes + counts->global_atomic_bytes) / sizeof(float);
    if (counts->blocks == 0 || loaded < inputs || stored < (double)size_elements_c(size)) {
        return false;
    }
    // Idle blocks share no work.
    uint64_t blocks = counts->working_blocks > 0 ? counts->working_blocks : counts->blocks;
    double of_block = stored / (double)blocks;
    return loaded >= EVENLY * 2.0 * (double)size_multiply_adds(size) / sqrt(of_block);
}

double counted_ratio(const struct counts *student, const struct counts *reference,
                     enum counted_metric *ret_metric) {
    bool found = false;
    double worst = 1.0;
    *ret_metric = COUNTED_SECTORS;
    for (int i = 0; i < COUNTED_METRIC_COUNT; i++) {
        uint64_t mine = counted_work(student, (enum counted_metric)i);
        uint64_t theirs = counted_work(reference, (enum counted_metric)i);
        if (mine == 0 || theirs == 0) {
            continue;
        }
        double ratio = (double)theirs / (double)mine;
        if (!found || ratio < worst) {
            worst = ratio;
            *ret_metric = (enum counted_metric)i;
            found = true;
        }
    }
    return worst;
}
