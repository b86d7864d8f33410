// Checker: two accesses to the same place of shared or global memory, at least one of them a write,
// must be ordered.
//
// Within a block the order comes from a __syncthreads() between the two or, inside one warp, from a
// __syncwarp() with both lanes in its mask.  Blocks of one launch are not ordered.  Two atomic
// operations need no order, unless they are of two blocks and one has block scope.  In a file with
// fences, release and acquire also order threads (follow.h).
//
// A finding names the two places in the order in which a thread reaches them, not in the order in
// which the threads happened to run: "store, then load" lacks the barrier after the store, "load,
// then store" the one after the load.  Two stores of the same value give only a note
// (FINDING_SAME_VALUE), and a thread that has stored the value itself may load it.  The first load
// of a compare-and-exchange loop does not race with atomic operations (race_memory.h).
//
// The race checker's state of a block that waits while others run (machine/aside.h): everything
// about its shared memory, and its progress.
#ifndef EMU_CHECK_RACE_H
#define EMU_CHECK_RACE_H

#include "base/error.h"
#include "emu/check/follow.h"
#include "emu/check/race_memory.h"
#include "emu/memory/events.h"
#include "emu/memory/known.h"
#include "emu/memory/sites.h"
#include "emu/wire/finding.h"

// The order that __syncwarp() created in one warp since the last __syncthreads().
struct race_warp {
    uint32_t full;  // accesses of this warp with a smaller epoch are ordered before all later ones
    uint32_t partial;  // epoch of the last __syncwarp() of some lanes; clock is valid if this is
                       // after the start of the phase
    uint32_t clock[WARP_LANES][WARP_LANES];  // [later][earlier]: accesses of earlier with a
                                             // smaller epoch are ordered before later
};

// The effect of an atomic operation on a word.  Two operations of one kind commute, if no thread
// uses their results; with two kinds the order shows.
enum race_operation {
    OPERATION_NONE,
    OPERATION_READ,  // adds 0, or exchanges a value for itself, and so only returns it
    OPERATION_ADD,
    OPERATION_MIN,
    OPERATION_MAX,
    OPERATION_AND,
    OPERATION_OR,
    OPERATION_XOR,
    OPERATION_COUNT,  // counts up or down, with wraparound
    OPERATION_EXCHANGE,
    OPERATION_COMPARE,  // and exchange
};

// When the current phase first reached a place.
struct race_site {
    uint32_t phase;
    uint16_t order;     // at most SITES_MAX
    uint8_t operation;  // enum race_operation of an atomic access; the greatest seen
    bool compares;      // one was a compare-and-exchange, even if OPERATION_READ
};

// A store to a word that another thread has stored to as well.  Whether that is an error depends on
// the value, which is known only after the store.
struct race_pending {
    uint64_t slot;     // the other store, or a load by a thread that has also stored
    uint64_t unit;     // of the shadow
    uint64_t address;  // of the unit
    int64_t offset;    // of the unit in its array
    uint32_t bytes;    // of the unit, 1, 2 or 4
    uint32_t old;      // the value after the other store
    uint32_t distance;
    bool is_store;  // slot
};

struct race_block {
    uint32_t epoch;  // of its start
    uint32_t index[3];
    uint64_t linear;
};

// 16 bytes in units of one byte, each with two slots for stores and two for loads.
#define RACE_PENDING_MAX 64
#define RACE_PENDING_FEW 32  // above this, no more stores to one word are added

