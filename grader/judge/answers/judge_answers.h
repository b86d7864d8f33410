// Marks answers to questions, from the numbers of a graded kernel that some answers follow from,
// the repaired kernel of a bug, and the file that was handed in.
#ifndef JUDGE_ANSWERS_JUDGE_ANSWERS_H
#define JUDGE_ANSWERS_JUDGE_ANSWERS_H

#include <stddef.h>

#include <jansson.h>

#include "base/error.h"
#include "exercise/questions.h"
#include "judge/model/judgement.h"

// exercise: an exercise of a result.json, or only its `counts`, `estimate`, `maps` and `kernel`.
// Borrowed.  Without counts the kernel is not known to be right: then false, and nothing is set.
bool answers_kernel_of(const json_t *exercise, struct question_kernel *ret_kernel);

struct judge_options;

#define REPAIR_LINES_MAX 10  // a repair that changes more is a new kernel

extern const char answers_repair_title[];  // in English, a key of the catalogue

// Lines that differ in more than blanks; a line that was changed counts once.
int answers_lines_changed(const char *before, const char *after);

struct judgement;

// Marks answers.ini of the submission by the pages of questions of the course, and by the counts of
// the kernels that are already judged.  A missing or unreadable file is not an error of ours: it
// gets no points.
//
// Errors   STATUS_BAD_DATA: a page of the course is wrong.  STATUS_SYSTEM.
enum status judge_answers(const struct judge_options *options, struct judgement *judgement,
                          struct error *err);
void judge_answers_done(struct judgement *judgement);

#endif
