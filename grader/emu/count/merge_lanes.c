// A small hash table for each warp, by place and pattern, with a few slots for each hash.  If the
// slots are full, one place is counted without joining: the counts stay deterministic, and can only
// be too high.
//
// Lanes that took the same path have the same sequence of keys, and their entries are merged by
// position.  From the first difference on, merge_lanes.c merges them.
//
// Merges the logs of lanes that took different paths.
//
// On a GPU such lanes wait for each other where their paths join.  Logs contain only accesses, so
// these places are estimated: lanes meet at places that all of them reach equally often, the rarest
// first, so that an outer loop comes before its inner loops.  Between two meetings, the n-th access
// of each lane at one place is one instruction.  This cannot detect the iterations of an outer loop
// in which no access is common to all lanes.
//
// Sets of entries are bit masks over the positions of a lane's log.  A table by key has such a mask
// for each lane, so that the cost of merging a log does not grow with the number of paths.
#include "emu/count/count.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "emu/count/count_rules.h"

#define ALL_WORDS ((1u << COUNT_CHUNK_WORDS) - 1)
#define SLOTS     8  // searched for one place

// FNV-1a over words.
static uint32_t hash_add(uint32_t hash, uint32_t word) {
    return (hash ^ word) * 16777619u;
}

static bool multiples_of(const uint32_t address[WARP_LANES], uint32_t bytes) {
    for (uint32_t lane = 1; lane < WARP_LANES; lane++) {
        if ((address[lane] - address[0]) % bytes != 0) {
            return false;
        }
    }
    return true;
}

// Wavefronts of an access of `bytes` bytes per lane whose first lane is aligned to them.
static uint32_t wide(const uint32_t address[WARP_LANES], uint32_t mask, uint32_t bytes) {
    uint32_t aligned[WARP_LANES];
    uint32_t ideal = 0;
    if (!multiples_of(address, bytes)) {
        return 0;
    }
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        aligned[lane] = address[lane] - address[0] % bytes;
    }
    return count_wavefronts(aligned, bytes, mask, &ideal);
}

struct count_pattern count_pattern_of(const uint32_t address[WARP_LANES], uint32_t mask,
                                      uint32_t wavefronts) {
    uint32_t hash = hash_add(2166136261u, mask);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        hash = hash_add(hash, address[lane] - address[0]);
    }
    return (struct count_pattern){.id = hash ? hash : 1,
                                  .mask = mask,
                                  .word = wavefronts,
                                  .two = wide(address, mask, 2 * BANK_BYTES),
                                  .four = wide(address, mask, COUNT_CHUNK_BYTES)};
}

// Counts two neighbouring words, which are one instruction if both were loaded.
static void pair_retire(struct count_join *join, const struct count_pattern *pattern,
                        uint32_t words) {
    uint32_t count = (words & 1u) + (words >> 1 & 1u);
    if (count == 2 && pattern->two > 0) {
        count_join_other(join, pattern->two,
                         count_ideal(pattern->mask, 2 * BANK_BYTES, WAVEFRONT_BYTES, pattern->two));
        return;
    }
    join->requests += count;
    join->wavefronts += (uint64_t)count * pattern->word;
    join->ideal +=
        (uint64_t)count * count_ideal(pattern->mask, BANK_BYTES, WAVEFRONT_BYTES, pattern->word);
}

static void chunk_retire(struct count_join *join, struct count_chunk *chunk) {
    if (chunk->words == ALL_WORDS && chunk->pattern.four > 0) {
        const struct count_pattern *pattern = &chunk->pattern;
        count_join_other(
            join, pattern->four,
            count_ideal(pattern->mask, COUNT_CHUNK_BYTES, WAVEFRONT_BYTES, pattern->four));
    } else {
        pair_retire(join, &chunk->pattern, chunk->words & 3u);
        pair_retire(join, &chunk->pattern, chunk->words >> 2);
    }
    chunk->words = 0;
}

// The slot of a place: its own, else an empty one, else the first, which is counted and reused.
static uint32_t slot_of(const struct count_chunk *chunks, uint32_t id, uint32_t place) {
    uint32_t first = (place ^ id * 2654435761u >> 16) % COUNT_CHUNKS_MAX;
    uint32_t free_slot = first;
    for (uint32_t i = 0; i < SLOTS; i++) {
        uint32_t at = first ^ i;
        if (chunks[at].words && chunks[at].place == place && chunks[at].pattern.id == id) {
            return at;
        }
        free_slot = !chunks[at].words && chunks[free_slot].words ? at : free_slot;
    }
    return free_slot;
}

