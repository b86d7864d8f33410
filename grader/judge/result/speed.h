// What a kernel did and how long it took, as JSON for result.json.
#ifndef JUDGE_RESULT_SPEED_H
#define JUDGE_RESULT_SPEED_H

#include <jansson.h>

#include "judge/model/speed.h"

// The sums of a launch at a size, and the work of each source line.
json_t *result_counts_json(const struct counts *counts, struct size size, bool *failed);

// One size: verdict, ratio, points, and the counts or samples that they were made from.
// Both: NULL or *failed where memory ran out.  Owns: the caller.
json_t *result_speed_json(const struct speed_result *speed, bool *failed);

#endif
