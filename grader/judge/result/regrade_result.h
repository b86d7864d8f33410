// The points of a stored result, computed again from its verdicts, samples and counts with the
// current thresholds of the course.
//
// Nothing is run and no kernel is judged again, so verdicts do not change.  The result is identical
// to the last bit as long as the course and the rules of scoring are the same; a difference means
// that they or the file changed.
#ifndef JUDGE_RESULT_REGRADE_RESULT_H
#define JUDGE_RESULT_REGRADE_RESULT_H

#include <jansson.h>
#include <stdbool.h>

#include "base/size.h"
#include "exercise/exercise.h"

#define REGRADE_WHY_BYTES 200
#define REGRADE_ROWS_MAX  (EXERCISES_MAX * (1 + EXERCISE_TIMED_MAX) + 1)

// One number of points: in the file, and as computed now.
struct regrade_row {
    char exercise[NAME_BYTES_MAX];  // or "answers"
    struct size size;               // the points are for speed at this size; m = 0: for a right
                                    // result
    bool open;                      // not judged: its points are neither given nor lost
    int64_t stored, stored_max;     // milli-points
    int64_t points, points_max;     // now
    char why[REGRADE_WHY_BYTES];    // a description of the difference; "" if none
};

struct regrade {
    int64_t stored, stored_max, points, points_max, points_open;
    bool differs;  // in anything, even if the points are the same
    int row_count;
    struct regrade_row row[REGRADE_ROWS_MAX];
};

// Computes the points of result (tilegrade/result/v2, or v1) again and puts them, with the
// thresholds, ratios and verdicts on speed that led to them, into result itself.
//
// Errors   STATUS_BAD_DATA: not a result of this schema; an exercise that the course no longer has;
//          a size that counts now, but has no samples.
enum status regrade_result(const struct course *course, json_t *result, struct regrade *ret_regrade,
                           struct error *err);

#endif
