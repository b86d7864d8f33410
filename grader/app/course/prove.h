// Proves one job of a course: judges a kernel in a folder of its own and compares with what must
// come out.
#ifndef APP_COURSE_PROVE_H
#define APP_COURSE_PROVE_H

#include "app/course/compare.h"

struct judge_options;

// `judge` holds everything but submission, exercise and speed.
void course_prove(const struct judge_options *judge, const struct job *job,
                  struct outcome *ret_outcome);

#endif
