// The parts of result.json.  *failed becomes true if memory runs out, and is checked once, at the
// end.  A function that returns NULL has run out of memory too.  Owns: the caller.
#ifndef JUDGE_RESULT_JSON_PARTS_H
#define JUDGE_RESULT_JSON_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "base/size.h"
#include "judge/model/judgement.h"

struct exercise;
struct signature;

// Adds a value, and takes it over.  The value may be NULL if memory ran out, because jansson then
// reports a failure itself.
void result_put(json_t *object, const char *key, json_t *value, bool *failed);
void result_put_text(json_t *object, const char *key, const char *text, bool *failed);  // cleaned

// A text that can be read in every language (base/words.h): the sentence in the chosen one, and
// next to it, in `texts`, its messages with their values.
void result_put_words(json_t *object, const char *key, const char *text, bool *failed);
void result_put_integer(json_t *object, const char *key, int64_t value, bool *failed);
void result_append(json_t *array, json_t *value, bool *failed);

json_t *result_triple_json(int64_t x, int64_t y, int64_t z);
json_t *result_size_json(struct size size);

// What the kernel is called with: names of its sizes, and its arguments.
json_t *result_kernel_json(const struct signature *signature, bool *failed);

// The sums of a launch at a size, and the work of each source line.
json_t *result_counts_json(const struct counts *counts, const struct exercise *exercise,
                           struct size size, bool *failed);

// One size: verdict, ratio, points, and the counts or samples that they were made from.
json_t *result_speed_json(const struct speed_result *speed, const struct exercise *exercise,
                          bool *failed);

// What a card can do at best, in GFLOPS and GB/s: the roofs of a roofline.
json_t *result_peaks_json(const struct card *card);
json_t *result_estimate_json(const struct kernel_estimate *estimate,
                             const struct exercise *exercise, bool *failed);

// The data of pictures: where C is wrong, what it holds there, and which thread accesses what.
json_t *result_wrong_tiles_json(const struct wrong_tiles *tiles);
json_t *result_wrong_cells_json(const struct wrong_cells *cells);
json_t *result_index_maps_json(const struct index_maps *maps);

#endif
