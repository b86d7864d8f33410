// What `watch` knows while it runs.
#ifndef APP_WATCH_STATE_H
#define APP_WATCH_STATE_H

#include "app/commands/command.h"
#include "app/watch/errand.h"
#include "app/watch/page.h"
#include "app/watch/saves.h"
#include "app/watch/screen.h"

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
    size_t next_at;                     // where what comes next begins in it
    char *aside;                        // hints, the list or help, shown instead; NULL: none
    bool hints;                         // they are hints
    char message[MESSAGE_MAX];          // about the last run
    char notice[MESSAGE_MAX];           // about the last key; "": none …
    uint64_t notice_ms;                 // … and when it was pressed
    int from;                           // first line that is shown
    bool asks;                          // whether to reset
    char typed[FOLDER_DIGITS_MAX + 1];  // the number of an exercise, so far …
    uint64_t typed_ms;                  // … and when its last digit came
    bool quits;
    int signal;  // that ends the program; 0: none
};

const struct exercise *exercise_now(const struct watch *watch);

// How the text of an errand will be shown.
struct errand_manner manner_of(const struct watch *watch, bool scratch);

// Texts that are owned.  Without memory, an append changes nothing.
void text_replace(char **text, char *with);
void text_append(char **text, const char *more);

// Writes text as it comes, if the screen is a stream.
void stream_say(const struct watch *watch, const char *text);

#endif
