// The estimate of a kernel's speed as JSON, for result.json.
#ifndef JUDGE_RESULT_ESTIMATE_H
#define JUDGE_RESULT_ESTIMATE_H

#include <jansson.h>

#include "judge/model/speed.h"

// What a card can do at best, in GFLOPS and GB/s: the roofs of a roofline.  Each is NULL where
// memory ran out.  Owns: the caller.
json_t *result_peaks_json(const struct card *card);
json_t *result_estimate_json(const struct kernel_estimate *estimate);

#endif
