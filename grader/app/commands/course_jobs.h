// The checks of a course as a list of jobs, each with a kernel and its required verdict.  Checks of
// pages: every TODO has its three hints, and no FILL IN is left.
#ifndef APP_COMMANDS_COURSE_JOBS_H
#define APP_COMMANDS_COURSE_JOBS_H

#include <stdbool.h>

#include "app/paths.h"
#include "exercise/exercise.h"
#include "judge/model/judge_options.h"
#include "judge/model/verdict.h"

enum job_kind {
    JOB_REFERENCE,  // passes, without a finding
    JOB_STUB,       // is not_started
    JOB_STUB_RUN,   // the stub with a declaration added: compiles, runs, ends, and does not
                    // pass
    JOB_STUDENT,    // student/name.cu exists, and is the stub
    JOB_WRONG,      // gets the verdict of its first line
    JOB_RIGHT,      // passes, without a finding
    JOB_MUTANT,     // does not pass; skipped if it does not compile
};

// The distinct source lines of a verdict, ascending: two for most races, none if no line is known.
struct job_lines {
    int count;
    int line[2];
};

// The sizes of a kernel in sizes.txt, which are enough for the verdict and lines of a wrong kernel.
struct job_sizes {
    int count;
    struct size size[ONLY_SIZES_MAX];
};

struct course_job {
    enum job_kind kind;
    const struct exercise *exercise;
    char path[PATH_BYTES_MAX];   // of the kernel file; for stubs, of the reference
    char patch[PATH_BYTES_MAX];  // JOB_WRONG: make applies it to get path; empty if there is none
    char label[256];             // "tiled: wrong/no_first_barrier.cu"
    enum verdict expected;       // JOB_WRONG
    bool expects_slow;           // JOB_WRONG: right, but slow
    bool is_open;                // JOB_WRONG: `// expect: ?`, whatever the judge finds
    struct job_lines lines;      // JOB_WRONG: the lines of the mistake
    struct job_sizes sizes;      // JOB_WRONG, JOB_RIGHT; none: it is tried at all sizes
};

struct job_list {
    int count;
    int capacity;
    struct course_job *jobs;
};

// Lists the jobs of the exercises.
// Errors: STATUS_BAD_DATA by path:line: a wrong kernel without its `// expect: verdict` line, or
// sizes of no kernel.
enum status course_jobs_list(const struct course *course, struct job_list *ret_list,
                             struct error *err);

// Writes a verdict and its lines, "race 19 25", into the first line of a wrong kernel and its
// patch; text in parentheses stays.
// Errors: those of file_read and file_write.
enum status course_expectation_write(const struct course_job *job, const char *found,
                                     struct error *err);
void course_jobs_done(struct job_list *list);

// Writes the sizes of the jobs into tests/wrong/EXERCISE/sizes.txt: a line for each wrong kernel
// that has some, `no_barrier 1x1x1 16x16x17`.
enum status course_sizes_write(const struct course *course, const struct job_list *list,
                               struct error *err);

// The results of check-course so far.
struct tally {
    int passed;
    int failed;
    int skipped;
    enum status trouble;  // ours, not the course's
    bool bad_data;        // an exercise.ini or expected.c is wrong
};

// Counts the remaining FILL IN marks of `new` in an exercise.  *ret_first names the first one, by
// path and line; "" if there is none.  A file that cannot be read counts as one.
enum status course_pages_unfinished(const struct places *places, const struct exercise *exercise,
                                    int *ret_count, struct error *ret_first, struct error *err);

// Prints and counts two lines for each exercise: the FILL IN marks that are left, and its hints.
enum status course_pages_prove(const struct places *places, const struct course *course,
                               struct tally *tally, struct error *err);

#endif
