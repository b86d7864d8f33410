// An open-addressing hash table from places to numbers, used when the direct-mapped cache of
// sites.h misses.
#include "emu/memory/sites.h"

#include <string.h>

#include "emu/memory/vault.h"

#define BUCKETS_MAX (2 * SITES_MAX)

// Fibonacci hashing: Knuth, The Art of Computer Programming 3, 6.4.
static uint64_t first_bucket(uint64_t pc) {
    return (pc * 0x9e3779b97f4a7c15u >> 32) & (BUCKETS_MAX - 1);
}

enum status sites_new(struct sites **ret_sites, struct error *err) {
    struct sites *sites = NULL;
    enum status status = vault_need(&sites, sizeof *sites, err);
    status = status ? status : vault_need(&sites->pc_of, SITES_MAX * sizeof *sites->pc_of, err);
    status = status ? status : vault_need(&sites->bucket, BUCKETS_MAX * sizeof *sites->bucket, err);
    if (!status) {
        sites->count = 1;
        *ret_sites = sites;
    }
    return status;
}

void sites_clear(struct sites *sites) {
    for (uint32_t number = 1; number < sites->count; number++) {
        uint64_t place = first_bucket(sites->pc_of[number]);
        while (sites->bucket[place] != number) {
            place = (place + 1) & (BUCKETS_MAX - 1);
        }
        sites->bucket[place] = 0;
    }
    memset(sites->cache, 0, sizeof sites->cache);
    sites->count = 1;
}

uint32_t sites_learn(struct sites *sites, struct sites_entry *entry, uint64_t pc) {
    uint64_t place = first_bucket(pc);
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
    entry->phase = 0;
    return number;
}
