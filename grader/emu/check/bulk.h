// Checker: no thread may touch shared memory that a bulk copy fills, or store to what one still
// reads, until it knows that the copy has done so.
//
// A bulk copy (cp.async.bulk) is under way from its call.  That it has filled shared memory is
// known to threads that have waited for the phase of its mbarrier, and that it has read it to the
// thread that has waited for its group; and to those that are ordered after them.  So a copy
// belongs to an agent, an mbarrier or the groups of a thread, and clocks (follow.h) say up to which
// time a thread knows the copies of an agent.  An access that comes too early is a race
// (FINDING_UNDER_WAY, FINDING_BULK).
//
// That it has stored to global memory is known after a wait for its group that is not `.read`.
//
// The race checker handles the rest: it sees the copy as accesses of the thread that called it.
//
// Source: PTX ISA, "cp.async.bulk", "mbarrier" and "Async proxy".
#ifndef EMU_CHECK_BULK_H
#define EMU_CHECK_BULK_H

#include "base/error.h"
#include "emu/check/follow.h"
#include "emu/memory/events.h"
#include "emu/memory/shared_map.h"
#include "emu/wire/findings.h"

// Agents are mbarriers, by their number in the block; from here on the groups of threads, which
// have read shared memory; and then the same groups, which have also stored.
#define BULK_AGENT_GROUPS (1u << 20)
#define BULK_AGENT_STORES (BULK_AGENT_GROUPS + THREADS_MAX)
#define BULK_AGENTS       (1u << 21)  // of a block
#define BULK_GROUPS_MAX   64u         // that a thread may have under way; a power of two
#define BULK_STORES_MAX   1024u       // of a block that are watched, the last ones

// The copy that fills or reads a word.
struct bulk_word {
    uint64_t pc;
    uint32_t time;  // of the copy; none if it is not after bulk.block_time
    uint32_t agent;
    uint32_t thread;
    uint32_t block;         // that thread's
    uint32_t before_agent;  // of the copy that filled the word before
    uint32_t before_time;   // … of which there is none if it is not after bulk.block_time
};

// When a thread closed its groups, as a ring, and its last copy from shared memory.
struct bulk_groups {
    struct access last;
    struct bulk_word copy;  // the same
    uint32_t count;
    uint32_t time[BULK_GROUPS_MAX];
};

// Global memory that a copy stores to.
struct bulk_store {
    uint64_t address;
    uint64_t end;
    struct bulk_word copy;
};

struct bulk {
    const struct launch_shape *shape;  // of this launch
    struct findings *findings;
    struct shared_map map;
    struct bulk_word *filled;  // by word of shared memory
    struct bulk_word *read;
    uint64_t word_max;                // room in each
    uint32_t time;                    // grows with every copy
    uint32_t block_time;              // … as this block began
    const struct block_place *place;  // of the block that runs
    uint32_t first_agent;             // number of this block's first agent in clocks
    struct bulk_groups groups[THREADS_MAX];
    uint64_t store_count;                      // of this block
    uint64_t stored;                           // bit of each array that these are in
    struct bulk_store store[BULK_STORES_MAX];  // a ring
};

// Errors: STATUS_NO_MEMORY.
enum status bulk_new(struct bulk **ret_bulk, struct error *err);
void bulk_free(struct bulk *bulk);

// Begins a launch; shape and findings are borrowed until bulk_launch_end.  Errors:
// STATUS_NO_MEMORY.
enum status bulk_launch_begin(struct bulk *bulk, const struct launch_shape *shape,
                              struct findings *findings, struct error *err);
// `place` is borrowed: always that of the block that runs, also while it is another of the cluster.
void bulk_block_begin(struct bulk *bulk, const struct block_place *place);
void bulk_launch_end(struct bulk *bulk);

// A copy stores to, or reads, this part of shared memory, in bounds and whole words.
void bulk_begin(struct bulk *bulk, const struct access *part, uint32_t agent);
// The copy that begins next stores to this part of global memory.
void bulk_stores(struct bulk *bulk, const struct access *part);
// The thread closes a group of its copies; waits for all but its last `prior` groups, until they
// have read shared memory or, without `reads_only`, have also stored.
void bulk_commit(struct bulk *bulk, uint32_t thread);
void bulk_wait(struct bulk *bulk, struct follow *follow, uint32_t thread, uint32_t prior,
               bool reads_only);

// The block has run to its end: reports the last copy of each thread that has not waited for it,
// as the next block may already store to the shared memory that the copy reads.
void bulk_block_end(struct bulk *bulk, const struct follow *follow);

// True if a bulk copy was the last to store to this word.
bool bulk_has_filled(const struct bulk *bulk, const struct access *word);

// Reports an access of shared memory, in bounds, that comes before its thread knows that a copy is
// done.  Returns true if it is one: other checkers would only repeat the report.
bool bulk_access(struct bulk *bulk, const struct follow *follow, const struct access *access);
// The same for global memory to which copies of this block store.
bool bulk_examine_global(struct bulk *bulk, const struct follow *follow,
                         const struct access *access);
static inline bool bulk_access_global(struct bulk *bulk, const struct follow *follow,
                                      const struct access *access) {
    return (bulk->stored >> access->array & 1) != 0 && access->kind != ACCESS_WRITE &&
           bulk_examine_global(bulk, follow, access);
}

#endif
