// Copies the shadow of shared memory, because every block has the same addresses.  Where blocks
// wait, most of it is dead: only pieces with an access that is alive are copied.
#include "emu/check/kept.h"

#include <string.h>

#include "emu/memory/vault.h"

#define PIECE_CELLS 256u

struct piece {
    uint64_t first;  // cell
    bool writes;     // of this plane
    struct race_cell cell[PIECE_CELLS];
};

struct race_saved {
    struct block_place place;
    uint32_t phase_start;
    uint32_t block_start;
    uint32_t order;
    uint64_t alive;
    uint32_t shift;
    struct follow_block *follow;
    uint64_t count;
    struct piece piece[];
};

static uint64_t cells_of(const struct race_shadow *shadow) {
    return shadow->bytes >> shadow->shift;
}

static struct race_cell *plane_of(const struct race_shadow *shadow, bool writes) {
    return writes ? shadow->writes : shadow->reads;
}

// The cells of a piece that a plane has.
static uint64_t piece_bytes(const struct race_shadow *shadow, uint64_t first) {
    uint64_t left = cells_of(shadow) - first;
    return (left < PIECE_CELLS ? left : PIECE_CELLS) * sizeof(struct race_cell);
}

static bool is_alive(const struct race_shadow *shadow, const struct race_cell *cell,
                     uint64_t bytes) {
    for (uint64_t i = 0; i < bytes / sizeof *cell; i++) {
        if (cell[i].first >= shadow->alive) {
            return true;
        }
    }
    return false;
}

// Copies the pieces that are alive, if there is a place to.  Returns how many they are.
static uint64_t pieces_copy(const struct race_shadow *shadow, struct piece *to) {
    uint64_t count = 0;
    for (uint64_t first = 0; first < cells_of(shadow); first += PIECE_CELLS) {
        uint64_t bytes = piece_bytes(shadow, first);
        for (int writes = 0; writes < 2; writes++) {
            const struct race_cell *from = plane_of(shadow, writes) + first;
            if (!is_alive(shadow, from, bytes)) {
                continue;
            }
            if (to) {
                to[count].first = first;
                to[count].writes = writes;
                memcpy(to[count].cell, from, bytes);
            }
            count++;
        }
    }
    return count;
}

struct race_saved *race_save(struct race *race, struct race_saved *earlier) {
    const struct race_shadow *shadow = &race->shadow[SPACE_SHARED];
    bool copies = race->shape->cluster_blocks == 0;
    struct error err;
    void *memory = NULL;
    race_settle(race);
    uint64_t count = copies ? pieces_copy(shadow, NULL) : 0;
    if (!race_block_may_wait(race)) {
        race_saved_free(earlier);
        return NULL;
    }
    if (vault_reuse(earlier, sizeof(struct race_saved) + count * sizeof(struct piece), &memory,
                    &err)) {
        return NULL;
    }
    struct race_saved *kept = memory;
    kept->place = race->place;
    kept->phase_start = race->phase_start;
    kept->block_start = race->block_start;
    kept->order = race->order;
    kept->alive = shadow->alive;
    kept->shift = shadow->shift;
    kept->follow = follow_block_away(race->follow);
    kept->count = count;
    if (copies) {
        (void)pieces_copy(shadow, kept->piece);
    }
    return kept;
}

void race_saved_free(struct race_saved *kept) {
    if (kept) {
        follow_block_free(kept->follow);
        vault_free(kept);
    }
}

// What other blocks have left in the other pieces is no conflict with this one.  But if their units
// are others, it is at other places.
static void shadow_back(struct race_shadow *shadow, const struct race_saved *kept) {
    uint32_t shift = shadow->shift;
    shadow->shift = kept->shift;
    if (shift != kept->shift) {
        memset(shadow->reads, 0, cells_of(shadow) * sizeof shadow->reads[0]);
        memset(shadow->writes, 0, cells_of(shadow) * sizeof shadow->writes[0]);
    }
    for (uint64_t i = 0; i < kept->count; i++) {
        const struct piece *piece = &kept->piece[i];
        memcpy(plane_of(shadow, piece->writes) + piece->first, piece->cell,
               piece_bytes(shadow, piece->first));
    }
    if (shift < kept->shift) {
        race_shadow_refine(shadow);
    }
}

void race_restore(struct race_saved *kept, struct race *race) {
    struct race_shadow *shadow = &race->shadow[SPACE_SHARED];
    race_block_again(race, &kept->place);
    race->phase_start = kept->phase_start;
    race->block_start = kept->block_start;
    race->order = kept->order;
    shadow->alive = kept->alive;
    follow_block_back(race->follow, kept->follow);
    kept->follow = NULL;
    if (race->shape->cluster_blocks == 0) {
        shadow_back(shadow, kept);
    }
}
