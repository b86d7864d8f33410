// The state of a job, which is its files: OUT/jobs/PSEUDONYM/result.json and trouble.txt.
#ifndef CLASS_RUN_OUTCOME_H
#define CLASS_RUN_OUTCOME_H

#include <stdbool.h>

#include "class/run/plan.h"

#define TROUBLE_BYTES 400

struct class_outcome {
    bool done;                    // a whole result that belongs to this job
    char trouble[TROUBLE_BYTES];  // why the last try gave none; "" if there was none
    // Of a result:
    int64_t points, points_max, points_open;  // milli-points
    int64_t graded_at;
    double seconds, cpu_seconds;
};

// A path in the folder of a job: OUT/jobs/PSEUDONYM/NAME.
enum status class_job_path(const char *out, const char *pseudonym, const char *name,
                           char ret_path[PATH_BYTES_MAX], struct error *err);

// Reads the state of a job.  A result that is damaged, or belongs to another job, counts as none.
// Errors: STATUS_SYSTEM: it cannot be known.  STATUS_NO_MEMORY.
enum status class_outcome_read(const char *out, const struct class_job *job,
                               struct class_outcome *ret_outcome, struct error *err);

// Notes why a job gave no result; `why` is one line.
enum status class_trouble_write(const char *out, const char *pseudonym, const char *why,
                                struct error *err);

// Removes a result, the note of a trouble, and what a killed process left of them.
enum status class_outcome_remove(const char *out, const char *pseudonym, bool and_result,
                                 struct error *err);

#endif
