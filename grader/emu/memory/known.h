// A filter before the checkers: loads of which every one of them would learn nothing new.
//
// Each word of shared and global memory has a tag.  It is set after a load through which the state
// of all checkers came to rest: the word is initialised, nobody wrote to it since what orders its
// readers, and its readers are already as many as the race checker keeps.  A load that finds the
// tag that it would set is done: in bounds, aligned, in the map of what was read, no race.  A store
// takes the tag away; barriers, blocks and launches make all tags old.  So the filter changes no
// finding and no count of findings; it only makes the frequent case one comparison.
// See decisions/0010-known-loads.md.
#ifndef EMU_MEMORY_KNOWN_H
#define EMU_MEMORY_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "emu/memory/events.h"

// A tag: epoch (26 bits), who (6 bits): a warp of the block, or everybody.
#define KNOWN_EPOCH_SHIFT 6
#define KNOWN_EPOCHS      (1u << 26)
#define KNOWN_TO_ALL      32u
// Tags of shared memory have the place of the load in the upper half: that place has been come to
// in this phase, which the order of the two sides of a race depends on.
#define KNOWN_PLACE_SHIFT 32
#define KNOWN_WORDS_MAX   4  // of one load

enum known_to { KNOWN_TO_NONE, KNOWN_TO_WARP, KNOWN_TO_EVERYBODY, KNOWN_NOTHING };

struct known {
    uint64_t shared_words;  // with a tag; 0 where no loads are filtered
    uint64_t global_words;
    uint64_t *shared;          // tag by word of the shared segment
    uint32_t *global;          // tag by word of the arena, see known_place
    uint64_t warp;             // tag of what the warp of the running thread knows
    uint64_t everybody;        // … of what all threads of the block know, until the next order
    uint32_t everybody_ever;   // … of what all threads of the launch know: global memory
    uint32_t epoch;            // of the last order of any kind
    uint32_t phase;            // number of the phase, for sites_entry
    uint64_t shared_reserved;  // bytes of each plane, as mapped
    uint64_t global_reserved;
};

// Begins a launch: nothing is known.  Errors: STATUS_NO_MEMORY.
//
// Units  bytes of the shared segment and of the arena: addresses from their start have tags.
enum status known_launch_begin(struct known *known, uint64_t shared_bytes, uint64_t global_bytes,
                               struct error *err);
// Lets all loads through to the checkers, until the next known_launch_begin.
void known_off(struct known *known);
void known_done(struct known *known);

// An order of accesses began: a barrier, a warp barrier, a block.
void known_advance(struct known *known);

// A thread goes on.
static inline void known_thread(struct known *known, uint32_t thread) {
    known->warp = known->epoch << KNOWN_EPOCH_SHIFT | thread / WARP_LANES;
}

// Words whose address is a multiple of 4, as a number from the start of their memory; any other
// offset gives a number beyond all words.
static inline uint64_t known_word(uint64_t offset) {
    return offset >> 2 | offset << 62;
}

// Where the tag of a word of global memory is: columns of a matrix whose rows are a power of two
// apart would all fall into one set of the processor's cache.  Words of one load stay together.
static inline uint64_t known_place(uint64_t word) {
    return word ^ (word >> 6 & 0x3f0u);
}

// True where a load of `words` words (a power of two) from shared memory, aligned to its size, is
// known.
static inline __attribute__((always_inline)) bool
known_shared(const struct known *known, uint64_t word, uint32_t words, uint64_t pc) {
    const uint64_t *tag = &known->shared[word];
    uint64_t rest = tag[0] ^ pc << KNOWN_PLACE_SHIFT;
    if (rest != known->warp && rest != known->everybody) {
        return false;
    }
    for (uint32_t i = 1; i < words; i++) {
        if (tag[i] != tag[0]) {
            return false;
        }
    }
    return (word & (words - 1)) == 0;
}

// The same of global memory; that its place has been come to in this phase is the caller's to know.
static inline __attribute__((always_inline)) bool known_global(const struct known *known,
                                                               uint64_t word, uint32_t words) {
    const uint32_t *tag = &known->global[known_place(word)];
    if (tag[0] != known->everybody_ever && tag[0] != (uint32_t)known->warp) {
        return false;
    }
    for (uint32_t i = 1; i < words; i++) {
        if (tag[i] != tag[0]) {
            return false;
        }
    }
    return (word & (words - 1)) == 0;
}

// Says who knows the word from now on.
static inline void known_learn_shared(struct known *known, uint64_t word, uint64_t pc,
                                      enum known_to to) {
    if (to != KNOWN_TO_NONE) {
        uint64_t tag = to == KNOWN_TO_WARP ? known->warp : known->everybody;
        known->shared[word] = pc << KNOWN_PLACE_SHIFT | tag;
    }
}

// Of global memory also nobody: a reader of another warp may take the place of the one that made
// the word known to a warp.  (Of shared memory two warps are all that is kept.)
static inline void known_learn_global(struct known *known, uint64_t word, enum known_to to) {
    known->global[known_place(word)] = to == KNOWN_TO_NONE   ? 0
                                       : to == KNOWN_TO_WARP ? (uint32_t)known->warp
                                                             : known->everybody_ever;
}

// A store or atomic operation of `bytes` bytes at so many bytes from the start of the memory; in
// global memory also a load that is not learnt from.
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
