// Grades on this machine: one process for each submission, several at a time.
//
// Each process judges by itself (`tilegrade class-job`), so one that crashes, is killed or does not
// end for a while costs no other submission anything.  Its state is its files (outcome.h).
#ifndef CLASS_RUN_POOL_H
#define CLASS_RUN_POOL_H

#include "class/run/outcome.h"

#define POOL_JOBS_MAX 256

// How far a run is.
struct class_progress {
    int total;    // jobs of the class
    int done;     // with a result, from earlier runs too
    int earlier;  // done before this run
    int failed;   // given up in this run
    int running;
    uint64_t elapsed_ms;
};

struct class_pool {
    const char *out;
    const struct class_plan *plan;
    char *const *command;  // the words of a job's command line, without the pseudonym at its end
    int jobs;              // at a time
    void *context;
    void (*told)(void *context, const struct class_progress *progress);  // every second or so
};

// Jobs at a time for this machine: one for each processor, but not more than memory has room for
// if every kernel takes all that it may.  *ret_room: how many memory alone would allow.  `gpu`:
// they also use a GPU.
int class_pool_size(bool gpu, int *ret_room);

// Runs every job whose outcome is not done, and notes the outcomes of all in `outcomes`
// [job_count].  A job that is killed, or whose grader fails, is tried once more, after the others.
//
// Errors   STATUS_SYSTEM: no process can be started, or so many jobs failed in a row that the
//          machine must be at fault; the message has the last reason.  Results so far are kept.
enum status class_pool_run(const struct class_pool *pool, struct class_outcome *outcomes,
                           struct error *err);

#endif
