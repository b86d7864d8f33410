// A search for the change of expected.c that gives what a launch gave.
#ifndef JUDGE_EXPECTED_TRYING_H
#define JUDGE_EXPECTED_TRYING_H

#include "judge/expected/seen.h"

#define TRYING_LINE_BYTES (PATH_BYTES_MAX + 16)

struct trying {
    const struct output_seen *seen;
    struct expected_arguments arguments;
    struct expected_trial found;  // the sites
    struct expected_trial trial;  // of the next call
    struct agreement agreement;   // of the last call that gave every element
    uint64_t calls_max;           // that are left; after the last one, nothing is said
};

// True for a site that adds up terms, or takes the largest of them.
bool trying_adds_up(const struct expected_site *site);

// Begins a trial that changes a site.
void trying_begin(struct trying *trying, enum expected_way way, int where);
// Runs it; true if it gives every element of the output.
bool trying_call_fits(struct trying *trying);

// "lessons/250_softmax/expected.c:13"
void trying_line(const struct trying *trying, int where, char text[TRYING_LINE_BYTES]);

// Which sum is wrong, if everything else is right (EXPLAINED_ALL_TERMS), and which of its terms it
// has (EXPLAINED_TERMS)?  The text is "" if nothing fits, or more than one sum.
// Errors  STATUS_NO_MEMORY.
enum status trying_sums(struct trying *trying, enum explained *ret_explained, char *text,
                        size_t bytes, struct error *err);

#endif
