// One job of a class: a submission that `grade --job` judges as grader/class planned it.
//
// Its parameters are read from standard input as "KEY SEED DAYS", because the seed is secret and
// other users of the machine can read a command line.
#ifndef APP_COMMANDS_JOB_H
#define APP_COMMANDS_JOB_H

#include "app/commands/judging.h"
#include "base/file.h"

struct job_hashes {
    char grader[DIGEST_BYTES];   // the programs and headers that build, run and judge kernels
    char running[DIGEST_BYTES];  // the runs for the course's exercises: cases, references
    char course[DIGEST_BYTES];   // all of its exercises, with points and thresholds
};

// The hashes of a course, restricted to the graded exercises.  Errors: STATUS_BAD_DATA,
// STATUS_SYSTEM (a file cannot be read).
enum status job_hashes_of(const struct course *course, const struct device_paths *paths,
                          struct job_hashes *ret_hashes, struct error *err);

struct job {
    char key[DIGEST_BYTES];  // identifies the results of this job
    struct seed seed;
    int extension_days_max;  // the longest extension of a student of the class
};

// Errors: STATUS_BAD_USAGE: standard input has no such line.
enum status job_read(struct job *ret_job, struct error *err);

// Checks that everything on which the result depends is as planned: the submission, the course, the
// grader, the compiler, and the options.  grader/class/run/plan.py makes the same key.
// Errors: STATUS_UNAVAILABLE: something has changed.  STATUS_SYSTEM, STATUS_BAD_DATA.
enum status job_check(const struct app *app, const struct judging *judging, const struct job *job,
                      struct error *err);

#endif
