// How a function reports that it could not do its work.
//
// These are failures of *our program* or its environment, never of a student's kernel: a wrong
// kernel is an ordinary value (enum verdict).  A function that can fail returns enum status, takes
// struct error *err last, writes its ret_ parameters only on success, and never prints.
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "base/limits.h"

enum status {
    STATUS_OK = 0,
    STATUS_BAD_USAGE,    // the command line is wrong: exit code 2
    STATUS_BAD_DATA,     // a file of the course is wrong: exit code 2
    STATUS_NO_MEMORY,    // exit code 3
    STATUS_SYSTEM,       // a system call, a program or the disk failed: exit code 3
    STATUS_UNAVAILABLE,  // this machine lacks what was asked for: exit code 3
};

// One line for a person: the place, the thing and, if there is one, the remedy.
struct error {
    char text[ERROR_TEXT_MAX];   // in the chosen language
    char words[ERROR_TEXT_MAX];  // the same as data (base/words.h), for a result that stores it
};

// Writes the message into err (which may be NULL) and returns status, for `return fail(...)`.
// A message that is too long is cut; control characters become '?'.
enum status fail(struct error *err, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// As fail, with ": <text of errno>" at the end.  Reads errno before it does anything else.
enum status fail_errno(struct error *err, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Returns STATUS_SYSTEM if errno means that the machine lacks resources or is broken; else
// `status`, which says whose fault an absent or refused file is.
enum status status_of_errno(enum status status);

// The exit code of the program for a status: 0, 2 or 3 (see enum status).
int status_exit_code(enum status status);

#endif
