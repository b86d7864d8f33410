// Merges the logs of lanes that took different paths.
//
// On a GPU such lanes wait for each other where their paths join.  Logs contain only accesses, so
// these places are estimated: lanes meet at places that all of them reach equally often, the rarest
// first, so that an outer loop precedes its inner loops.  Between two meetings, the n-th access of
// each lane at one place is one instruction.  This cannot detect iterations of an outer loop
// without any access that all lanes make.
//
// Sets of entries are bit masks over the positions of a lane's log.  A table by key has such a mask
// for each lane, so that the cost of merging a log does not grow with the number of paths.
#include "emu/count/merge.h"

#include <assert.h>
#include <string.h>

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
    uint32_t slot = key * 2654435761u >> 20;  // as many as there are slots
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

// Removes what precedes the next occurrence of a key from the lanes that have one.
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

void count_parted_all(struct count *count, struct count_warp *warp, uint32_t from) {
    struct diverged diverged = entries_from(count, warp, from);
    merge_between(count, &diverged, 0);
}

// --- If only the start of each path is known -----------------------------------

// The least times that a lane that goes on reaches a place; 0 if such a lane does not reach it or,
// with by_all, if any lane with entries left does not.
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

void count_parted_some(struct count *count, struct count_warp *warp, uint32_t from) {
    struct diverged diverged = entries_from(count, warp, from);
    uint32_t times = 0;
    uint32_t number = frequent_key(&diverged, true, &times);
    if (times == 0) {
        number = frequent_key(&diverged, false, &times);
    }
    // Lanes that do not go on, and have reached the place for the last time, wait for the others
    // after it.
    for (uint32_t i = 0; i < times; i++) {
        struct diverged before;
        take_before(&diverged, number, &before);
        merge_between(count, &before, 0);
        merge_occurrence(count, &diverged, number);
    }
    keep(&diverged);
}
