// The judgement as result.json.
#ifndef JUDGE_RESULT_RESULT_H
#define JUDGE_RESULT_RESULT_H

#include <stdbool.h>

#include "base/error.h"

struct judgement;

// True for a version that can be read.
bool result_is_known(const char *schema);

#define RESULT_SCHEMA_V1   "tilegrade/result/v1"  // still read: without messages and values
#define RESULT_SCHEMA      "tilegrade/result/v2"
#define RESULT_REAL_DIGITS 17  // every double, and so every score, is read back bit for bit

// The judgement as result.json (tilegrade/result/v2, grader/result.schema.json).  Owns: the caller
// frees *ret_text.
enum status result_write_json(const struct judgement *judgement, const char *grader_version,
                              char **ret_text, struct error *err);

#endif
