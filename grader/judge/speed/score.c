// Points, in whole milli-points: see score.h.
#include "judge/speed/score.h"

#include <assert.h>
#include <math.h>

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