void count_join_load(struct count_join *join, uint32_t warp, const struct count_pattern *pattern,
                     uint32_t address) {
    uint32_t place = address / COUNT_CHUNK_BYTES;
    uint32_t word = 1u << address / BANK_BYTES % COUNT_CHUNK_WORDS;
    uint32_t at = slot_of(join->chunk[warp], pattern->id, place);
    struct count_chunk *chunk = &join->chunk[warp][at];
    if (chunk->words &&
        (chunk->place != place || chunk->pattern.id != pattern->id || (chunk->words & word))) {
        chunk_retire(join, chunk);
    }
    if (!chunk->words) {
        chunk->place = place;
        chunk->pattern = *pattern;
        if (join->used_count[warp] == COUNT_CHUNKS_MAX) {
            count_join_flush(join, warp);  // the list may contain reused slots twice
        }
        join->used[warp][join->used_count[warp]++] = (uint8_t)at;
    }
    chunk->words |= word;
    if (chunk->words == ALL_WORDS) {
        chunk_retire(join, chunk);
    }
}

void count_join_flush(struct count_join *join, uint32_t warp) {
    for (uint32_t i = 0; i < join->used_count[warp]; i++) {
        struct count_chunk *chunk = &join->chunk[warp][join->used[warp][i]];
        if (chunk->words) {
            chunk_retire(join, chunk);
        }
    }
    join->used_count[warp] = 0;
}

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
        uint32_t touched = key & COUNT_KEY_COPY ? count_copy_sectors(address, bytes, mask)
                                                : count_sectors(address, mask);
        memo->passes = key & COUNT_KEY_ATOMIC ? count_atomic_sectors(address, mask) : touched;
        memo->ideal = count_ideal(mask, bytes, SECTOR_BYTES, touched);
        memo->wavefronts = count_wavefronts(address, bytes, mask, &ideal);
    }
}

static void shared_load_join(struct count *count, uint32_t warp, const struct count_memo *memo,
                             uint32_t address) {
    if (memo->pattern.id != 0) {
        count_join_load(&count->block->join, warp, &memo->pattern, address);
    } else {
        count_join_other(&count->block->join, memo->passes, memo->ideal);
    }
}

// Notes whether a warp has to wait for its loads: `waits` in counts.h.  One wait between barriers
// is enough, as nvcc moves the loads together.
static void wait_find(struct count *count, uint32_t warp, enum count_kind kind) {
    struct count_warp *state = &count->block->warp[warp];
    if (kind == COUNT_GLOBAL_LOAD && state->wait == COUNT_AHEAD) {
        state->wait = COUNT_LOADED;
    } else if (kind == COUNT_SHARED_LOAD && state->wait == COUNT_LOADED) {
        state->wait = COUNT_SETTLED;  // it computes in the meantime
    } else if (kind == COUNT_SHARED_STORE && state->wait == COUNT_LOADED) {
        state->wait = COUNT_SETTLED;
        count->sums.waits++;
    }
}

// Counts one instruction of a warp.  Lanes outside mask have the address of a lane in it.
static void count_instruction(struct count *count, const struct count_warp *from, uint32_t key,
                              uint32_t mask, const uint32_t address[WARP_LANES]) {
    // The cost of a pattern depends on its address only through the offset in a sector (in shared
    // memory: in a word).
    uint32_t phase = address[0] % (key & COUNT_KEY_SHARED ? BANK_BYTES : SECTOR_BYTES);
    uint32_t place = (key >> COUNT_KEY_SITE) * (SECTOR_BYTES / 4) + phase / 4;
    struct count_memo *memo = &count->memo[place % COUNT_MEMO_MAX];
    uint32_t number = key >> COUNT_KEY_SITE;
    uint32_t site = number < COUNT_SITES_MAX ? number : 0;
    enum count_kind kind = key_kind(key);
    struct count_tally *tally = &count->tally[site][kind];
    uint32_t lanes = (uint32_t)__builtin_popcount(mask);
    key |= count->copies[site] ? COUNT_KEY_COPY : 0;

    if (!memo_fits(memo, key, mask, phase, address)) {
        memo_make(memo, key, mask, phase, address);
    }
    tally->requests++;
    tally->passes += memo->passes;
    tally->ideal += memo->ideal;
    tally->wavefronts += memo->wavefronts;
    count->block->passes += key & COUNT_KEY_SHARED ? memo->passes : memo->wavefronts;
    tally->bytes += (uint64_t)lanes * key_bytes(key);
    tally->lanes += lanes;
    count->sites = site >= count->sites ? site + 1 : count->sites;
    if (!count->copies[site]) {
        wait_find(count, (uint32_t)(from - count->block->warp), kind);
    }
    if (kind == COUNT_SHARED_LOAD) {
        shared_load_join(count, (uint32_t)(from - count->block->warp), memo, address[0]);
    }
}

