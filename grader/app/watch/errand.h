// A command that runs next to the one that watches: a process of its own, which can be cut short,
// and whose output is kept until it ends.
#ifndef APP_WATCH_ERRAND_H
#define APP_WATCH_ERRAND_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "app/commands/command.h"

struct errand {
    pid_t pid;        // 0: none runs
    int out, errors;  // what it has written
    uint64_t begun_ms;
};

#define ERRAND_NONE ((struct errand){.out = -1, .errors = -1})

// How the output will be shown, and what the process needs.
struct errand_manner {
    int columns;
    bool colors;
    bool keys;     // those of `watch`
    bool scratch;  // a folder for temporary files
};

// Begins `body`, whose output is text for a terminal of that manner.  The process and all that it
// starts end when this program ends in any way.
// Errors: STATUS_SYSTEM.
enum status errand_start(const struct app *app, command_body *body, struct errand_manner manner,
                         struct errand *errand, struct error *err);

// Ends it, with all that it has started and with its temporary files.  Nothing if none runs.
void errand_stop(struct errand *errand);

// True if it has ended: *ret_code is its exit code, *ret_text what it has written, and with an exit
// code of 2 or more also why.
// Owns: the caller frees *ret_text, which is NULL without memory.
bool errand_ended(struct errand *errand, int *ret_code, char **ret_text);

// Runs `body` and waits for it.
enum status errand_run(const struct app *app, command_body *body, struct errand_manner manner,
                       int *ret_code, char **ret_text, struct error *err);

#endif
