// Runs a whole program on the CPU device: the program in the sandbox, with the terminal as its own,
// and its findings, explained.
#ifndef JUDGE_RUN_PROGRAM_RUN_H
#define JUDGE_RUN_PROGRAM_RUN_H

#include "judge/compile/program_build.h"
#include "judge/model/judged_finding.h"
#include "judge/submission/submission.h"

struct program_result {
    struct finding_list findings;  // in the order in which they were seen
    int exit_code;                 // of the program; 128 + n: ended by signal n
    bool was_lost;                 // it ended without a word of ours, as by abort()
    int files_written;             // by the program; they are not kept
    bool wrote_too_much;           // so it was ended
};

// Runs a program that run_build_program has built.
//
// folder    it works in a copy of this folder, made of links to its files, and may write there.
// argument  its arguments, after its name; ends in NULL.
// source    the text of its first file, for the lines of findings.
// Errors    STATUS_SYSTEM, STATUS_UNAVAILABLE: it could not be started or watched.
enum status program_run(const struct run_program *program, const char *folder,
                        char *const *argument, const struct submitted *source,
                        struct program_result *ret_result, struct error *err);

#endif
