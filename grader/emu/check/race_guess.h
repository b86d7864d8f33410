// Loads that meet atomic operations of other threads, and may be the first guess of a loop of
// compare-and-exchange: `old = *sum; do { … } while (atomicCAS(sum, …) != …)`, as the CUDA C++
// Programming Guide writes it.  Such a guess is no race, as the operation decides whether it was
// right.  A load is a guess if the next access of its thread to the word compares it with the value
// that was loaded.  Any other load is reported, at the latest with the next barrier.
#ifndef EMU_CHECK_RACE_GUESS_H
#define EMU_CHECK_RACE_GUESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"
#include "emu/memory/events.h"
#include "emu/wire/findings.h"

struct race_guesses {
    uint32_t count;     // of the entries in use
    uint64_t compared;  // the value that the next compare-and-exchange compares with
    struct race_guess {
        uint64_t address;  // 0: none
        uint64_t value;    // that was loaded
        uint32_t bytes;
        struct finding finding;  // if it is no guess
    } of[THREADS_MAX];
};

// The thread has loaded, or is about to load, what is at address now.  If it has another load that
// is not yet decided, that one is reported.
void race_guess_note(struct race_guesses *guesses, struct findings *findings, uint32_t thread,
                     uint64_t address, uint32_t bytes, const struct finding *finding);

// A thread accesses a word: decides what its load of that word was.
//
// Returns  true if a load of this thread of this word, if there was one, was a guess.
bool race_guess_decide(struct race_guesses *guesses, struct findings *findings,
                       const struct access *access, bool compares);

// Reports all loads that are not decided.
void race_guess_settle(struct race_guesses *guesses, struct findings *findings);

#endif
