// The progress of the judge, for people who wait: one line that is overwritten on a terminal, or an
// occasional line in a log.
#ifndef APP_TERMINAL_PROGRESS_H
#define APP_TERMINAL_PROGRESS_H

#include <stdio.h>

#include "judge/model/judge_options.h"

#define PROGRESS_TEXT_MAX 80  // bytes, with the final NUL: one line of a terminal

struct progress {
    FILE *out;  // NULL: nothing is printed
    bool is_terminal;
    int exercise_count;
    bool has_speed;                   // speed is measured after the cases
    const struct exercise *exercise;  // the exercise being judged
    int exercises_done;               // exercises before it
    double share;                     // of all work, as last printed; it never decreases
    uint64_t began_ms, told_ms;
};

void progress_begin(struct progress *progress, FILE *out, int exercise_count, bool has_speed);

// Notes a step, and prints it if a print is due.
void progress_step(struct progress *progress, const struct exercise *exercise,
                   enum judge_stage stage, int done, int total);

// Makes room for other text on the terminal.
void progress_clear(const struct progress *progress);

// The share of all work that is done, from 0 to 1.  An exercise's speed counts as more work than
// its cases.
double progress_share(const struct progress *progress, enum judge_stage stage, int done, int total);

// "about 2 min left"; "" while it is too early, or only a moment is left.
//
// Units  milliseconds since the beginning.
void progress_left(uint64_t elapsed_ms, double share, char text[PROGRESS_TEXT_MAX]);

#endif
