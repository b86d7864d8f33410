// A class on a terminal: how far a run is, and what became of each student.
#ifndef APP_TERMINAL_ROLL_H
#define APP_TERMINAL_ROLL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "class/run/book.h"
#include "class/run/pool.h"

// One line that is overwritten on a terminal, or an occasional line in a log.
struct roll {
    FILE *out;  // NULL: nothing is printed
    bool is_terminal;
    uint64_t told_ms;
};

struct roll roll_of(FILE *out);

// A sentence of warning, on the error stream.
void roll_note(const char *text);

// What was found, how much of it is to be graded, and with how many jobs at a time (0: not here).
// `room`: how many jobs memory allows; 0 if that was not asked.
void roll_begin(const char *said, int total, int earlier, int jobs, int room);

void roll_reading(struct roll *roll, int done, int total);
void roll_counting(struct roll *roll, int done, int total);
void roll_progress(struct roll *roll, const struct class_progress *progress);

// Makes room for other text on the terminal.
void roll_clear(const struct roll *roll);

// How many students are in which state.  With `names`, also who has no grade, and why.
void roll_summary(const json_t *book, const struct class_counts *counts, bool names);

#endif
