// Loads that meet atomic operations of other threads, and may be the first guess of a loop of
// compare-and-exchange: `old = *sum; do { … } while (atomicCAS(sum, …) != …)`, as the CUDA C++
// Programming Guide writes it.  Such a guess is no race, as the operation decides whether it was
// right.  A load is a guess if the next access of its thread to the word compares it with the value
// that was loaded; an operation that exchanges a value for the same decides only about a load that
// conflicts with others of its kind.  A loop such as `while (old < value)` may end without that
// access.  So loads at a place where others were guesses, and which conflict with
// compare-and-exchange only, are no race either.  Any other load is reported, at the latest with
// the next barrier.
#ifndef EMU_CHECK_RACE_GUESS_H
#define EMU_CHECK_RACE_GUESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"
#include "emu/memory/events.h"
#include "emu/memory/sites.h"
#include "emu/wire/findings.h"

struct race_guesses {
    uint32_t count;                  // of the entries in use
    bool compares;                   // the next atomic operation is a compare-and-exchange …
    bool changes;                    // … which exchanges a value for another one
    uint64_t compared;               // … with this value
    uint64_t right[SITES_MAX / 64];  // bit per place: a load there was a guess, in this launch
    struct race_guess {
        uint64_t address;  // 0: none
        uint64_t value;    // that was loaded
        uint32_t bytes;
        uint32_t site;
        bool meets_compare;      // the other access is a compare-and-exchange
        struct finding finding;  // if it is no guess
    } of[THREADS_MAX];
};

static inline void race_guess_right(struct race_guesses *guesses, uint32_t site) {
    guesses->right[site / 64] |= (uint64_t)1 << site % 64;
}

static inline bool race_guess_is_right(const struct race_guesses *guesses, uint32_t site) {
    return guesses->right[site / 64] >> site % 64 & 1;
}

// A thread has loaded, or is about to load, what is at the address of `guess` now.  If it has
// another load that is not yet decided, that one is reported.
void race_guess_note(struct race_guesses *guesses, struct findings *findings, uint32_t thread,
                     const struct race_guess *guess);

// A thread accesses a word: decides what its load of that word was.
//
// Returns  true if a load of this thread of this word, if there was one, was a guess.
bool race_guess_decide(struct race_guesses *guesses, struct findings *findings,
                       const struct access *access, bool compares);

// Reports all loads that are not decided.
void race_guess_settle(struct race_guesses *guesses, struct findings *findings);

#endif
