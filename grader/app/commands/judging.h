// Running the judge for a command: device, seed, folders and progress; and `test`, for the commands
// that show its result in their own way.
#ifndef APP_COMMANDS_JUDGING_H
#define APP_COMMANDS_JUDGING_H

#include <stdio.h>

#include "app/commands/commands.h"
#include "app/terminal/progress.h"
#include "judge/expected/expected_program.h"
#include "judge/model/judge_options.h"
#include "judge/model/judgement.h"
#include "judge/run/gpu_lease.h"

// The seed of all tests and of check-course, so that two students who compare notes, and the author
// of an exercise, see the same case.
#define PUBLIC_SEED ((struct seed){{0, 0x7117}})

// The judge as a command calls it.  Initialise it to JUDGING_CLOSED, and do not move it: parts of
// it point to others.
struct judging {
    struct judge_options options;  // borrows the rest
    struct sandbox *sandbox;
    struct expected_store expected;
    struct gpu_lease lease;
    struct progress progress;
    char counts[PATH_BYTES_MAX];      // the folder of the references' counts
    char submission[PATH_BYTES_MAX];  // a folder or a package, as people name it
};

#define JUDGING_CLOSED ((struct judging){.options = {.submission = -1}})

// Prepares to judge `submission` (NULL: the one on the command line, else the course's student
// folder) on the requested devices that this machine has; without speed, all exercises, seed 0.
// Reports on `notice` (may be NULL) which devices are used and why.
//
// Errors: STATUS_UNAVAILABLE: a GPU is requested and there is none; the sandbox is too weak.
// Owns: the caller ends with judging_close, after an error too.
enum status judging_open(const struct app *app, const char *submission, FILE *notice,
                         struct judging *judging, struct error *err);
void judging_close(struct judging *judging);

// The part of it that builds programs: the compiler and the sandbox.  Errors and ownership as
// above.
enum status judging_machine_open(const struct app *app, struct judging *judging, struct error *err);

// Judges, with progress on stderr (progress.h).
enum status judging_run(const struct app *app, struct judging *judging,
                        struct judgement **ret_judgement, struct error *err);

// Makes the folder for results (the one on the command line, else `otherwise` in the course) and
// checks that a result can be written there, before the judge spends its time.
enum status judging_out_make(const struct app *app, const char *otherwise,
                             char ret_out[PATH_BYTES_MAX], struct error *err);

// Prints a judgement for the student.
typedef void test_print(const struct app *app, const struct judgement *judgement);

// Judges with public inputs, as `make test` does; writes the result, keeps the verdicts, and calls
// `print`.  Needs a folder for temporary files (supervise.h).
enum status test_run(const struct app *app, test_print *print, enum exit_code *ret_code,
                     struct error *err);

// The files to hand in: a kernel for each exercise and, if they give points, answers.ini and the
// repaired kernels.
#define HANDED_IN_BYTES (NAME_BYTES_MAX + 4)  // of the name of a file
int handed_in_count(const struct course *course);
void handed_in_name(const struct course *course, int file, char name[HANDED_IN_BYTES]);

#endif
