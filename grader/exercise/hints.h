// Hints: lessons/NNN_name/hints.md.  `## 1 …` is the hint for TODO 1, with three steps:
// `### question`, `### where`, `### pseudocode`.  `## race: …`, or `## race, uninitialized: …`, is
// the hint for these verdicts.  It has one to three of the steps, in this order.
#ifndef EXERCISE_HINTS_H
#define EXERCISE_HINTS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/limits.h"
#include "exercise/ini_file.h"

#define HINT_STEPS 3  // of each hint, at most
#define HINTS_MAX  32

struct hint {
    int line;                              // of its heading
    int todo;                              // its TODO; 0: the hint is for verdicts
    char verdicts[8][NAME_BYTES_MAX / 2];  // their names; "" after the last
    char title[TITLE_BYTES_MAX];
    int step_count;
    const char *steps[HINT_STEPS];  // in the text of struct hints
};

struct hints {
    char *text;
    int todo_count;  // hints for TODOs
    int count;
    struct hint list[HINTS_MAX];
};

// Reads a file of hints.
// Errors: STATUS_BAD_DATA with path:line.  Owns: the caller ends *ret_hints with hints_done.
enum status hints_read(const char *path, struct hints *ret_hints, struct error *err);

// Makes one hint of two steps from the section of a verdict in lessons/verdicts.md: its meaning,
// and what to read and try.  *ret_hints is empty if the page has no such section.
// Errors: STATUS_BAD_DATA.  Owns: as hints_read.
enum status hints_of_page(const char *path, const char *verdict, struct hints *ret_hints,
                          struct error *err);
void hints_done(struct hints *hints);

// The hint for a TODO or a verdict; NULL if there is none.
const struct hint *hint_of_todo(const struct hints *hints, int todo);
const struct hint *hint_of_verdict(const struct hints *hints, const char *verdict);

#endif
