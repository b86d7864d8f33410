// Is there anything to grade in a folder?
#ifndef APP_COMMANDS_HANDED_IN_H
#define APP_COMMANDS_HANDED_IN_H

#include "base/error.h"
#include "exercise/exercise.h"

// Looks for the kernel files of the course at the top of the folder, which is open; `shown` is its
// name for people.
//
// Errors   STATUS_BAD_USAGE: there is none.  The message says what is there instead, and if it
//          looks like a class.
enum status handed_in_check(int folder, const char *shown, const struct course *course,
                            struct error *err);

#endif
