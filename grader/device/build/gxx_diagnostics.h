// The messages of g++ about a student's file, as text that a student can use.
#ifndef DEVICE_BUILD_GXX_DIAGNOSTICS_H
#define DEVICE_BUILD_GXX_DIAGNOSTICS_H

#include <stdbool.h>

#include "device/source/fault.h"

#define DIAGNOSTIC_LINES_MAX 40

// The messages as shown: the student's own file name, no paths of ours, all warnings, or only
// errors if there are any, at most DIAGNOSTIC_LINES_MAX lines.  Messages about a file that is
// neither the student's nor ours are left out, as they would quote it. Errors: STATUS_NO_MEMORY.
// Owns: the caller frees *ret_text.
enum status diagnostics_show(const char *output, const char *kernel, char **ret_text,
                             struct error *err);

// From messages as shown, only the warnings about variables that are used before they have a value,
// at most DIAGNOSTIC_LINES_MAX lines.  No checker sees such a use if the variable is in a register.
// "" if there are none. Errors: STATUS_NO_MEMORY.
// Owns: the caller frees *ret_text.
enum status diagnostics_uninitialized(const char *shown, char **ret_text, struct error *err);

// A variable that is read before it has a value; or a barrier that is not a call, `__syncthreads;`.
struct unset_variable {
    char name[64];
    int line, column;
    bool is_certain;  // the kernel itself always reads it unset; else it may be a false positive
    bool is_no_call;
};

// Reads such variables from messages as shown, at most max.  Returns their number.
int diagnostics_unset(const char *shown, const char *kernel, struct unset_variable *list, int max);

#endif
