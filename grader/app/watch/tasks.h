// The state of `watch` while it runs, and the work that it leaves to other processes: judging the
// watched exercise, and then comparing it with the reference.  Each is an errand: a command in a
// process of its own, which can be cut short, and whose output is kept until it ends.
#ifndef APP_WATCH_TASKS_H
#define APP_WATCH_TASKS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "app/commands/commands.h"
#include "app/watch/page.h"
#include "app/watch/screen.h"

struct errand {
    pid_t pid;        // 0: none runs
    int out, errors;  // its output
    uint64_t begun_ms;
};

#define ERRAND_NONE ((struct errand){.out = -1, .errors = -1})

// The style of the output, and the needs of the process.
struct errand_manner {
    int columns;
    bool colors;
    bool keys;     // those of `watch`
    bool scratch;  // a folder for temporary files
    bool direct;   // its output goes to this program's, as it is
};

// Ends it, with all that it has started and with its temporary files.  Nothing if none runs.
void errand_stop(struct errand *errand);

// Runs `body` and waits for it.
enum status errand_run(const struct app *app, command_body *body, struct errand_manner manner,
                       int *ret_code, char **ret_text, struct error *err);

// Judges app->course, one exercise, as `make test` does, and prints its block.
command_body verdict_judge;

// Counts the work of an exercise that passes, and prints it next to the reference's.  Prints
// nothing if there is no reference to compare with.
command_body verdict_compare;

#define MESSAGE_MAX 400

enum task { TASK_NONE, TASK_JUDGE, TASK_COMPARE };

struct watch {
    const struct app *app;
    struct screen screen;
    struct saves saves;
    struct errand errand;
    struct page_server page;
    enum task task;
    struct course *course;              // one exercise, which is judged
    int current;                        // its place in the whole course
    int64_t due_ms;                     // when to judge; 0: nothing was saved
    char *verdict;                      // text of the last judgement; NULL: none yet
    size_t next_at;                     // the place in it where the next part begins
    char *aside;                        // hints, the list or help, shown instead; NULL: none
    bool hints;                         // they are hints
    char message[MESSAGE_MAX];          // about the last run
    char notice[MESSAGE_MAX];           // about the last key; "": none
    uint64_t notice_ms;                 // the time when the key was pressed
    int from;                           // first line that is shown
    bool asks;                          // whether to reset
    char typed[FOLDER_DIGITS_MAX + 1];  // the digits of an exercise's number so far
    uint64_t typed_ms;                  // the time of its last digit
    bool quits;
    int signal;  // that ends the program; 0: none
};

const struct exercise *exercise_now(const struct watch *watch);

// The style of an errand's text.
struct errand_manner manner_of(const struct watch *watch, bool scratch);

// Texts that are owned.  Without memory, an append changes nothing.
void text_replace(char **text, char *with);
void text_append(char **text, const char *more);

// True if a program (FILE=) is watched, and no exercise.
bool watch_has_program(const struct watch *watch);

// Writes text as it comes, if the screen is a stream.
void stream_say(const struct watch *watch, const char *text);

// Judges the current exercise from the beginning, ending any running errand.
enum status judge_begin(struct watch *watch, struct error *err);

// The place of the exercise that the key n goes to: after a pass the next one that has not passed,
// else the next in order, which may be past the last one.
int next_place(const struct watch *watch);

// Takes the result of an errand that has ended: the verdict, or the comparison.
enum status errand_look(struct watch *watch, struct error *err);

#endif
