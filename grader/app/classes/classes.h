// What the commands for a class share.
#ifndef APP_CLASSES_CLASSES_H
#define APP_CLASSES_CLASSES_H

#include "app/commands/commands.h"
#include "app/terminal/roll.h"
#include "class/run/outcome.h"

#define CLASS_WORDS_MAX 16

// The command line of a job, without the name of the job, which comes last.
struct class_words {
    char text[CLASS_WORDS_MAX][PATH_BYTES_MAX];
    char *word[CLASS_WORDS_MAX + 1];
};

// What was chosen on the command line, as a plan holds it.
void class_choice_of(const struct app *app, struct class_choice *ret_choice);

// `tilegrade COMMAND --out=OUT …` with the course and the choices of this command line.
enum status class_words_make(const struct app *app, const char *command, const char *out,
                             struct class_words *words, struct error *err);

// Counts the references before several jobs begin together, which would each count them.  What
// cannot be counted here is left to the jobs, who tell why.
void class_references_count(const struct app *app, const char *out, const struct class_plan *plan,
                            struct roll *roll);

// The plan of OUT and the state of each job.
//
// Owns     the caller ends with class_plan_done and frees *ret_outcomes.
enum status class_state_read(const char *out, struct class_plan *ret_plan,
                             struct class_outcome **ret_outcomes, struct error *err);

// The absolute path of a folder, with no link in it.
enum status class_path_find(const char *path, char ret_path[PATH_BYTES_MAX], struct error *err);

// `tilegrade regrade` for the folder of a class, options->result.
enum status class_regrade(const struct app *app, enum exit_code *ret_code, struct error *err);

#endif
