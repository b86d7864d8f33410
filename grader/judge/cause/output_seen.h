// A description of a wrong output: which elements are wrong, and what they hold instead.
#ifndef JUDGE_CAUSE_OUTPUT_SEEN_H
#define JUDGE_CAUSE_OUTPUT_SEEN_H

#include "judge/cause/matmul_cause.h"
#include "judge/expected/expected_case.h"

#define EXPECTED_TEXT_MAX 512

// One output after a launch, compared whole.
struct output_seen {
    const struct expected_case *made;
    int parameter;
    const struct parameter *declared;
    const void *values;  // after the launch
    uint8_t *state;      // [elements], enum element_state
    uint64_t elements;
    uint64_t wrong;    // elements that are wrong or unwritten
    uint64_t sampled;  // elements that were compared
    uint64_t first;    // the first wrong one …
    uint64_t last;     // … and the last
};

#define AGREEMENT_KEYS    64
#define AGREEMENT_SEVERAL 3

// How strong the evidence is if a call gives every element: elements that are wrong by the same
// amount or factor count once.
struct agreement {
    double bits;   // by which the wrong elements agree better than any value near the right one
    bool several;  // at least AGREEMENT_SEVERAL agree
    int count;
    double key[AGREEMENT_KEYS];
};

static inline bool seen_is_wrong(const struct output_seen *seen, uint64_t element) {
    return seen->state[element] == ELEMENT_WRONG || seen->state[element] == ELEMENT_UNWRITTEN;
}

static inline double seen_got(const struct output_seen *seen, uint64_t element) {
    return draw_value(seen->declared->element, seen->values, element);
}

static inline double seen_want(const struct output_seen *seen, uint64_t element) {
    double bound = 0;
    return expected_want(seen->made, seen->parameter, element, &bound);
}

// "y[99]" or "image[3][7]".
void seen_place(const struct output_seen *seen, uint64_t element, char *text, size_t bytes);

// Which elements: "all of y", "the last element alone", "y[256] and all after it", "the last of
// each 32 elements", "columns 64 to 66", else "12 of 2211 elements".
void seen_which(const struct output_seen *seen, char *text, size_t bytes);

// What each wrong element holds instead: zero, a value of another place or of an input, its own
// value times or plus a number, a sum that does not go far enough.  It was checked for every wrong
// element.  EXPLAINED_NOTHING with "" if nothing fits.
enum explained seen_held(const struct output_seen *seen, char *text, size_t bytes);

// True if what an output held before the launch went into each wrong element.
bool seen_is_of_old_value(const struct output_seen *seen);

// Finds an operand that is left out, by calling expected.c with fewer elements or with some of the
// inputs set to 0: the result must be that of the launch in every element.
// Errors  STATUS_NO_MEMORY.  A call that fails explains nothing.
enum status seen_missing(const struct output_seen *seen, enum explained *ret_explained, char *text,
                         size_t bytes, struct error *err);

// True if a call with these arguments gives what is in the output, in every element.
bool seen_agrees(const struct output_seen *seen, const struct expected_arguments *arguments,
                 struct agreement *ret_agreement);

// True if the inputs have so many values that two ways to compute an output differ: with 1 and -1
// alone, a product and a quotient are the same.
bool seen_tells_apart(const struct output_seen *seen);

// Finds an input whose elements were read in another order, or from places further on.  If not,
// leaves both as they are.
// Errors  STATUS_NO_MEMORY.
enum status seen_arranged(const struct output_seen *seen, enum explained *ret_explained, char *text,
                          size_t bytes, struct error *err);

// Finds an operation of expected.c that was not done, or was another one, or whose terms were not
// all used, by running it with such a change: the result must be that of the launch in every
// element, and no other change may give it.  If not, leaves both as they are.
// Errors  STATUS_NO_MEMORY.
enum status seen_trial(const struct output_seen *seen, enum explained *ret_explained, char *text,
                       size_t bytes, struct error *err);

// A sentence if all elements, right or wrong, have no more bits than a half or bfloat16 number, and
// chance does not explain that; else NULL.
const char *seen_few_bits(const struct output_seen *seen);

#endif
