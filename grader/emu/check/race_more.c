// A table of chains, by word; entry 0 is none.
#include "emu/check/race_more.h"

#include <stdbool.h>
#include <string.h>

#include "emu/check/race_shadow.h"
#include "emu/memory/vault.h"

#define CHAIN_BITS  14
#define ENTRIES_MAX (1u << 20)
#define WORD_MAX    128  // entries of one word

struct more_entry {
    uint64_t word;
    uint64_t slot;
    uint32_t next;
};

struct race_more {
    uint32_t count;
    uint32_t chain[1u << CHAIN_BITS];
    struct more_entry entry[ENTRIES_MAX];  // pages that are not touched take no memory
};

enum status race_more_new(struct race_more **ret_more, struct error *err) {
    void *memory = NULL;
    enum status status = vault_new(sizeof(struct race_more), &memory, err);
    if (!status) {
        *ret_more = memory;
        (*ret_more)->count = 1;
    }
    return status;
}

void race_more_free(struct race_more *more) {
    vault_free(more);
}

// Source of the factor: Knuth, The Art of Computer Programming 3, 6.4.
static uint32_t chain_of(uint64_t word) {
    return (uint32_t)(word * 0x9e3779b97f4a7c15u >> (64 - CHAIN_BITS));
}

// A block has few entries as a rule, and the chains are large.
void race_more_clear(struct race_more *more) {
    for (; more->count > 1; more->count--) {
        more->chain[chain_of(more->entry[more->count - 1].word)] = 0;
    }
}

uint64_t race_more_next(const struct race_more *more, uint64_t word, uint32_t *at) {
    *at = *at == 0 ? more->chain[chain_of(word)] : more->entry[*at].next;
    while (*at != 0 && more->entry[*at].word != word) {
        *at = more->entry[*at].next;
    }
    return *at == 0 ? 0 : more->entry[*at].slot;
}

void race_more_set(struct race_more *more, uint32_t at, uint64_t slot) {
    more->entry[at].slot = slot;
}

static void append(struct race_more *more, uint64_t word, uint64_t slot) {
    if (more->count < ENTRIES_MAX) {
        uint32_t *chain = &more->chain[chain_of(word)];
        more->entry[more->count] = (struct more_entry){.word = word, .slot = slot, .next = *chain};
        *chain = more->count++;
    }
}

void race_more_add(struct race_more *more, uint64_t word, uint64_t slot, uint64_t alive,
                   uint64_t block_now) {
    uint32_t at = 0;
    uint32_t of_word = 0;
    uint64_t there = race_more_next(more, word, &at);
    while (there != 0) {
        bool mine = there >= block_now && ((there ^ slot) & SLOT_THREAD) == 0;
        if (there < alive || mine) {
            more->entry[at].slot = slot;
            return;
        }
        there = race_more_next(more, word, &at);
        of_word++;
    }
    if (of_word < WORD_MAX) {
        append(more, word, slot);
    }
}

// race_unit permutes units by their higher bits, which is its own inverse.
static uint64_t permuted(uint64_t unit, uint64_t spread) {
    return unit ^ (unit >> 6 & spread);
}

static bool is_of(uint64_t word, enum memory_space space) {
    return (word >> 1 & 1) == (space == SPACE_SHARED);
}

void race_more_refine(struct race_more *more, enum memory_space space, uint64_t spread) {
    uint32_t count = more->count;
    memset(more->chain, 0, sizeof more->chain);
    more->count = 1;
    // Each entry keeps its place, for the first byte; the other bytes come behind all of them.
    for (uint32_t i = 1; i < count; i++) {
        struct more_entry entry = more->entry[i];
        uint64_t byte = 4 * permuted(entry.word >> 2, spread);
        if (is_of(entry.word, space)) {
            entry.word = race_shadow_word(permuted(byte, spread), space, entry.word & 1);
        }
        append(more, entry.word, entry.slot);
    }
    for (uint32_t i = 1; i < count; i++) {
        struct more_entry entry = more->entry[i];
        uint64_t byte = permuted(entry.word >> 2, spread);
        for (uint64_t j = 1; is_of(entry.word, space) && j < 4; j++) {
            uint64_t unit = permuted(byte + j, spread);
            append(more, race_shadow_word(unit, space, entry.word & 1), entry.slot);
        }
    }
}
