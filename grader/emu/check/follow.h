// The order that fences and atomic operations create, for launches of files with fences.
//
// A thread releases by a fence and then a strong store (an atomic operation, or a volatile store);
// another acquires by a strong load that sees it and then a fence.  All that was ordered before the
// first fence is then ordered before all that follows the second.  `__threadfence_block` counts
// between threads of one block only.  A barrier passes on what fences have released, and also
// counts as the second fence: NVIDIA's own examples rely on this.
//
// The race checker asks here whether a conflict that no barrier orders is ordered by other means,
// and if not, what is missing.  It also counts the epochs.  See decisions/0014-fences.md.
//
// Source: PTX ISA, "Memory Consistency Model"; CUDA C++ Programming Guide, "Memory Fence
// Functions".
#ifndef EMU_CHECK_FOLLOW_H
#define EMU_CHECK_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "emu/check/thread_clocks.h"
#include "emu/wire/finding.h"

// An access that a thread made.
struct follow_access {
    uint64_t block;
    uint32_t thread;
    uint32_t epoch;
};

enum follow_scope { FOLLOW_BLOCK, FOLLOW_ALL };

// The stores that a fence.proxy.async covers: to shared memory, or to global memory.
enum follow_proxy { PROXY_SHARED, PROXY_GLOBAL, FOLLOW_PROXIES };

// An atomic operation, or a volatile load or store.
struct follow_strong {
    uint64_t address;
    uint32_t thread;
    bool shared;
    bool loads;
    bool stores;
    bool adds;      // an atomic operation: releases of earlier stores stay valid
    bool in_block;  // only for threads of the same block
    bool releases;  // red.release: as if a fence for it alone came before it
    bool acquires;  // ld.acquire: like a fence after it, for this load alone
};

// The knowledge that threads that arrive at an mbarrier pass to threads that wait there.
// Initialize it to zeros.
struct follow_message {
    struct clock *known;
    struct clock *done;                    // and earlier accesses, if they stored nothing
    struct clock *fenced[FOLLOW_PROXIES];  // accesses before a fence.proxy.async
    struct clock *last;                    // the last clock added to known
};

struct follow;
struct follow_block;

// Errors: STATUS_NO_MEMORY.
enum status follow_new(struct follow **ret_follow, struct error *err);

void follow_launch_begin(struct follow *follow, uint32_t thread_count);
void follow_launch_end(struct follow *follow);

// Events of the running block.  Earlier accesses have an epoch below `epoch`; later ones do not.
void follow_block_begin(struct follow *follow, uint64_t block);
// The running block waits while others run.  The caller receives its state, and later returns it or
// frees it (NULL is accepted).
struct follow_block *follow_block_away(struct follow *follow);
void follow_block_back(struct follow *follow, struct follow_block *block);
void follow_block_free(struct follow_block *block);
void follow_barrier(struct follow *follow, uint32_t epoch);
void follow_warp_sync(struct follow *follow, uint32_t warp, uint32_t lane_mask, bool whole,
                      uint32_t epoch);
void follow_fence(struct follow *follow, uint32_t thread, enum follow_scope scope, uint32_t epoch);
void follow_strong(struct follow *follow, const struct follow_strong *strong, uint32_t epoch);

// fence.proxy.async.
void follow_proxy_fence(struct follow *follow, uint32_t thread, enum follow_proxy proxy,
                        uint32_t epoch);
// The running block uses mbarriers, so threads that are not ordered may lack something other than a
// barrier.
void follow_phases(struct follow *follow);
// A thread adds all that it knows and has done to a message; another thread takes the message.
void follow_put(struct follow *follow, uint32_t thread, struct follow_message *message,
                uint32_t epoch);
void follow_take(struct follow *follow, uint32_t thread, const struct follow_message *message);

// A relaxed arrival adds only accesses that fences have released, and marks the others as done: a
// thread that waits may store where this thread has read, but may not yet see what it has stored.
void follow_put_relaxed(struct follow *follow, uint32_t thread, struct follow_message *message,
                        uint32_t epoch, enum follow_scope scope);

// As follow_put, for a block whose threads have just passed a barrier.
void follow_put_block(struct follow *follow, struct follow_message *message);

static inline void follow_assign(struct follow_message *to, const struct follow_message *from) {
    clock_assign(&to->known, from->known);
    clock_assign(&to->done, from->done);
    for (int i = 0; i < FOLLOW_PROXIES; i++) {
        clock_assign(&to->fenced[i], from->fenced[i]);
    }
}
static inline void follow_drop(struct follow_message *message) {
    clock_drop(&message->known);
    clock_drop(&message->done);
    for (int i = 0; i < FOLLOW_PROXIES; i++) {
        clock_drop(&message->fenced[i]);
    }
    clock_drop(&message->last);
}

// Bulk copies are made by agents of the block (copy_checks.h), each in the order of their times.
// From now on the message, or the thread, knows that all copies of one agent before `time` are
// done.
void follow_put_agent(struct follow *follow, struct follow_message *message, uint32_t agent,
                      uint32_t time);
void follow_learn_agent(struct follow *follow, uint32_t thread, uint32_t agent, uint32_t time);
bool follow_knows_agent(const struct follow *follow, uint32_t thread, uint32_t agent,
                        uint32_t time);

// True if the thread has executed a fence since it last accessed this address strongly.
bool follow_has_fenced(const struct follow *follow, uint64_t address, bool shared, uint32_t thread);

// True if an access is ordered before the next access of `thread` of the running block.
bool follow_is_ordered(const struct follow *follow, const struct follow_access *earlier,
                       uint32_t thread);

// As above for an access that stored nothing, for which a relaxed arrival is enough.
bool follow_is_done(const struct follow *follow, const struct follow_access *earlier,
                    uint32_t thread);

// True if a fence.proxy.async is between the access and the next access of `thread`.
bool follow_is_fenced(const struct follow *follow, const struct follow_access *earlier,
                      uint32_t thread, enum follow_proxy proxy);

// True if a strong store to this address in an epoch was seen by a strong load of that or a later
// epoch that is ordered before the next access of `thread`.  Then the store is ordered before it
// too.
bool follow_has_seen(const struct follow *follow, uint64_t address, bool shared, uint32_t epoch,
                     uint32_t thread);

// True if that access was the last strong store to this address.
bool follow_stored(const struct follow *follow, uint64_t address, bool shared,
                   const struct follow_access *earlier);

// The reason why an access is not ordered.
enum race_gap follow_gap(const struct follow *follow, const struct follow_access *earlier,
                         uint32_t thread);

#endif
