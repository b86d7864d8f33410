// A filter before the checkers, for loads that would tell them nothing new.
//
// Each word of shared and global memory has a tag.  It is set after a load after which the state of
// all checkers is final: the word is initialized, no thread has written it since the last
// synchronization, and the race checker already keeps as many readers as it can.  If a load finds
// the tag that it would set, it is finished: it is in bounds, aligned, recorded in the coverage
// map, and not a race.  A store clears the tag; barriers, blocks and launches invalidate all tags.
// So the filter does not change any finding or count of findings; it only reduces the frequent case
// to one comparison.  See decisions/0010-known-loads.md.
#ifndef EMU_MEMORY_KNOWN_H
#define EMU_MEMORY_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "emu/memory/events.h"

// A tag: epoch (26 bits) and the threads that know the word (6 bits): a warp of the block, or all
// threads.
#define KNOWN_EPOCH_SHIFT 6
#define KNOWN_EPOCHS      (1u << 26)
#define KNOWN_TO_ALL      32u
// Tags of shared memory have the place of the load in the upper half, as a sign that this phase has
// reached it.  The order of the two sides of a race depends on that.
#define KNOWN_PLACE_SHIFT 32
#define KNOWN_WORDS_MAX   4  // of one load

enum known_to { KNOWN_TO_NONE, KNOWN_TO_WARP, KNOWN_TO_BLOCK, KNOWN_NOTHING };

struct known {
    uint64_t shared_words;  // with a tag; 0 if loads are not filtered
    uint64_t global_words;
    uint64_t *shared;        // tag by word of the shared segment
    uint32_t *global;        // tag by word of the arena, see known_place
    uint64_t warp;           // tag of a word known to the warp of the running thread
    uint64_t all_of_block;   // of a word known to all threads of the block, until the next
                             // synchronization
    uint32_t all_of_launch;  // of a word known to all threads of the launch: global memory
    uint32_t epoch;          // of the last synchronization
    uint32_t phase;          // number of the phase, for sites_entry
};

// Begins a launch: nothing is known.  Errors: STATUS_NO_MEMORY.
//
// Units  shared_bytes and global_bytes: the bytes that get tags, from the start of the shared
//        segment and of the arena.
enum status known_launch_begin(struct known *known, uint64_t shared_bytes, uint64_t global_bytes,
                               struct error *err);
// Passes all loads to the checkers, until the next known_launch_begin.
void known_off(struct known *known);

// A synchronization: a barrier, a warp barrier, or a new block.
void known_advance(struct known *known);

// Another thread continues.
static inline void known_thread(struct known *known, uint32_t thread) {
    known->warp = known->epoch << KNOWN_EPOCH_SHIFT | thread / WARP_LANES;
}

// The number of the word at an offset that is a multiple of 4; any other offset gives a number
// above all words.
static inline uint64_t known_word(uint64_t offset) {
    return offset >> 2 | offset << 62;
}

// The index of the tag of a word of global memory.  If the rows of a matrix are a power of two
// apart, the tags of a column would share one set of the processor's cache, so the word number is
// mixed with its higher bits.  Words of one load stay together.
static inline uint64_t known_place(uint64_t word) {
    return word ^ (word >> 6 & 0x3f0u);
}

// True if a load of `words` words (a power of two) from shared memory, aligned to its size, is
// known.
static inline __attribute__((always_inline)) bool
known_shared(const struct known *known, uint64_t word, uint32_t words, uint64_t pc) {
    const uint64_t *tag = &known->shared[word];
    uint64_t rest = tag[0] ^ pc << KNOWN_PLACE_SHIFT;
    if (rest != known->warp && rest != known->all_of_block) {
        return false;
    }
    for (uint32_t i = 1; i < words; i++) {
        if (tag[i] != tag[0]) {
            return false;
        }
    }
    return (word & (words - 1)) == 0;
}

// The same for global memory.  The caller checks whether this phase has reached the place.
static inline __attribute__((always_inline)) bool known_global(const struct known *known,
                                                               uint64_t word, uint32_t words) {
    const uint32_t *tag = &known->global[known_place(word)];
    if (tag[0] != known->all_of_launch && tag[0] != (uint32_t)known->warp) {
        return false;
    }
    for (uint32_t i = 1; i < words; i++) {
        if (tag[i] != tag[0]) {
            return false;
        }
    }
    return (word & (words - 1)) == 0;
}

// Sets which threads know the word from now on.
static inline void known_learn_shared(struct known *known, uint64_t word, uint64_t pc,
                                      enum known_to to) {
    if (to != KNOWN_TO_NONE) {
        uint64_t tag = to == KNOWN_TO_WARP ? known->warp : known->all_of_block;
        known->shared[word] = pc << KNOWN_PLACE_SHIFT | tag;
    }
}

// For global memory this may be KNOWN_TO_NONE: a reader of another warp may replace the one that
// made the word known to a warp.  (For shared memory, two warps are all that is kept.)
static inline void known_learn_global(struct known *known, uint64_t word, enum known_to to) {
    known->global[known_place(word)] = to == KNOWN_TO_NONE   ? 0
                                       : to == KNOWN_TO_WARP ? (uint32_t)known->warp
                                                             : known->all_of_launch;
}

// A store or atomic operation of `bytes` bytes at this offset from the start of the memory; in
// global memory also a load that does not set a tag.
static inline void known_forget_shared(struct known *known, uint64_t offset, uint32_t bytes) {
    for (uint64_t word = offset / 4; word <= (offset + bytes - 1) / 4; word++) {
        known->shared[word] = 0;
    }
}

static inline void known_forget_global(struct known *known, uint64_t offset, uint32_t bytes) {
    for (uint64_t word = offset / 4; word <= (offset + bytes - 1) / 4; word++) {
        known->global[known_place(word)] = 0;
    }
}

#endif
