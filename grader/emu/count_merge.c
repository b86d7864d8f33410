// Lanes that took the same way have the same sequence of keys, and their entries are merged by
// position.  From the first difference on, the n-th access of each lane at one place is one
// instruction.
#include "emu/count_merge.h"

#include <assert.h>
#include <string.h>

#include "emu/count_rules.h"

#define ALL_LANES 0xffffffffu

// --- One instruction ---------------------------------------------------------

static bool memo_fits(const struct count_memo *memo, uint32_t key, uint32_t mask, uint32_t phase,
                      const uint32_t address[WARP_LANES]) {
    if (memo->key != key || memo->mask != mask || memo->phase != phase) {
        return false;
    }
    uint32_t different = 0;
    for (int i = 0; i < WARP_LANES; i++) {
        different |= (address[i] - address[0]) ^ memo->delta[i];
    }
    return different == 0;
}

static uint32_t key_bytes(uint32_t key) {
    return key >> COUNT_KEY_BYTES & 31;
}

static enum count_kind key_kind(uint32_t key) {
    uint32_t kind = key & COUNT_KEY_ATOMIC ? 2 : key & COUNT_KEY_STORE ? 1 : 0;
    return (enum count_kind)(kind + (key & COUNT_KEY_SHARED ? COUNT_SHARED_LOAD : 0));
}

static uint32_t shared_passes(uint32_t key, uint32_t mask, const uint32_t address[WARP_LANES],
                              uint32_t *ret_ideal) {
    uint32_t bytes = key_bytes(key);
    if (key & COUNT_KEY_ATOMIC) {
        return count_atomic_wavefronts(address, bytes, mask, ret_ideal);
    }
    return key & COUNT_KEY_STORE ? count_store_wavefronts(address, bytes, mask, ret_ideal)
                                 : count_wavefronts(address, bytes, mask, ret_ideal);
}

static void memo_make(struct count_memo *memo, uint32_t key, uint32_t mask, uint32_t phase,
                      const uint32_t address[WARP_LANES]) {
    uint32_t bytes = key_bytes(key);
    memo->key = key;
    memo->mask = mask;
    memo->phase = phase;
    for (int i = 0; i < WARP_LANES; i++) {
        memo->delta[i] = address[i] - address[0];
    }
    memo->wavefronts = 0;
    memo->pattern = (struct count_pattern){.id = 0};
    if (key & COUNT_KEY_SHARED) {
        memo->passes = shared_passes(key, mask, address, &memo->ideal);
        if (bytes == BANK_BYTES) {
            memo->pattern = count_pattern_of(address, mask, memo->passes);
        }
    } else {
        uint32_t ideal = 0;
        uint32_t touched = count_sectors(address, mask);
        memo->passes = key & COUNT_KEY_ATOMIC ? count_atomic_sectors(address, mask) : touched;
        memo->ideal = count_ideal(mask, bytes, SECTOR_BYTES, touched);
        memo->wavefronts = count_wavefronts(address, bytes, mask, &ideal);
    }
}

static void shared_load_join(struct count *count, uint32_t warp, const struct count_memo *memo,
                             uint32_t address) {
    if (memo->pattern.id != 0) {
        count_join_load(&count->join, warp, &memo->pattern, address);
    } else {
        count_join_other(&count->join, memo->passes);
    }
}

