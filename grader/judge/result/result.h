// The judgement as result.json.
#ifndef JUDGE_RESULT_RESULT_H
#define JUDGE_RESULT_RESULT_H

#include <stdbool.h>

#include "base/error.h"

struct judgement;
struct run_program;
struct program_result;

// True for a version that can be read.
bool result_is_known(const char *schema);

#define RESULT_SCHEMA_V1 "tilegrade/result/v1"  // still read: without messages and values
#define RESULT_SCHEMA    "tilegrade/result/v2"
// Of a whole program: `definitions/program` of result.schema.json.
#define RESULT_SCHEMA_PROGRAM "tilegrade/program/v1"

#define RESULT_REAL_DIGITS 17  // every double, and so every score, is read back bit for bit

// The judgement as result.json (tilegrade/result/v2, grader/result.schema.json).  Owns: the caller
// frees *ret_text.
enum status result_write_json(const struct judgement *judgement, const char *grader_version,
                              char **ret_text, struct error *err);

// The result of a whole program; `result` is not read if it was not built.  Owns: as above.
enum status result_write_program(const struct run_program *program,
                                 const struct program_result *result, const char *grader_version,
                                 char **ret_text, struct error *err);

#endif
