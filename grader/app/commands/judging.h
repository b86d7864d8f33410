// Running the judge for a command: device, seed, folders and progress.
#ifndef APP_COMMANDS_JUDGING_H
#define APP_COMMANDS_JUDGING_H

#include <stdio.h>

#include "app/commands/command.h"
#include "app/progress.h"
#include "judge/model/judgement.h"
#include "judge/model/options.h"

// The seed of everybody's tests and of the course's proofs, so that two students who talk see the
// same case, and the author of an exercise sees it too.
#define PUBLIC_SEED ((struct seed){{0, 0x7117}})

// The judge as a command calls it.  Made as {0}; it stays where it is, because parts of it point to
// others.
struct judging {
    struct judge_options options;  // borrows the rest
    struct sandbox *sandbox;
    struct progress progress;
    char submission[PATH_BYTES_MAX];  // a folder or a package, as people name it
    char folder[PATH_BYTES_MAX];      // with its kernel files
};

// Gets ready to judge `submission` (NULL: what the command line names, else the course's student
// folder) with the devices that are asked for and there; no speed, all exercises, seed 0.  Says on
// `notice` (may be NULL) which devices are used and why.
//
// Errors: STATUS_UNAVAILABLE: a GPU is asked for and there is none; the sandbox is too weak.
// Owns: the caller ends with judging_close, after an error too.
enum status judging_open(const struct app *app, const char *submission, FILE *notice,
                         struct judging *judging, struct error *err);
void judging_close(struct judging *judging);

// Judges, and tells on stderr how far it is (progress.h).
enum status judging_run(const struct app *app, struct judging *judging,
                        struct judgement **ret_judgement, struct error *err);

// Makes the folder for results (the one on the command line, else `otherwise` in the course) and
// sees that a result can be written there, before the judge spends its time.
enum status judging_out_make(const struct app *app, const char *otherwise,
                             char ret_out[PATH_BYTES_MAX], struct error *err);

// Writes OUT/result.json whole.
enum status judging_result_write(const struct judgement *judgement, const char *out,
                                 struct error *err);

// True where there is nothing in the result but what this machine could not judge.
bool judging_nothing_graded(const struct judgement *judgement);

#endif
