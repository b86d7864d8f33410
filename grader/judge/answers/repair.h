// The kernel of a bug, repaired by the student.
#ifndef JUDGE_ANSWERS_REPAIR_H
#define JUDGE_ANSWERS_REPAIR_H

#include <stddef.h>

#include "base/error.h"
#include "judge/model/answers.h"

struct judge_options;

#define REPAIR_LINES_MAX 10  // a repair that changes more is a kernel of its own

extern const char answers_repair_title[];  // in English, a key of the catalogue

// Judges NAME.cu of the submission as the exercise of the bug, on the CPU device: it is right if it
// passes and differs from the kernel with the bug in at most REPAIR_LINES_MAX lines.
enum status answers_repair_judge(const struct judge_options *options,
                                 const struct question_page *page, struct answer_result *row,
                                 struct error *err);

// Lines that differ in more than blanks; a line that was changed counts once.  -1: no memory.
int answers_lines_changed(const char *before, const char *after);

#endif