// Counts one instruction.  Lanes outside mask have the address of one inside it.
static void count_instruction(struct count *count, uint32_t warp, uint32_t key, uint32_t mask,
                              const uint32_t address[WARP_LANES]) {
    // A pattern costs the same wherever it lies, but for its place in a sector (in shared memory:
    // in a word).
    uint32_t phase = address[0] % (key & COUNT_KEY_SHARED ? BANK_BYTES : SECTOR_BYTES);
    uint32_t place = (key >> COUNT_KEY_SITE) * (SECTOR_BYTES / 4) + phase / 4;
    struct count_memo *memo = &count->memo[place % COUNT_MEMO_MAX];
    uint32_t number = key >> COUNT_KEY_SITE;
    uint32_t site = number < COUNT_SITES_MAX ? number : 0;
    enum count_kind kind = key_kind(key);
    struct count_tally *tally = &count->tally[site][kind];
    uint32_t lanes = (uint32_t)__builtin_popcount(mask);

    if (!memo_fits(memo, key, mask, phase, address)) {
        memo_make(memo, key, mask, phase, address);
    }
    tally->requests++;
    tally->passes += memo->passes;
    tally->ideal += memo->ideal;
    tally->wavefronts += memo->wavefronts;
    tally->bytes += (uint64_t)lanes * key_bytes(key);
    tally->lanes += lanes;
    count->sites = site >= count->sites ? site + 1 : count->sites;
    if (kind == COUNT_SHARED_LOAD) {
        shared_load_join(count, warp, memo, address[0]);
    }
}

static uint32_t warp_number(const struct count *count, const struct count_warp *warp) {
    return (uint32_t)(warp - count->warp);
}

// --- By position -------------------------------------------------------------

static uint32_t longest(const struct count_warp *warp) {
    uint32_t most = 0;
    for (int i = 0; i < WARP_LANES; i++) {
        most = warp->length[i] > most ? warp->length[i] : most;
    }
    return most;
}

static uint32_t lanes_longer(const struct count_warp *warp, uint32_t position) {
    uint32_t mask = 0;
    for (int i = 0; i < WARP_LANES; i++) {
        mask |= (uint32_t)(warp->length[i] > position) << i;
    }
    return mask;
}

// Counts one position if all lanes in mask have the same key there.
static bool merge_position(struct count *count, struct count_warp *warp, uint32_t position,
                           uint32_t mask) {
    uint32_t *key = warp->key[position];
    uint32_t *address = warp->address[position];
    uint32_t first = (uint32_t)__builtin_ctz(mask);
    uint32_t different = 0;

    for (int i = 0; mask != ALL_LANES && i < WARP_LANES; i++) {
        bool active = mask >> i & 1;
        key[i] = active ? key[i] : key[first];
        address[i] = active ? address[i] : address[first];
    }
    for (int i = 0; i < WARP_LANES; i++) {
        different |= key[i] ^ key[0];
    }
    if (different) {
        return false;
    }
    count_instruction(count, warp_number(count, warp), key[0], mask, address);
    return true;
}

// Merges positions until the lanes part.  Returns how many.
static uint32_t merge_positions(struct count *count, struct count_warp *warp, uint32_t most) {
    uint32_t mask = 0;
    uint32_t same_until = 0;
    uint32_t position = 0;

    for (; position < most; position++) {
        if (position >= same_until) {
            mask = lanes_longer(warp, position);
            same_until = most;
            for (int i = 0; i < WARP_LANES; i++) {
                uint32_t length = warp->length[i];
                same_until = length > position && length < same_until ? length : same_until;
            }
        }
        if (!merge_position(count, warp, position, mask)) {
            break;
        }
    }
    return position;
}

// --- By place and occurrence -------------------------------------------------

// Lanes that parted: which entries of each are still to be merged.
struct parted {
    struct count_warp *warp;
    uint64_t all[WARP_LANES];   // bit per position, at the start
    uint64_t rest[WARP_LANES];  // not merged yet
    uint32_t
        waiting_keys[COUNT_LOG_MAX * WARP_LANES];  // whose next occurrence some lane still owes
    uint32_t waiting_count;
};

// The first of these entries of a lane with that key, or -1.
static int find_key(const struct count_warp *warp, int lane, uint64_t entries, uint32_t key) {
    for (; entries; entries &= entries - 1) {
        int position = __builtin_ctzll(entries);
        if (warp->key[position][lane] == key) {
            return position;
        }
    }
    return -1;
}

static bool is_waiting(const struct parted *parted, uint32_t key) {
    for (uint32_t i = 0; i < parted->waiting_count; i++) {
        if (parted->waiting_keys[i] == key) {
            return true;
        }
    }
    return false;
}