struct race {
    const struct sites *sites;         // borrowed
    const struct launch_shape *shape;  // of this launch
    struct findings *findings;
    struct follow *follow;   // of a file with fences, or of blocks that take turns; or NULL
    struct race_more *more;  // if two slots per word are not enough: then all accesses take the
                             // slow path.  Else NULL.
    struct follow *follow_memory;  // their storage, in use or not
    struct race_more *more_memory;
    bool keeps_all;
    bool wants_more;       // lanes have met in parts of a warp without `more`
    uint32_t epoch;        // grows with every barrier, warp barrier, block and launch, and with all
                           // that is followed
    uint32_t phase_start;  // epoch of the last barrier or block start
    uint32_t block_start;
    uint32_t order;      // sites that this phase has reached
    uint64_t now;        // epoch, shifted to its place in a slot
    uint64_t block_now;  // when the block began, or ran again, shifted to its place in a slot
    struct race_shadow shadow[SPACE_SHARED + 1];  // SPACE_GLOBAL and SPACE_SHARED
    struct race_site site[SITES_MAX];
    struct race_warp warp[THREADS_MAX / WARP_LANES];
    struct block_place place;
    struct race_block *block;  // the blocks of this launch in the order in which they ran; those
                               // that waited are there again
    uint64_t block_count;
    uint64_t block_max;
    uint64_t blocks_expected;  // the blocks that block must hold; at most block_max
    uint32_t operation;        // enum race_operation of the atomic operation that comes next
    uint64_t scope;            // SLOT_BLOCK_SCOPE if it has block scope, or 0
    bool for_wgmma;            // its reads are not kept, as wgmma.h keeps them
    bool by_copy;              // the accesses that come next are those of a bulk copy
    uint32_t exchange_phase;   // phase_start when an atomic operation last exchanged a value
    bool unordered;            // report two atomic operations that do not commute
    uint64_t compared[SPACE_SHARED + 1];  // bit per array: a compare-and-exchange was made
    uint32_t pending_count;
    struct race_pending pending[RACE_PENDING_MAX];
    struct access pending_access;
    struct race_own own;
    struct race_guesses guesses;
    // In a file with mbarriers: has a lane of the warp of `thread` arrived, since that epoch, at
    // the mbarrier that the running thread waited for last?  Else NULL.
    bool (*lane_arrived)(const void *asked, uint32_t thread, uint32_t since);
    const void *asked;
};

// Sets whether later launches also follow release and acquire, which blocks that take turns and
// files with fences need.  Errors: STATUS_NO_MEMORY.
enum status race_follow(struct race *race, bool follows, struct error *err);
// From now on keeps all accesses to a word.  Errors: STATUS_NO_MEMORY.
enum status race_keep_all(struct race *race, struct error *err);

// Begins a launch; shape and findings are borrowed until race_launch_end.  All memory for the
// launch is allocated here.  Errors: STATUS_NO_MEMORY.
enum status race_launch_begin(void *observer, const struct launch_shape *shape,
                              struct findings *findings, struct error *err);
// A cluster begins: its blocks may access each other's shared memory.
void race_cluster_begin(struct race *race);
void race_block_begin(void *observer, const struct block_place *place);

// The next access is this atomic operation.
static inline void race_atomic(struct race *race, enum race_operation operation, bool block_scope) {
    race->operation = operation;
    race->scope = block_scope ? SLOT_BLOCK_SCOPE : 0;
}

// If the operation is a compare-and-exchange, it compares with this value.  A compare-and-exchange
// that stores the value already there is OPERATION_READ, though it still compares.
static inline void race_compares(struct race *race, bool compares, uint64_t value) {
    race->guesses.compares = compares;
    race->guesses.changes = race->operation == OPERATION_COMPARE;
    race->guesses.compared = value;
}

// All live threads of the block passed a __syncthreads().
void race_barrier(struct race *race);

// All live lanes in lane_mask of this warp passed a __syncwarp().  Not for shuffles and votes,
// which do not order memory.
void race_warp_sync(struct race *race, uint32_t warp, uint32_t lane_mask);

// The running thread executed a fence, or a strong access, which race_access has seen.  Nothing
// happens in a file without fences.
void race_fence(struct race *race, uint32_t thread, enum follow_scope scope);
void race_strong(struct race *race, const struct follow_strong *strong);

// Events of the running thread: it releases its accesses, by arriving at an mbarrier or at the
// barrier of a cluster; it acquires those of others, after a wait; it executed fence.proxy.async.
// Only if release and acquire are followed.  A relaxed arrival (follow_put_relaxed) is at an
// mbarrier of this block, or of any.
void race_put(struct race *race, uint32_t thread, struct follow_message *message);
void race_put_relaxed(struct race *race, uint32_t thread, struct follow_message *message,
                      enum follow_scope scope);
