// A small hash table for each warp, by place and pattern, with a few slots for each hash.  If they
// are full, one place is counted without joining: the counts stay deterministic, and can only be
// too high.
#include "emu/count/join.h"

#include <stdbool.h>

#include "emu/count/rules.h"

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
