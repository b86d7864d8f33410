// Numbers the places in the kernel that access memory, so that a shadow slot or a log entry needs
// only 16 bits for a place.
#ifndef EMU_MEMORY_SITES_H
#define EMU_MEMORY_SITES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define SITES_MAX       65536  // places with a number; all others share number 0, whose pc is 0
#define SITES_CACHE_MAX 1024   // a power of two

// The cache in front of the table, read without a call: one entry per value of the low bits of the
// pc.
struct sites_entry {
    uint64_t pc;
    uint32_t number;
    uint32_t phase;  // the last phase that reached the place, if known; see known.h
};

struct sites {
    struct sites_entry cache[SITES_CACHE_MAX];
    uint64_t *pc_of;   // by number
    uint32_t *bucket;  // open addressing, number or 0
    uint32_t count;    // numbers in use, including number 0
};

// Errors: STATUS_NO_MEMORY.
enum status sites_new(struct sites **ret_sites, struct error *err);

// Forgets all places, so that a product numbers them in its own order, independent of earlier ones.
void sites_clear(struct sites *sites);

// The slow half of sites_number: finds or adds pc and puts it into entry.
uint32_t sites_learn(struct sites *sites, struct sites_entry *entry, uint64_t pc);

static inline struct sites_entry *sites_entry_of(struct sites *sites, uint64_t pc) {
    return &sites->cache[(pc ^ pc >> 10) & (SITES_CACHE_MAX - 1)];
}

// The number of the place pc: 1, 2, … in the order of first use.  It goes into struct access.site.
static inline uint32_t sites_number(struct sites *sites, uint64_t pc) {
    struct sites_entry *entry = sites_entry_of(sites, pc);
    if (__builtin_expect(entry->pc == pc, 1)) {
        return entry->number;
    }
    return sites_learn(sites, entry, pc);
}

// Like sites_number, but also stores the phase (not 0) for sites_has_come.
static inline uint32_t sites_come(struct sites *sites, uint64_t pc, uint32_t phase) {
    uint32_t number = sites_number(sites, pc);
    sites_entry_of(sites, pc)->phase = phase;
    return number;
}

// True only if this phase has reached the place.
static inline bool sites_has_come(struct sites *sites, uint64_t pc, uint32_t phase) {
    const struct sites_entry *entry = sites_entry_of(sites, pc);
    return entry->pc == pc && entry->phase == phase;
}

static inline uint64_t sites_pc(const struct sites *sites, uint32_t number) {
    return sites->pc_of[number];
}

#endif