// True if all 32 lanes have run as many iterations since they last met.
static bool is_one_turn(const struct count_warp *warp, const uint8_t loops[WARP_LANES]) {
    uint8_t since[WARP_LANES];
    uint8_t different = 0;
    for (int i = 0; i < WARP_LANES; i++) {
        since[i] = (uint8_t)(loops[i] - warp->loops_met[i]);
    }
    for (int i = 0; i < WARP_LANES; i++) {
        different |= since[i] ^ since[0];
    }
    return !different;
}

// Adds to the turns that a GPU takes for it: see counts.h. loops: the iterations of each lane when
// it came there.
static void count_turns(struct count *count, const struct count_warp *warp, uint32_t mask,
                        const uint8_t loops[WARP_LANES]) {
    if (mask == ALL_LANES && is_one_turn(warp, loops)) {
        count->sums.turns++;
        return;
    }
    for (uint32_t rest = mask; rest; count->sums.turns++) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint8_t first = (uint8_t)(loops[lane] - warp->loops_met[lane]);
        for (uint32_t others = rest; others; others &= others - 1) {
            lane = (uint32_t)__builtin_ctz(others);
            bool same = (uint8_t)(loops[lane] - warp->loops_met[lane]) == first;
            rest &= ~((uint32_t)same << lane);
        }
    }
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
    count_instruction(count, warp, key[0], mask, address);
    count_turns(count, warp, mask, warp->loops[position]);
    return true;
}

// Merges positions until the lanes diverge.  Returns how many.
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

static void count_parted_all(struct count *count, struct count_warp *warp, uint32_t from);

void count_merge_all(struct count *count, struct count_warp *warp) {
    uint32_t most = longest(warp);
    uint32_t merged = merge_positions(count, warp, most);
    if (merged < most) {
        count_parted_all(count, warp, merged);
    }
    memset(warp->length, 0, sizeof warp->length);
}

static void count_parted_some(struct count *count, struct count_warp *warp, uint32_t from);

void count_make_room(struct count_warp *warp, struct count *count, uint32_t lane) {
    uint32_t most = longest(warp);
    uint32_t merged = merge_positions(count, warp, most);
    if (merged == most) {
        memset(warp->length, 0, sizeof warp->length);
        return;
    }
    count_parted_some(count, warp, merged);
    if (warp->length[lane] == COUNT_LOG_MAX) {
        count_merge_all(count, warp);  // one lane is too far ahead to wait for
    }
}

#define DEPTH_MAX 12  // nested meeting places; this runs on the stack of a thread

// Which entries of each lane are still to be merged.
struct diverged {
    struct count_warp *warp;
    struct count_keys *keys;
    uint64_t rest[WARP_LANES];
};

// --- By key ------------------------------------------------------------------

// The number of a key; a new one has no entries yet.
static uint16_t key_number(struct count_keys *keys, uint32_t key) {
    uint32_t slot = key * 2654435761u >> 20;  // the upper 12 bits: COUNT_KEY_SLOTS values
    while (keys->slot[slot] != 0 && keys->key[keys->slot[slot] - 1] != key) {
        slot = (slot + 1) % COUNT_KEY_SLOTS;
    }
    if (keys->slot[slot] == 0) {
        keys->key[keys->count] = key;
        keys->lanes[keys->count] = 0;
        memset(keys->entries[keys->count], 0, sizeof keys->entries[0]);
        keys->slot[slot] = (uint16_t)++keys->count;
    }
    return (uint16_t)(keys->slot[slot] - 1);
}

