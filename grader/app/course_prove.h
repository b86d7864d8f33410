// Proves one job of a course: judges a kernel in a folder of its own and compares with what must
// come out.
#ifndef APP_COURSE_PROVE_H
#define APP_COURSE_PROVE_H

#include "app/course_jobs.h"
#include "judge/judge.h"

#define OUTCOME_TEXT_MAX 512

struct outcome {
    bool proven;
    bool skipped;         // it needs a GPU: here only the build was proven, if NVRTC is here
    enum status trouble;  // ours, not the course's
    char text[OUTCOME_TEXT_MAX];  // expected and got, where not proven
};

// `judge` holds everything but submission, exercise and speed.
void course_prove(const struct judge_options *judge, const struct job *job,
                  struct outcome *ret_outcome);

#endif
