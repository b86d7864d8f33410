// The race checker's memory of accesses: the threads that last read and wrote each unit of kernel
// memory; accesses that do not fit the two slots of a cell; values that several threads have stored
// to one word; and loads that may be the first guess of a compare-and-swap loop.
#ifndef EMU_CHECK_RACE_MEMORY_H
#define EMU_CHECK_RACE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/limits.h"
#include "emu/memory/events.h"
#include "emu/memory/kernel_memory.h"
#include "emu/memory/sites.h"
#include "emu/wire/finding.h"

// One access: epoch (32 bits), site (16), flags (6), thread (10).  Later accesses have greater
// slots; 0 is none.
#define SLOT_EPOCH_SHIFT 32
#define SLOT_SITE_SHIFT  16
#define SLOT_THREAD      0x03ffu
#define SLOT_WARP        0x03e0u  // the bits of SLOT_THREAD that number the warp
#define SLOT_ATOMIC      0x0400u
#define SLOT_TWO_WARPS   0x0800u  // of a second slot: the two threads are of two warps of one block
#define SLOT_BLOCK_SCOPE 0x2000u  // with SLOT_ATOMIC: plain to threads of other blocks
#define SLOT_TWO_BLOCKS  0x1000u  // of a second slot: the two threads are of two blocks
#define SLOT_BULK        0x4000u  // by a bulk copy
#define SLOT_STRONG      0x8000u  // no race with another strong access; only with fences

// Up to two unordered accesses; second is alive only if first is.  Two of different warps are
// enough, because no later thread can be ordered after both without a barrier.  Two of different
// blocks are enough for the whole launch.
struct race_cell {
    uint64_t first;
    uint64_t second;
};

struct race_shadow {
    struct race_cell *reads;   // by unit, see race_unit
    struct race_cell *writes;  // plain and atomic
    uint64_t alive;    // slots below are dead: start of the phase (shared), of the launch (global)
    uint64_t written;  // bit per array, modulo 64: written since the launch began
    uint32_t shift;    // unit = byte >> shift: 2, 1 or 0 …
    uint32_t refined;  // … which is 2 less this when a launch begins, as an earlier one needed it
    uint32_t spread;   // see race_unit; 0 for shared memory
    uint64_t start[MEMORY_ARRAYS_MAX];  // first byte of each array, in shadow order
    uint64_t bytes;                     // of all arrays, with gaps
    struct shared_map map;              // of shared memory, for one block
};

// The index of the cells of a byte.  If the rows of a matrix are a power of two apart, the cells of
// a column would share one set of the processor's cache.  So, in global memory, the line number is
// mixed with its own higher bits.
static inline uint64_t race_unit(const struct race_shadow *shadow, uint32_t array, int64_t offset) {
    uint64_t unit = (shadow->start[array] + (uint64_t)offset) >> shadow->shift;
    return unit ^ (unit >> 6 & shadow->spread);
}

// The number of a unit among those of both spaces, for its loads or its stores.
static inline uint64_t race_shadow_word(uint64_t unit, enum memory_space space, bool writes) {
    return unit << 2 | (uint64_t)(space == SPACE_SHARED) << 1 | writes;
}

// Lays out the arrays of a launch and maps memory for them, with a cell per byte in the worst case.
// Units are as small as those of earlier launches: a launch of the same kernel needs them again.
// Errors: STATUS_NO_MEMORY.
enum status race_shadow_layout(struct race_shadow *shadow, enum memory_space space,
                               const struct launch_shape *shape, struct error *err);

// From now on the arrays are those of the block with this rank in its cluster.
void race_shadow_view(struct race_shadow *shadow, uint32_t rank);

// Makes the unit smaller; every part of a unit inherits its slots.
void race_shadow_refine(struct race_shadow *shadow, uint32_t shift);

// Forgets everything and unmaps the memory.
void race_shadow_clear(struct race_shadow *shadow);

struct race_more;

// Errors: STATUS_NO_MEMORY.
enum status race_more_new(struct race_more **ret_more, struct error *err);
void race_more_clear(struct race_more *more);

// Adds the access in slot to those of a word (race_shadow_word).  It replaces an access older than
// `alive`, or one of the same thread of this block, which began at block_now.  At most 128 accesses
// of a word are kept, and a million in total: a word with more is a lock or a counter.
void race_more_add(struct race_more *more, uint64_t word, uint64_t slot, uint64_t alive,
                   uint64_t block_now);

// The unit of the shadow has become smaller, by a factor of `parts`: each part inherits the
// accesses of its unit.
void race_more_refine(struct race_more *more, enum memory_space space, uint64_t spread,
                      uint64_t parts);

// The next access to a word; 0 if there is none.  *at is 0 at first.
uint64_t race_more_next(const struct race_more *more, uint64_t word, uint32_t *at);
// Changes the access that race_more_next returned for this `at`.
void race_more_set(struct race_more *more, uint32_t at, uint64_t slot);

#define RACE_OWN_MAX 8  // words for each thread; loads of more are reported

struct race_own {
    struct race_own_value {
        uint64_t word;  // race_shadow_word
        uint32_t value;
        uint32_t phase;
    } of[THREADS_MAX][RACE_OWN_MAX];
    uint8_t next[THREADS_MAX];  // the entry to be reused next
};

// The thread has stored the value in this phase, and another thread has too.
void race_own_note(struct race_own *own, uint32_t phase, uint32_t thread, uint64_t word,
                   uint32_t value);

// True if the thread has stored the current value of `bytes` bytes.
bool race_own_holds(const struct race_own *own, uint32_t phase, uint32_t thread, uint64_t word,
                    const void *there, uint32_t bytes);

struct race_guesses {
    uint32_t count;                  // of the entries in use
    bool compares;                   // the next atomic operation is a compare-and-exchange …
    bool changes;                    // and it exchanges a value for a different one
    uint64_t compared;               // … with this value
    uint64_t right[SITES_MAX / 64];  // bit per place: a load there was a guess, in this launch
    struct race_guess {
        uint64_t address;  // 0: none
        uint64_t value;    // that was loaded
        uint32_t bytes;
        uint32_t site;
        bool meets_compare;      // the other access is a compare-and-exchange
        struct finding finding;  // reported if the load was not a guess
    } of[THREADS_MAX];
};

static inline void race_guess_right(struct race_guesses *guesses, uint32_t site) {
    guesses->right[site / 64] |= (uint64_t)1 << site % 64;
}

static inline bool race_guess_is_right(const struct race_guesses *guesses, uint32_t site) {
    return guesses->right[site / 64] >> site % 64 & 1;
}

// A thread has loaded, or is about to load, the value at the address of `guess`.  If another load
// of the thread is still undecided, that load is reported.
void race_guess_note(struct race_guesses *guesses, struct findings *findings, uint32_t thread,
                     const struct race_guess *guess);

// To be called when a thread accesses a word: decides whether its earlier load of that word was a
// guess for a compare-and-exchange, and reports the load if it was not.
//
// Returns true if this thread has loaded this word and that load was a guess.
bool race_guess_decide(struct race_guesses *guesses, struct findings *findings,
                       const struct access *access, bool compares);

// Reports all undecided loads.
void race_guess_settle(struct race_guesses *guesses, struct findings *findings);

#endif