static void keys_find(struct diverged *diverged) {
    struct count_keys *keys = diverged->keys;
    keys->count = 0;
    memset(keys->slot, 0, sizeof keys->slot);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        for (uint64_t rest = diverged->rest[lane]; rest; rest &= rest - 1) {
            int position = __builtin_ctzll(rest);
            uint16_t number = key_number(keys, diverged->warp->key[position][lane]);
            keys->lanes[number] |= 1u << lane;
            keys->entries[number][lane] |= (uint64_t)1 << position;
            keys->number[position][lane] = number;
        }
    }
}

// The entries of a lane that have this key.
static uint64_t entries_of(const struct diverged *diverged, int lane, uint32_t number) {
    return diverged->keys->entries[number][lane] & diverged->rest[lane];
}

static uint32_t occurrences_of(const struct diverged *diverged, int lane, uint32_t number) {
    return (uint32_t)__builtin_popcountll(entries_of(diverged, lane, number));
}

static bool goes_on(const struct diverged *diverged, int lane) {
    return diverged->warp->length[lane] == COUNT_LOG_MAX;
}

// --- By occurrence -----------------------------------------------------------

// Counts the next occurrence of a key in all lanes that have one.
static void merge_occurrence(struct count *count, struct diverged *diverged, uint32_t number) {
    uint32_t address[WARP_LANES];
    uint8_t loops[WARP_LANES];
    uint32_t mask = 0;

    for (uint32_t lanes = diverged->keys->lanes[number]; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        uint64_t entries = entries_of(diverged, lane, number);
        if (entries) {
            int position = __builtin_ctzll(entries);
            address[lane] = diverged->warp->address[position][lane];
            loops[lane] = diverged->warp->loops[position][lane];
            diverged->rest[lane] &= ~((uint64_t)1 << position);
            mask |= 1u << lane;
        }
    }
    assert(mask != 0);
    uint32_t first = address[__builtin_ctz(mask)];
    for (uint32_t lanes = ~mask; lanes; lanes &= lanes - 1) {
        address[__builtin_ctz(lanes)] = first;
    }
    count_instruction(count, diverged->warp, diverged->keys->key[number], mask, address);
    count_turns(count, diverged->warp, mask, loops);
}

static void merge_occurrences(struct count *count, struct diverged *diverged) {
    for (int lane = 0; lane < WARP_LANES; lane++) {
        while (diverged->rest[lane]) {
            int position = __builtin_ctzll(diverged->rest[lane]);
            merge_occurrence(count, diverged, diverged->keys->number[position][lane]);
        }
    }
}

// --- Where lanes meet --------------------------------------------------------

// How often every lane with entries left reaches a place; 0 if the lanes differ.
static uint32_t times_of_all(const struct diverged *diverged, uint32_t number) {
    uint32_t times = 0;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (diverged->rest[lane]) {
            uint32_t mine = occurrences_of(diverged, lane, number);
            if (mine == 0 || (times > 0 && mine != times)) {
                return 0;
            }
            times = mine;
        }
    }
    return times;
}

// The rarest place that all lanes with entries left reach equally often, with *ret_times; 0 times
// if there is none.
static uint32_t meeting_key(const struct diverged *diverged, uint32_t *ret_times) {
    uint32_t best = 0;
    int lane = 0;
    *ret_times = 0;
    while (lane < WARP_LANES && !diverged->rest[lane]) {
        lane++;
    }
    uint64_t rest = lane < WARP_LANES ? diverged->rest[lane] : 0;
    while (rest) {
        uint32_t number = diverged->keys->number[__builtin_ctzll(rest)][lane];
        uint32_t times = times_of_all(diverged, number);
        if (times > 0 && (*ret_times == 0 || times < *ret_times)) {
            best = number;
            *ret_times = times;
        }
        rest &= ~entries_of(diverged, lane, number);
    }
    return best;
}

// Removes everything before the next occurrence of a key from the lanes that have one.
static void take_before(struct diverged *diverged, uint32_t number, struct diverged *ret_before) {
    ret_before->warp = diverged->warp;
    ret_before->keys = diverged->keys;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        uint64_t entries = entries_of(diverged, lane, number);
        uint64_t before = entries ? (entries & -entries) - 1 : 0;
        ret_before->rest[lane] = diverged->rest[lane] & before;
        diverged->rest[lane] &= ~before;
    }
}