void race_take(struct race *race, uint32_t thread, const struct follow_message *message);
void race_proxy_fence(struct race *race, uint32_t thread, enum follow_proxy proxy);
// The running thread reads this global memory through the read-only cache (__ldg): reports stores
// of this launch that are ordered before.  The race checker reports the others when the load comes.
void race_read_only(struct race *race, const struct access *access);
// A bulk copy reads this memory, which threads may have stored: reports stores that are ordered
// before the copy, but without fence.proxy.async.
void race_proxy_read(struct race *race, const struct access *access);

void race_block_end(void *observer);
void race_launch_end(struct race *race);

// The slow half of race_access, for accesses that the fast half cannot judge.  Not to be called
// directly.
void race_examine(struct race *race, const struct access *access, uint64_t me);

// Reports the doubtful stores of the last access, now that it has happened.  Not to be called
// directly.
void race_settle(struct race *race);

// Adds a second reader to a cell.  Not to be called directly.
void race_add_reader(const struct race *race, const struct race_shadow *shadow,
                     struct race_cell *cell, uint64_t me);

// Adds a second reader to a cell whose second slot is not final.  These are the frequent cases of
// race_add_reader, with the same result.
//
// Returns  which threads would change nothing by another load; KNOWN_NOTHING if nothing was done.
static inline __attribute__((always_inline)) enum known_to
race_reader_usual(const struct race *race, const struct race_shadow *shadow, struct race_cell *cell,
                  uint64_t me, uint32_t settled) {
    bool second_alive = cell->second >= shadow->alive;
    bool of_first_warp = ((cell->first ^ me) & SLOT_WARP) == 0;
    if (cell->first < race->block_now) {
        cell->second = me | SLOT_TWO_BLOCKS;
        return KNOWN_TO_BLOCK;
    }
    if (cell->first < race->now) {
        return KNOWN_NOTHING;
    }
    // The first reader and this one are not ordered, unless they are the same thread.
    if (cell->second >= race->now && ((cell->second ^ me) & SLOT_WARP) == 0) {
        return KNOWN_TO_WARP;  // two lanes since the last synchronization: a third adds nothing
    }
    if (!of_first_warp && !(second_alive && (cell->second & (SLOT_TWO_WARPS | SLOT_TWO_BLOCKS)))) {
        cell->second = me | SLOT_TWO_WARPS;
        return settled == SLOT_TWO_WARPS ? KNOWN_TO_BLOCK : KNOWN_TO_NONE;
    }
    if (of_first_warp && !second_alive && ((cell->first ^ me) & SLOT_THREAD)) {
        cell->second = me;
        return KNOWN_TO_WARP;
    }
    return KNOWN_NOTHING;
}

// Adds a read of a unit that no thread wrote: the frequent cases.
//
// Returns  which threads would change nothing by another load; KNOWN_NOTHING if nothing was done.
static inline __attribute__((always_inline)) enum known_to
race_load_usual(const struct race *race, enum memory_space space, uint64_t unit, uint64_t me) {
    const struct race_shadow *shadow = &race->shadow[space];
    struct race_cell *cell = &shadow->reads[unit];
    uint32_t settled = space == SPACE_SHARED ? SLOT_TWO_WARPS : SLOT_TWO_BLOCKS;
    if (shadow->writes[unit].first >= shadow->alive) {
        return KNOWN_NOTHING;
    }
    if (cell->second >= shadow->alive && (cell->second & settled)) {
        return KNOWN_TO_BLOCK;
    }
    if (cell->first < shadow->alive) {
        cell->first = me;
        return KNOWN_TO_NONE;
    }
    return race_reader_usual(race, shadow, cell, me, settled);
}

// Adds a read of a unit that no thread wrote.  If a thread did, does nothing and returns false.
static inline __attribute__((always_inline)) bool
race_read_noted(const struct race *race, const struct race_shadow *shadow, uint64_t unit,
                const struct access *access, uint64_t me, uint32_t settled) {
    struct race_cell *cell = &shadow->reads[unit];
    bool maybe_written =
        access->space == SPACE_SHARED || (shadow->written >> (access->array & 63) & 1);
    if (maybe_written && shadow->writes[unit].first >= shadow->alive) {
        return false;
    }
    if (cell->second >= shadow->alive && (cell->second & settled)) {
        return true;
    }
    if (cell->first < shadow->alive) {
        cell->first = me;
        return true;
    }
    if (race_reader_usual(race, shadow, cell, me, settled) == KNOWN_NOTHING) {
        race_add_reader(race, shadow, cell, me);
    }
    return true;
}

