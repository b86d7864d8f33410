// The answers that were handed in, marked.
#ifndef JUDGE_ANSWERS_ANSWERS_H
#define JUDGE_ANSWERS_ANSWERS_H

#include "base/error.h"

struct judge_options;
struct judgement;

// Marks answers.ini of the submission by the pages of questions of the course, and by the counts of
// the kernels that are judged already.  Nothing of it is ours to fail: a file that is missing, or
// cannot be read, has no points.
//
// Errors   STATUS_BAD_DATA: a page of the course is wrong.  STATUS_SYSTEM, STATUS_NO_MEMORY.
enum status judge_answers(const struct judge_options *options, struct judgement *judgement,
                          struct error *err);
void judge_answers_done(struct judgement *judgement);

#endif
