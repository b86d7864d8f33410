// The programs of this project that are written in Python.
#ifndef APP_WATCH_PYTHON_H
#define APP_WATCH_PYTHON_H

#define PYTHON "/usr/bin/python3"

// Runs argv[0] and waits for it; its output goes where that of this program goes.
// Returns  its exit code; -1 if it cannot be started or was ended by a signal.
int python_wait(char *const argv[]);

#endif