// Adds a write of a unit that no thread touched.  If a thread did, does nothing and returns false.
static inline bool race_write_noted(struct race_shadow *shadow, uint64_t unit,
                                    const struct access *access, uint64_t me) {
    if (shadow->writes[unit].first >= shadow->alive || shadow->reads[unit].first >= shadow->alive) {
        return false;
    }
    shadow->writes[unit].first = me;
    shadow->written |= (uint64_t)1 << (access->array & 63);
    return true;
}

// One access.  The machine must not switch threads between this call and the access itself, because
// the memory before and after shows whether two stores stored the same value.  Therefore
// count_access, which may ask for a switch, comes first.  Accesses that are out of bounds, or in
// other memory than shared and global, are ignored.
static inline __attribute__((always_inline)) void race_access(struct race *race,
                                                              const struct access *access) {
    if (!access->in_bounds || (access->space != SPACE_GLOBAL && access->space != SPACE_SHARED)) {
        return;
    }
    struct race_site *site = &race->site[access->site];
    if (__builtin_expect(site->phase != race->phase_start, 0)) {
        site->phase = race->phase_start;
        site->order = (uint16_t)race->order++;
        site->operation = OPERATION_NONE;
        site->compares = false;
    }
    struct race_shadow *shadow = &race->shadow[access->space];
    uint64_t me = race->now | (uint64_t)access->site << SLOT_SITE_SHIFT | access->thread;
    if (__builtin_expect(access->bytes == 4 && shadow->shift == 2 && (access->offset & 3) == 0 &&
                             !race->more,
                         1)) {
        // For shared memory, whose cells are in order, this is simpler.
        uint64_t unit = access->space == SPACE_SHARED
                            ? (shadow->start[access->array] + (uint64_t)access->offset) >> 2
                            : race_unit(shadow, access->array, access->offset);
        if (access->kind == ACCESS_READ) {
            uint32_t settled = access->space == SPACE_SHARED ? SLOT_TWO_WARPS : SLOT_TWO_BLOCKS;
            if (race_read_noted(race, shadow, unit, access, me, settled)) {
                return;
            }
        } else if (access->kind == ACCESS_WRITE && race_write_noted(shadow, unit, access, me)) {
            return;
        }
    }
    struct access copy = access_copy(access);
    race_examine(race, &copy, me);
}

// Which threads would change nothing by loading the word at offset from the array of access, which
// has just been loaded.  The shadow of the word stays the same until a thread stores to it or the
// next synchronization.
static inline __attribute__((always_inline)) enum known_to
race_load_known(const struct race *race, const struct access *access, int64_t offset) {
    const struct race_shadow *shadow = &race->shadow[access->space];
    uint64_t unit = race_unit(shadow, access->array, offset);
    const struct race_cell *cell = &shadow->reads[unit];
    uint32_t settled = access->space == SPACE_SHARED ? SLOT_TWO_WARPS : SLOT_TWO_BLOCKS;
    bool maybe_written =
        access->space == SPACE_SHARED || (shadow->written >> (access->array & 63) & 1);
    if (shadow->shift != 2 || cell->second < shadow->alive ||
        (maybe_written && shadow->writes[unit].first >= shadow->alive)) {
        return KNOWN_TO_NONE;
    }
    if (cell->second & settled) {
        return KNOWN_TO_BLOCK;
    }
    bool of_this_warp = cell->second >= race->now && cell->first >= race->now &&
                        ((cell->second ^ access->thread) & SLOT_WARP) == 0;
    return of_this_warp ? KNOWN_TO_WARP : KNOWN_TO_NONE;
}

struct race_saved;

// The running block waits from now on.  The shadows of a cluster's blocks have separate places, and
// are not copied.
//
// earlier NULL, or the saved state of a block that runs again: its memory is reused or freed.
// Returns  NULL if there is no memory; then the block goes on running.
// Owns     the caller frees with race_saved_free, which accepts NULL.
struct race_saved *race_save(struct race *race, struct race_saved *earlier);
void race_saved_free(struct race_saved *kept);

// The block runs again.  From then on its saved state is only reusable memory.
void race_restore(struct race_saved *kept, struct race *race);

#endif
