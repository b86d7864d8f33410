// What `watch` lets other processes do: judge the exercise, and compare it with the reference.
#ifndef APP_WATCH_VERDICT_H
#define APP_WATCH_VERDICT_H

#include "app/commands/command.h"

// Judges app->course, one exercise, as `make test` does, and prints its block.
command_body verdict_judge;

// Counts the work of an exercise that passes, and prints it next to the reference's.  Prints
// nothing if there is no reference to compare with.
command_body verdict_compare;

#endif
