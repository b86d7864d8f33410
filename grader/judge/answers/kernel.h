// The numbers of one graded kernel, for the answers that follow from it.
#ifndef JUDGE_ANSWERS_KERNEL_H
#define JUDGE_ANSWERS_KERNEL_H

#include <jansson.h>

#include "exercise/questions.h"

// exercise: that of a result.json, or its `counts`, `estimate`, `maps` and `kernel` alone.
// Borrowed.  Without counts the kernel is not known to be right: then false, and nothing is set.
bool answers_kernel_of(const json_t *exercise, struct question_kernel *ret_kernel);

#endif
