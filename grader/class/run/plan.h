// What is to be graded: the input of every job, on this machine or another one.
//
// A plan knows no student by name.  class.json (book.h) says who has which pseudonym.
#ifndef CLASS_RUN_PLAN_H
#define CLASS_RUN_PLAN_H

#include "class/run/hashes.h"
#include "class/seed.h"
#include "exercise/assignment.h"

#define PLAN_SCHEMA     "tilegrade/plan/v1"
#define PLAN_JOBS_MAX   20000
#define PLAN_TEXT_BYTES 64

// One submission.  Its files are OUT/jobs/PSEUDONYM/submission.
struct class_job {
    char pseudonym[PSEUDONYM_BYTES];
    char submission[DIGEST_BYTES];  // class_submission_hash
    char seed[SEED_TEXT_BYTES];
    char key[DIGEST_BYTES];  // class_job_key
};

// How kernels are judged: names as on the command line, "" if none was given.
struct class_choice {
    char assignment[NAME_BYTES_MAX];
    char exercises[ERROR_TEXT_MAX];
    char device[PLAN_TEXT_BYTES];
    char card[PLAN_TEXT_BYTES];
    char sandbox[PLAN_TEXT_BYTES];
};

struct class_plan {
    char grader_version[PLAN_TEXT_BYTES];
    int64_t written_at;      // when this run began
    int extension_days_max;  // the longest extension of a student
    struct class_choice choice;
    struct class_hashes hashes;
    int job_count;
    struct class_job *jobs;  // owned
};

// Writes OUT/plan.json whole.
enum status class_plan_write(const char *out, const struct class_plan *plan, struct error *err);

// Errors: STATUS_BAD_DATA: it is not there, or not a plan.  Owns: the caller ends with
// class_plan_done.
enum status class_plan_read(const char *out, struct class_plan *ret_plan, struct error *err);
void class_plan_done(struct class_plan *plan);

// The job with that pseudonym, or NULL.
const struct class_job *class_plan_find(const struct class_plan *plan, const char *pseudonym);

// Fills in the key of a job from its other members.
void class_plan_key(const struct class_plan *plan, struct class_job *job);

#endif
