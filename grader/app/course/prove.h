// Runs one job of a course: judges a kernel in a folder of its own and compares the result with the
// expected one.
#ifndef APP_COURSE_PROVE_H
#define APP_COURSE_PROVE_H

#include "app/course/jobs.h"
#include "judge/model/judgement.h"
#include "judge/model/options.h"

#define OUTCOME_TEXT_MAX  512
#define OUTCOME_FOUND_MAX 64

struct outcome {
    bool proven;
    bool skipped;         // it needs a GPU: only the build was checked, and only with NVRTC
    enum status trouble;  // ours, not the course's
    bool bad_data;        // its exercise.ini or expected.c is wrong, so no kernel was judged
    char text[OUTCOME_TEXT_MAX];    // expected and got, if not proven
    char found[OUTCOME_FOUND_MAX];  // "race 19 25", which the first line of the file may say; ""
};

// `judge` has everything except submission, exercise and speed.
void course_prove(const struct judge_options *judge, const struct job *job,
                  struct outcome *ret_outcome);

// Compares what the judge found with what is expected: writes `proven`, and `text` if it is false;
// leaves the rest of *outcome unchanged.
void course_compare(const struct job *job, const struct exercise_result *result,
                    struct outcome *outcome);

#endif