// True where lanes that will go on (their logs are full) may still come to this place as often as
// others did: those that come to it in turns have not come to it often enough, or none has been
// there yet.
static bool is_owed(const struct parted *parted, uint32_t key) {
    bool is_visited = false;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (parted->warp->length[lane] < COUNT_LOG_MAX) {
            continue;
        }
        bool has_left = find_key(parted->warp, lane, parted->rest[lane], key) >= 0;
        if (!has_left && find_key(parted->warp, lane, parted->all[lane], key) >= 0) {
            return true;
        }
        is_visited = is_visited || has_left;
    }
    return !is_visited;
}

// Counts the next occurrence of key in all lanes that have one.
static void merge_occurrence(struct count *count, struct parted *parted, uint32_t key) {
    uint32_t address[WARP_LANES] = {0};
    uint32_t mask = 0;

    for (int lane = 0; lane < WARP_LANES; lane++) {
        int position = find_key(parted->warp, lane, parted->rest[lane], key);
        if (position >= 0) {
            address[lane] = parted->warp->address[position][lane];
            parted->rest[lane] &= ~((uint64_t)1 << position);
            mask |= 1u << lane;
        }
    }
    assert(mask != 0);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        address[lane] = mask >> lane & 1 ? address[lane] : address[__builtin_ctz(mask)];
    }
    count_instruction(count, warp_number(count, parted->warp), key, mask, address);
}

// The first entry, by lane, whose key does not wait.  Returns its key; 0 if there is none.
static uint32_t next_key(const struct parted *parted) {
    for (int lane = 0; lane < WARP_LANES; lane++) {
        for (uint64_t rest = parted->rest[lane]; rest; rest &= rest - 1) {
            uint32_t key = parted->warp->key[__builtin_ctzll(rest)][lane];
            if (!is_waiting(parted, key)) {
                return key;
            }
        }
    }
    return 0;
}

static void merge_parted(struct count *count, struct parted *parted, bool may_wait) {
    for (uint32_t key = next_key(parted); key; key = next_key(parted)) {
        if (may_wait && is_owed(parted, key)) {
            parted->waiting_keys[parted->waiting_count++] = key;
        } else {
            merge_occurrence(count, parted, key);
        }
    }
}

static void parted_start(struct parted *parted, struct count_warp *warp, uint32_t from) {
    parted->warp = warp;
    parted->waiting_count = 0;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        uint64_t entries = warp->length[lane] == COUNT_LOG_MAX
                               ? ~(uint64_t)0
                               : ((uint64_t)1 << warp->length[lane]) - 1;
        parted->all[lane] = from == COUNT_LOG_MAX ? 0 : entries >> from << from;
        parted->rest[lane] = parted->all[lane];
    }
}

// Moves what is left to the front of the logs.
static void parted_keep(const struct parted *parted, struct count_warp *warp) {
    for (int lane = 0; lane < WARP_LANES; lane++) {
        uint32_t kept = 0;
        for (uint64_t rest = parted->rest[lane]; rest; rest &= rest - 1) {
            int position = __builtin_ctzll(rest);
            warp->key[kept][lane] = warp->key[position][lane];
            warp->address[kept][lane] = warp->address[position][lane];
            kept++;
        }
        warp->length[lane] = kept;
    }
}

void count_merge_all(struct count *count, struct count_warp *warp) {
    uint32_t most = longest(warp);
    uint32_t merged = merge_positions(count, warp, most);
    if (merged < most) {
        struct parted parted;
        parted_start(&parted, warp, merged);
        merge_parted(count, &parted, false);
    }
    memset(warp->length, 0, sizeof warp->length);
}

void count_make_room(struct count_warp *warp, struct count *count, uint32_t lane) {
    uint32_t most = longest(warp);
    uint32_t merged = merge_positions(count, warp, most);
    if (merged == most) {
        memset(warp->length, 0, sizeof warp->length);
        return;
    }
    struct parted parted;
    parted_start(&parted, warp, merged);
    merge_parted(count, &parted, true);
    parted_keep(&parted, warp);
    if (warp->length[lane] == COUNT_LOG_MAX) {
        count_merge_all(count, warp);  // one lane is too far ahead to wait for
    }
}
