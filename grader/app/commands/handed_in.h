// What is handed in, and whether there is any of it in a folder.
#ifndef APP_COMMANDS_HANDED_IN_H
#define APP_COMMANDS_HANDED_IN_H

#include "base/error.h"
#include "exercise/exercise.h"

#define HANDED_IN_BYTES (NAME_BYTES_MAX + 4)  // of the name of a file

// The files that are wanted: a kernel for each exercise, and if they bring points answers.ini and
// the repaired kernels.
int handed_in_count(const struct course *course);
void handed_in_name(const struct course *course, int file, char name[HANDED_IN_BYTES]);

// Looks for the kernel files of the course at the top of the folder, which is open; `shown` is its
// name for people.
//
// Errors   STATUS_BAD_USAGE: there is none.  The message says what is there instead, and if it
//          looks like a class.
enum status handed_in_check(int folder, const char *shown, const struct course *course,
                            struct error *err);

#endif
