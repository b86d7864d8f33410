// An open hash table from places to numbers, behind the direct-mapped cache of sites.h.
#include "emu/sites.h"

#include <stdlib.h>

#define BUCKETS_MAX (2 * SITES_MAX)

enum status sites_new(struct sites **ret_sites, struct error *err) {
    struct sites *sites = calloc(1, sizeof *sites);
    if (sites) {
        sites->pc_of = calloc(SITES_MAX, sizeof *sites->pc_of);
        sites->bucket = calloc(BUCKETS_MAX, sizeof *sites->bucket);
    }
    if (!sites || !sites->pc_of || !sites->bucket) {
        sites_free(sites);
        return fail(err, STATUS_NO_MEMORY, "no memory for the table of places");
    }
    sites->count = 1;
    *ret_sites = sites;
    return STATUS_OK;
}

void sites_free(struct sites *sites) {
    if (sites) {
        free(sites->pc_of);
        free(sites->bucket);
        free(sites);
    }
}

uint32_t sites_learn(struct sites *sites, struct sites_entry *entry, uint64_t pc) {
    // Fibonacci hashing: Knuth, The Art of Computer Programming 3, 6.4.
    uint64_t place = (pc * 0x9e3779b97f4a7c15u >> 32) & (BUCKETS_MAX - 1);
    uint32_t number = sites->bucket[place];
    while (number && sites->pc_of[number] != pc) {
        place = (place + 1) & (BUCKETS_MAX - 1);
        number = sites->bucket[place];
    }
    if (!number && sites->count < SITES_MAX) {
        number = sites->count++;
        sites->bucket[place] = number;
        sites->pc_of[number] = pc;
    }
    entry->pc = pc;
    entry->number = number;
    return number;
}
