// Compares what the judge found in a kernel of the course with what must come out.
#ifndef APP_COURSE_COMPARE_H
#define APP_COURSE_COMPARE_H

#include "app/course/jobs.h"
#include "judge/model/judgement.h"

#define OUTCOME_TEXT_MAX 512

struct outcome {
    bool proven;
    bool skipped;         // it needs a GPU: here only the build was proven, if NVRTC is here
    enum status trouble;  // ours, not the course's
    char text[OUTCOME_TEXT_MAX];  // expected and got, where not proven
};

// Writes proven, and text where it is not; leaves the rest of *outcome alone.
void course_compare(const struct job *job, const struct exercise_result *result,
                    struct outcome *outcome);

#endif
