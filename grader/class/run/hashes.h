// What a grade depends on, as hashes: the grader, the course, and what only its points depend on.
#ifndef CLASS_RUN_HASHES_H
#define CLASS_RUN_HASHES_H

#include "base/file.h"
#include "base/random.h"

struct course;
struct device_paths;

struct class_hashes {
    char grader[DIGEST_BYTES];   // the programs and headers that build, run and judge kernels
    char running[DIGEST_BYTES];  // what is run for the course's exercises: cases, references
    char course[DIGEST_BYTES];   // all of its exercises, with points and thresholds
};

// The hashes of a course, narrowed to what is graded.  Errors: STATUS_BAD_DATA, STATUS_SYSTEM (a
// file cannot be read), STATUS_NO_MEMORY.
enum status class_hashes_of(const struct course *course, const struct device_paths *paths,
                            struct class_hashes *ret_hashes, struct error *err);

// The hash over names and bytes of the files in a folder.
enum status class_submission_hash(const char *folder, char ret_hex[DIGEST_BYTES],
                                  struct error *err);

// One hash for one job.  A result with this hash is that of this job and of no other.
//
// Units    `where` is what else was chosen, such as the device, as a text.
void class_job_key(const struct class_hashes *hashes, const char *submission, const char *seed,
                   const char *where, char ret_key[DIGEST_BYTES]);

#endif
