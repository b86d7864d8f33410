// The parts of result.json.  A value that is NULL, because a number is not finite, makes everything
// that contains it NULL.  Owns: each call takes over the values that it is given, and the caller
// owns the value that it returns.
#ifndef JUDGE_RESULT_JSON_PARTS_H
#define JUDGE_RESULT_JSON_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "base/size.h"
#include "judge/model/judgement.h"

struct exercise;
struct signature;

// Adds a value, or all values of another object, to an object; adds a value to an array.
json_t *result_with(json_t *object, const char *key, json_t *value);
json_t *result_joined(json_t *object, json_t *more);
json_t *result_added(json_t *array, json_t *value);

json_t *result_text(const char *text);  // cleaned

// Adds a text that can be read in every language (base/words.h): the sentence in the chosen
// language, and in `texts` its messages with their values.
json_t *result_with_words(json_t *object, const char *key, const char *text);

json_t *result_triple_json(const uint32_t triple[3]);
json_t *result_size_json(struct size size);

// The arguments of the kernel, and the names of its sizes.
json_t *result_kernel_json(const struct signature *signature);

// The sums of a launch at a size, and the work of each source line.
json_t *result_counts_json(const struct counts *counts, const struct exercise *exercise,
                           struct size size);

// The numbers of one size that determine its points: written here, and read when points are
// computed from a result.
#define SPEED_RATIOS(X) X(ratio) X(low) X(high) X(full) X(zero)

// One size: verdict, ratio, points, and the counts or samples that they come from.
json_t *result_speed_json(const struct speed_result *speed, const struct exercise *exercise);

// The peak rates of a GPU, in GFLOPS and GB/s: the roofs of a roofline.
json_t *result_peaks_json(const struct card *card);
json_t *result_estimate_json(const struct kernel_estimate *estimate,
                             const struct exercise *exercise);

// The data of pictures: the wrong places of C, their values, and the accesses of each thread.
json_t *result_wrong_tiles_json(const struct wrong_tiles *tiles);
json_t *result_wrong_cells_json(const struct wrong_cells *cells);
json_t *result_index_maps_json(const struct index_maps *maps);

#endif
