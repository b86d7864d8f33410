// Grades on a cluster: one array job of Slurm, whose tasks are the jobs of a plan.
//
// The scheduler is Slurm's.  Here only its batch script is written, and its jobs are waited for.
// The state is that of a run on one machine: the files of each job, on a file system that all nodes
// share.  A task that runs twice does no harm, so Slurm may requeue.
#ifndef CLASS_RUN_SLURM_H
#define CLASS_RUN_SLURM_H

#include "class/run/pool.h"

#define SLURM_ID_BYTES 32

struct class_slurm {
    const char *out;
    const struct class_plan *plan;
    char *const *job_command;      // without the name of the job, which comes last
    char *const *collect_command;  // when all tasks are over
    const char *head;  // a file of #SBATCH lines, and of commands before a task; or NULL
    int jobs;          // tasks at a time; 0: as many as Slurm gives
    bool gpu;          // each task needs one
    void *context;
    void (*told)(void *context, const struct class_progress *progress);  // every few seconds
};

// Submits the jobs that are not done, waits until Slurm has run them, and reads the outcomes.  An
// array of an earlier run that is still queued is waited for first.
//
// Errors   STATUS_UNAVAILABLE: there is no sbatch here, or it refuses; the message has its reason.
//          STATUS_BAD_DATA: the head.  STATUS_SYSTEM.
enum status class_slurm_run(const struct class_slurm *slurm, struct class_outcome *outcomes,
                            struct error *err);

// The number of an array of Slurm in what sbatch --parsable has printed; false if there is none.
bool class_slurm_number(const char *said, char ret_number[SLURM_ID_BYTES]);

#endif
