// Hints: lessons/NN_name/hints.md.  `## 1 …` is the hint for TODO 1, with three steps:
// `### question`, `### where`, `### pseudocode`.
#ifndef EXERCISE_HINTS_H
#define EXERCISE_HINTS_H

#include "base/error.h"

#define HINT_STEPS 3  // of each hint

// The text of step `step` (0-based, over all TODOs in order), and how many there are.
// Errors: STATUS_BAD_DATA with path:line.  Owns: the caller frees *ret_text.
enum status hint_read(const char *path, int step, char **ret_text, int *ret_count,
                      struct error *err);

#endif
