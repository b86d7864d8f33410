// Keys and values of result.json, put one by one.  *failed becomes true where memory ran out, and
// is looked at once, at the end.
#ifndef JUDGE_RESULT_PARTS_H
#define JUDGE_RESULT_PARTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/size.h"

// Adds a value, and takes it over; NULL where memory ran out: jansson then reports a failure
// itself.
void result_put(json_t *object, const char *key, json_t *value, bool *failed);
void result_put_text(json_t *object, const char *key, const char *text, bool *failed);  // cleaned
void result_put_integer(json_t *object, const char *key, int64_t value, bool *failed);
void result_append(json_t *array, json_t *value, bool *failed);

// NULL where memory ran out.  Owns: the caller.
json_t *result_triple_json(int64_t x, int64_t y, int64_t z);
json_t *result_size_json(struct size size);

#endif
