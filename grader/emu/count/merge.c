// Lanes that took the same path have the same sequence of keys, and their entries are merged by
// position.  From the first difference on, parted.c merges them.
#include "emu/count/merge.h"

#include <string.h>

#include "emu/count/rules.h"

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

// Notes whether a warp has to wait for what it loaded: `waits` in counts.h.  Once between barriers
// is enough, as nvcc moves the loads together.
static void wait_find(struct count *count, uint32_t warp, enum count_kind kind) {
    struct count_warp *state = &count->block->warp[warp];
    if (kind == COUNT_GLOBAL_LOAD && state->wait == COUNT_AHEAD) {
        state->wait = COUNT_LOADED;
    } else if (kind == COUNT_SHARED_LOAD && state->wait == COUNT_LOADED) {
        state->wait = COUNT_SETTLED;  // it computes in the meantime
    } else if (kind == COUNT_SHARED_STORE && state->wait == COUNT_LOADED) {
        state->wait = COUNT_SETTLED;
        count->waits++;
    }
}

void count_instruction(struct count *count, const struct count_warp *from, uint32_t key,
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

void count_turns(struct count *count, const struct count_warp *warp, uint32_t mask,
                 const uint8_t loops[WARP_LANES]) {
    if (mask == ALL_LANES && is_one_turn(warp, loops)) {
        count->turns++;
        return;
    }
    for (uint32_t rest = mask; rest; count->turns++) {
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

void count_merge_all(struct count *count, struct count_warp *warp) {
    uint32_t most = longest(warp);
    uint32_t merged = merge_positions(count, warp, most);
    if (merged < most) {
        count_parted_all(count, warp, merged);
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
    count_parted_some(count, warp, merged);
    if (warp->length[lane] == COUNT_LOG_MAX) {
        count_merge_all(count, warp);  // one lane is too far ahead to wait for
    }
}