// Merges entries of lanes that are converged before the first and after the last of these entries.
static void merge_between(struct count *count, struct diverged *diverged, int depth) {
    uint32_t times = 0;
    uint32_t number = depth < DEPTH_MAX ? meeting_key(diverged, &times) : 0;
    for (uint32_t i = 0; i < times; i++) {
        struct diverged before;
        take_before(diverged, number, &before);
        merge_between(count, &before, depth + 1);
        merge_occurrence(count, diverged, number);
    }
    if (times > 0) {
        merge_between(count, diverged, depth + 1);
    } else {
        merge_occurrences(count, diverged);
    }
}

static struct diverged entries_from(struct count *count, struct count_warp *warp, uint32_t from) {
    struct diverged diverged = {.warp = warp, .keys = &count->keys};
    for (int lane = 0; lane < WARP_LANES; lane++) {
        uint64_t entries = warp->length[lane] == COUNT_LOG_MAX
                               ? ~(uint64_t)0
                               : ((uint64_t)1 << warp->length[lane]) - 1;
        diverged.rest[lane] = from == COUNT_LOG_MAX ? 0 : entries >> from << from;
    }
    keys_find(&diverged);
    return diverged;
}

// Merges and counts all entries from position `from` on: the lanes are at one point.
static void count_parted_all(struct count *count, struct count_warp *warp, uint32_t from) {
    struct diverged diverged = entries_from(count, warp, from);
    merge_between(count, &diverged, 0);
}

// --- If only the start of each path is known -----------------------------------

// The minimum number of times that a continuing lane reaches a place; 0 if such a lane does not
// reach it or, with by_all, if any lane with entries left does not.
static uint32_t times_at_least(const struct diverged *diverged, uint32_t number, bool by_all) {
    uint32_t least = COUNT_LOG_MAX;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!goes_on(diverged, lane) && !(by_all && diverged->rest[lane])) {
            continue;
        }
        uint32_t mine = occurrences_of(diverged, lane, number);
        if (mine == 0) {
            return 0;
        }
        least = goes_on(diverged, lane) && mine < least ? mine : least;
    }
    return least;
}

// The most frequent place of all lanes that go on; *ret_times is 0 if there is none.
static uint32_t frequent_key(const struct diverged *diverged, bool by_all, uint32_t *ret_times) {
    uint32_t best = 0;
    int lane = 0;
    *ret_times = 0;
    while (lane < WARP_LANES && !goes_on(diverged, lane)) {
        lane++;
    }
    uint64_t rest = lane < WARP_LANES ? diverged->rest[lane] : 0;
    while (rest) {
        uint32_t number = diverged->keys->number[__builtin_ctzll(rest)][lane];
        uint32_t times = times_at_least(diverged, number, by_all);
        if (times > *ret_times) {
            best = number;
            *ret_times = times;
        }
        rest &= ~entries_of(diverged, lane, number);
    }
    return best;
}

// Moves the remaining entries to the front of the logs.
static void keep(const struct diverged *diverged) {
    struct count_warp *warp = diverged->warp;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        uint32_t kept = 0;
        for (uint64_t rest = diverged->rest[lane]; rest; rest &= rest - 1) {
            int position = __builtin_ctzll(rest);
            warp->key[kept][lane] = warp->key[position][lane];
            warp->address[kept][lane] = warp->address[position][lane];
            warp->loops[kept][lane] = warp->loops[position][lane];
            kept++;
        }
        warp->length[lane] = kept;
    }
}

// Merges and counts as many entries from position `from` on as possible, while lanes with full logs
// have not finished.  Moves the other entries to the front of the logs.
static void count_parted_some(struct count *count, struct count_warp *warp, uint32_t from) {
    struct diverged diverged = entries_from(count, warp, from);
    uint32_t times = 0;
    uint32_t number = frequent_key(&diverged, true, &times);
    if (times == 0) {
        number = frequent_key(&diverged, false, &times);
    }
    // Lanes that do not continue, and have reached the place for the last time, wait for the others
    // after it.
    for (uint32_t i = 0; i < times; i++) {
        struct diverged before;
        take_before(&diverged, number, &before);
        merge_between(count, &before, 0);
        merge_occurrence(count, &diverged, number);
    }
    keep(&diverged);
}
