// Values that several threads of a block have stored to one word in one phase: all of them the
// same.  None of these threads can read another value there, so its loads are no races with the
// stores of the others.
#ifndef EMU_CHECK_RACE_OWN_H
#define EMU_CHECK_RACE_OWN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"

#define RACE_OWN_MAX 8  // words for each thread; loads of more are reported

struct race_own {
    struct race_own_value {
        uint64_t word;  // race_shadow_word
        uint32_t value;
        uint32_t phase;
    } of[THREADS_MAX][RACE_OWN_MAX];
    uint8_t next[THREADS_MAX];  // the entry that is used again
};

// A thread has stored the value in this phase, and so has another.
void race_own_note(struct race_own *own, uint32_t phase, uint32_t thread, uint64_t word,
                   uint32_t value);

// True if the thread has stored the value of `bytes` bytes that is there now.
bool race_own_holds(const struct race_own *own, uint32_t phase, uint32_t thread, uint64_t word,
                    const void *there, uint32_t bytes);

#endif
