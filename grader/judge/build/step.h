// The steps of a build, commands that read what a student wrote: run in the sandbox within limits.
#ifndef JUDGE_BUILD_STEP_H
#define JUDGE_BUILD_STEP_H

#include "judge/build/program.h"

#define RUN_STEP_MEMORY_BYTES (2ull << 30)  // address space for each process of a step

// How a step ended.
struct run_step_end {
    int exit_code;
    char *output;         // owned
    const char *text;     // a sentence for the student if a limit ended it, else NULL
    uint64_t peak_bytes;  // the most memory that one of its programs held
};

// Runs a step in the folder of the program.  A step that fails, or reaches a limit that the file
// can be blamed for, is not an error: *ret_end says so.
// Errors   STATUS_UNAVAILABLE (no such program), STATUS_NO_MEMORY, STATUS_SYSTEM, which includes a
// step that reaches the wall-clock limit.
// Owns     the caller frees ret_end->output.
enum status run_step(const struct build_step *step, const struct run_program *program,
                     struct run_step_end *ret_end, struct error *err);

// The results of the steps of a build.
struct run_steps {
    int exit_codes[BUILD_STEPS_MAX];  // -1: not run
    char *outputs[BUILD_STEPS_MAX];   // owned
    int run;                          // how many steps ran
    const char *text;     // for the author of the file, if a limit ended the last step; else NULL
    uint64_t peak_bytes;  // of the last step
};

// Runs the steps up to the first that fails.  If the machine has a cache, a build of the same text
// is taken from it instead, and one that succeeds is stored there.
// Errors   those of run_step and build_cache_key.
// Owns     the caller ends *ret_steps with run_steps_done, also after an error.
enum status run_steps(const struct build_plan *plan, const struct run_program *program,
                      struct text text, struct run_steps *ret_steps, struct error *err);
void run_steps_done(struct run_steps *steps);

#endif
