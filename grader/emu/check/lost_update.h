// Checker: an update is lost if a thread reads a word by one atomic operation, and changes it by
// what it has read in another one, while a third operation of another thread comes between.
//
// Whether the value is used is not known here, so a finding is a note, which becomes an error if
// the result is wrong in this order of blocks and threads (decision 25).
#ifndef EMU_CHECK_LOST_UPDATE_H
#define EMU_CHECK_LOST_UPDATE_H

#include "emu/check/race.h"
#include "emu/memory/kernel_memory.h"

// A word as a thread saw it last, by an atomic operation.
struct seen_word {
    uint64_t address;  // 0: none
    uint64_t value;    // after the operation
    uint64_t pc;
    uint32_t bytes;
    bool only_read;
    // A compare-and-exchange failed there, because another thread had changed what this one saw at
    // failed_after; 0: none.
    uint64_t failed_pc, failed_after;
};

// The last words that a thread has seen, the latest first.
struct seen_words {
    struct seen_word word[2];
};

// All but seen is borrowed.
struct lost_update {
    struct findings *findings;
    const struct launch_shape *shape;
    const struct block_place *place;
    const struct memory *memory;
    uint32_t thread;
};

struct atomic_done {
    uint64_t address;
    uint32_t bytes;
    enum race_operation operation;
    uint64_t pc;
    const void *old;    // the value before
    bool has_failed;    // a compare-and-exchange that met another value
    bool has_compared;  // a compare-and-exchange
};

// The thread has executed an atomic operation.
void lost_update_look(const struct lost_update *lost, const struct atomic_done *done,
                      struct seen_words *seen);

// The thread has ended.
void lost_update_end(const struct lost_update *lost, const struct seen_words *seen);

#endif
