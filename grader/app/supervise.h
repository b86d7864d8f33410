// Removes temporary folders, however a command ends.
#ifndef APP_SUPERVISE_H
#define APP_SUPERVISE_H

#include "base/error.h"

// Forks: returns in the child, whose TMPDIR is a new folder that only this run uses.  The
// parent waits for it, passes signals on, removes the folder and ends the program with the child's
// exit code, or with the line `interrupted` and 128 + the signal that ended the run.  Folders that
// a killed run left behind are removed too.
// Errors (in the program itself): STATUS_SYSTEM.
enum status supervise(const char *interrupted, struct error *err);

#endif
