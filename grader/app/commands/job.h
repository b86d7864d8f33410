// One job of a class: a submission that `grade --job` judges as grader/class planned it.
//
// What it must know is read from standard input, because other users of the machine can read a
// command line, and the seed is secret: "KEY SEED DAYS".
#ifndef APP_COMMANDS_JOB_H
#define APP_COMMANDS_JOB_H

#include "app/commands/judging.h"
#include "base/file.h"

struct job_hashes {
    char grader[DIGEST_BYTES];   // the programs and headers that build, run and judge kernels
    char running[DIGEST_BYTES];  // what is run for the course's exercises: cases, references
    char course[DIGEST_BYTES];   // all of its exercises, with points and thresholds
};

// The hashes of a course, narrowed to what is graded.  Errors: STATUS_BAD_DATA, STATUS_SYSTEM (a
// file cannot be read).
enum status job_hashes_of(const struct course *course, const struct device_paths *paths,
                          struct job_hashes *ret_hashes, struct error *err);

struct job {
    char key[DIGEST_BYTES];  // a result with this key is that of this job and of no other
    struct seed seed;
    int extension_days_max;  // the longest extension of a student of the class
};

// Errors: STATUS_BAD_USAGE: standard input has no such line.
enum status job_read(struct job *ret_job, struct error *err);

// Whether everything on which the result depends is as it was planned: the submission, the course,
// the grader, the compiler, and the options.  grader/class/run/plan.py makes the same key.
// Errors: STATUS_UNAVAILABLE: it is not.  STATUS_SYSTEM, STATUS_BAD_DATA.
enum status job_check(const struct app *app, const struct judging *judging, const struct job *job,
                      struct error *err);

#endif
