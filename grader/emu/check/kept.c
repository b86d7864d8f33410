// Copies the shadows of shared memory, because every block has the same addresses.
#include "emu/check/kept.h"

#include <string.h>

#include "emu/memory/vault.h"

struct kept {
    // The race checker.
    struct block_place place;
    uint32_t phase_start;
    uint32_t block_start;
    uint32_t order;
    uint64_t alive;
    uint32_t shift;
    struct follow_block *follow;
    // The other checkers.
    uint32_t block_stamp;
    struct async_queue queue[THREADS_MAX];
    uint64_t words;  // of shared memory
    uint64_t cells;  // of each plane
    // Then the cells of both planes and the stamps of the words.
    struct race_cell cell[];
};

static uint32_t *stamps_of(struct kept *kept) {
    return (uint32_t *)(void *)(kept->cell + 2 * kept->cells);
}

struct kept *kept_new(struct race *race, const struct uninit *uninit, const struct async *async) {
    const struct race_shadow *shadow = &race->shadow[SPACE_SHARED];
    uint64_t words = uninit ? uninit->map.bytes / 4 : 0;
    uint64_t cells = uninit ? shadow->bytes >> shadow->shift : 0;
    uint64_t bytes = 2 * cells * sizeof(struct race_cell) + words * sizeof(uint32_t);
    struct error err;
    void *memory = NULL;
    if (!race_block_may_wait(race) || vault_new(sizeof(struct kept) + bytes, &memory, &err)) {
        return NULL;
    }
    struct kept *kept = memory;
    race_settle(race);
    kept->place = race->place;
    kept->phase_start = race->phase_start;
    kept->block_start = race->block_start;
    kept->order = race->order;
    kept->alive = shadow->alive;
    kept->shift = shadow->shift;
    kept->follow = follow_block_away(race->follow);
    kept->words = words;
    kept->cells = cells;
    if (uninit) {
        kept->block_stamp = uninit->block_stamp;
        memcpy(kept->queue, async->queue, sizeof kept->queue);
    }
    if (words > 0) {
        memcpy(kept->cell, shadow->reads, cells * sizeof kept->cell[0]);
        memcpy(kept->cell + cells, shadow->writes, cells * sizeof kept->cell[0]);
        memcpy(stamps_of(kept), uninit->stamp, words * sizeof(uint32_t));
    }
    return kept;
}

void kept_free(struct kept *kept) {
    if (kept) {
        follow_block_free(kept->follow);
        vault_free(kept);
    }
}

static void race_back(struct kept *kept, struct race *race) {
    struct race_shadow *shadow = &race->shadow[SPACE_SHARED];
    uint32_t shift = shadow->shift;
    race_block_again(race, &kept->place);
    race->phase_start = kept->phase_start;
    race->block_start = kept->block_start;
    race->order = kept->order;
    shadow->alive = kept->alive;
    follow_block_back(race->follow, kept->follow);
    kept->follow = NULL;
    if (kept->words > 0) {
        memcpy(shadow->reads, kept->cell, kept->cells * sizeof kept->cell[0]);
        memcpy(shadow->writes, kept->cell + kept->cells, kept->cells * sizeof kept->cell[0]);
    }
    if (race->shape->cluster_blocks > 0) {
        return;  // the shadow has stayed where it is
    }
    shadow->shift = kept->shift;
    if (shift < kept->shift) {
        race_shadow_refine(shadow);
    }
}

void kept_back(struct kept *kept, struct race *race, struct uninit *uninit, struct async *async) {
    race_back(kept, race);
    if (uninit) {
        uninit->place = kept->place;
        uninit->block_stamp = kept->block_stamp;
        async->place = kept->place;
        memcpy(async->queue, kept->queue, sizeof kept->queue);
    }
    if (kept->words > 0) {
        memcpy(uninit->stamp, stamps_of(kept), kept->words * sizeof(uint32_t));
    }
    kept_free(kept);
}
