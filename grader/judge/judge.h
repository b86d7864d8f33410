// Judges one submission: each asked exercise is built, run at its cases and measured, and the first
// thing that is wrong is explained.
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include "base/error.h"

struct judge_options;
struct judgement;

// Judges every asked exercise.  Errors are ours, and then there is no judgement.  Owns: the caller
// frees with judgement_free.
enum status judge_submission(const struct judge_options *options, struct judgement **ret_judgement,
                             struct error *err);
void judgement_free(struct judgement *judgement);

#endif
