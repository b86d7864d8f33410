// A program of the system, run with the user's own environment: the tools of a scheduler.
#ifndef CLASS_RUN_TOOL_H
#define CLASS_RUN_TOOL_H

#include "base/error.h"

#define TOOL_SAID_BYTES 4096

// Runs words[0], found in PATH, and waits for its end.  TMPDIR is left out, because it is the
// folder of this run.
//
// Returns  *ret_code: its exit code; 128 + signal.  ret_said: what it has printed on both streams,
//          cut.
// Errors   STATUS_UNAVAILABLE: there is no such program.  STATUS_SYSTEM.
enum status class_tool_run(char *const *words, int *ret_code, char ret_said[TOOL_SAID_BYTES],
                           struct error *err);

#endif
