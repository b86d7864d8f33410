// Judges one submission: each requested exercise is built, run at its cases and measured, and its
// first mistake is explained.
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include "base/error.h"

struct judge_options;
struct judgement;

// Judges every requested exercise.  Errors are ours; then there is no judgement.  Owns: the caller
// frees with judgement_free.
enum status judge_submission(const struct judge_options *options, struct judgement **ret_judgement,
                             struct error *err);
void judgement_free(struct judgement *judgement);

#endif
