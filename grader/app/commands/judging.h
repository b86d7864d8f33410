// Running the judge for a command: device, seed, folders and progress.
#ifndef APP_COMMANDS_JUDGING_H
#define APP_COMMANDS_JUDGING_H

#include <stdio.h>

#include "app/command.h"
#include "judge/model/judgement.h"
#include "judge/model/options.h"

// The seed of everybody's tests and of the course's proofs, so that two students who talk see the
// same case, and the author of an exercise sees it too.
#define PUBLIC_SEED ((struct seed){{0, 0x7117}})

// Fills options for a run over `submission`, a folder or a package, whose files then lie in
// ret_folder, to which the options point: the paths, the devices that are asked for
// and there, no speed, all exercises, seed 0.  Says on `notice` (may be NULL) which devices are
// used and why. Errors: STATUS_UNAVAILABLE: a GPU is asked for and there is none; the
// sandbox is too weak.  Owns: the caller ends with judging_done.
enum status judging_prepare(const struct app *app, const char *submission, FILE *notice,
                            char ret_folder[PATH_BYTES_MAX], struct judge_options *ret_options,
                            struct error *err);
void judging_done(struct judge_options *options);

// From here on the judge tells on stderr how far it is (progress.h); for options that are ready but
// for this.
void judging_progress_begin(const struct app *app, struct judge_options *judge);
void judging_progress_end(void);

// Makes the folder and sees that a result can be written there, before the judge spends its time.
// `asked`: it was named on the command line.
enum status judging_out_make(const char *out, bool asked, struct error *err);

// Writes OUT/result.json whole.
enum status judging_result_write(const struct judgement *judgement, const char *out,
                                 struct error *err);

// True where there is nothing in the result but what this machine could not judge.
bool judging_nothing_graded(const struct judgement *judgement);

#endif
