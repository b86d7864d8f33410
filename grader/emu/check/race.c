// Opens and closes the race checker, and handles the events that order accesses: launches, blocks,
// barriers and warp barriers.
//
// Copies the shadow of shared memory, because every block has the same addresses.  When blocks
// wait, most of the shadow is dead: only pieces with a live access are copied.
#include "emu/check/race.h"

#include <string.h>

#include "emu/memory/vault.h"

#define EPOCH_RENEW    (1u << 31)  // a launch that starts above this clears the shadow
#define BLOCKS_TRACKED (1u << 20)  // blocks that a finding can name as the earlier block

enum status race_follow(struct race *race, bool follows, struct error *err) {
    enum status status = STATUS_OK;
    if (follows && !race->follow_memory) {
        status = follow_new(&race->follow_memory, err);
    }
    if (!status && (follows || race->keeps_all) && !race->more_memory) {
        status = race_more_new(&race->more_memory, err);
    }
    race->follow = follows ? race->follow_memory : NULL;
    race->more = follows || race->keeps_all ? race->more_memory : NULL;
    return status;
}

enum status race_keep_all(struct race *race, struct error *err) {
    race->keeps_all = true;
    return race_follow(race, race->follow != NULL, err);
}

// Begins a new epoch.  All earlier accesses have a smaller epoch.
static void advance(struct race *race) {
    race->epoch++;
    race->now = (uint64_t)race->epoch << SLOT_EPOCH_SHIFT;
}

static void begin_phase(struct race *race) {
    race_settle(race);
    race_guess_settle(&race->guesses, race->findings);
    advance(race);
    race->phase_start = race->epoch;
    race->order = 0;
    if (race->shape->cluster_blocks == 0) {  // in a cluster, a barrier orders only one of the
                                             // blocks
        race->shadow[SPACE_SHARED].alive = race->now;
    }
    if (race->more && !race->follow) {
        race_more_clear(race->more);  // accesses of different phases of the block are ordered
    }
}

// Without this the epoch would overflow after hours of launches.
static void renew(struct race *race) {
    race_shadow_clear(&race->shadow[SPACE_GLOBAL]);
    race_shadow_clear(&race->shadow[SPACE_SHARED]);
    memset(race->site, 0, sizeof race->site);
    memset(race->warp, 0, sizeof race->warp);
    race->epoch = 0;
}

static enum status blocks_grow(struct race *race, uint64_t blocks, struct error *err) {
    struct race_block *memory = NULL;
    if (blocks <= race->block_max) {
        return STATUS_OK;
    }
    enum status status = vault_need(&memory, blocks * sizeof *memory, err);
    if (status) {
        return status;
    }
    if (race->block) {
        memcpy(memory, race->block, race->block_max * sizeof *race->block);
    }
    vault_free(race->block);
    race->block = memory;
    race->block_max = blocks;
    return STATUS_OK;
}

static enum status reserve_blocks(struct race *race, const struct launch_shape *shape,
                                  struct error *err) {
    uint64_t blocks = 1;
    for (int i = 0; i < 3; i++) {
        blocks *= shape->grid[i];
        blocks = blocks < BLOCKS_TRACKED ? blocks : BLOCKS_TRACKED;
    }
    race->blocks_expected = blocks;
    return blocks_grow(race, blocks, err);
}

// Makes room for the next run of a block that has waited.  Returns false if there is no memory.
static bool race_block_may_wait(struct race *race) {
    struct error err;
    uint64_t blocks = race->blocks_expected + 1;
    uint64_t room = blocks > race->block_max ? 2 * blocks : blocks;
    if (blocks > BLOCKS_TRACKED || blocks_grow(race, room, &err) != STATUS_OK) {
        return false;
    }
    race->blocks_expected = blocks;
    return true;
}

enum status race_launch_begin(void *observer, const struct launch_shape *shape,
                              struct findings *findings, struct error *err) {
    struct race *race = observer;
    if (race->epoch > EPOCH_RENEW) {
        renew(race);
    }
    enum status status = race_shadow_layout(&race->shadow[SPACE_GLOBAL], SPACE_GLOBAL, shape, err);
    if (!status) {
        status = race_shadow_layout(&race->shadow[SPACE_SHARED], SPACE_SHARED, shape, err);
    }
    if (!status) {
        status = reserve_blocks(race, shape, err);
    }
    if (status) {
        return status;
    }
    race->shape = shape;
    race->findings = findings;
    race->block_count = 0;
    memset(race->compared, 0, sizeof race->compared);
    race->pending_count = 0;
    memset(race->guesses.right, 0, sizeof race->guesses.right);
    if (race->guesses.count > 0) {  // left by a launch that was stopped
        memset(&race->guesses, 0, sizeof race->guesses);
    }
    if (race->more) {
        race_more_clear(race->more);
    }
    if (race->follow) {
        follow_launch_begin(race->follow, shape->thread_count);
    }
    advance(race);
    race->shadow[SPACE_GLOBAL].alive = race->now;
    return STATUS_OK;
}

// The accesses from now on are of this block.
static void note_block(struct race *race, const struct block_place *place) {
    race->place = *place;
    if (race->block_count < race->block_max) {
        struct race_block *block = &race->block[race->block_count++];
        block->epoch = race->epoch;
        block->linear = place->linear;
        memcpy(block->index, place->index, sizeof block->index);
    }
}

void race_cluster_begin(struct race *race) {
    race_settle(race);
    advance(race);
    race->shadow[SPACE_SHARED].alive = race->now;
}

void race_block_begin(void *observer, const struct block_place *place) {
    struct race *race = observer;
    begin_phase(race);
    race->block_start = race->epoch;
    race->block_now = race->now;
    note_block(race, place);
    if (race->follow) {
        follow_block_begin(race->follow, place->linear);
    }
}

// A block that has waited while others ran runs again.
static void race_block_again(struct race *race, const struct block_place *place) {
    race_settle(race);
    race_guess_settle(&race->guesses, race->findings);
    advance(race);
    race->block_now = race->now;
    note_block(race, place);
}

void race_barrier(struct race *race) {
    begin_phase(race);
    if (race->follow) {
        follow_barrier(race->follow, race->epoch);
    }
}

// Orders all earlier accesses of the lanes in mask, and whatever was ordered before these, before
// the later accesses of these lanes.
static void join(struct race *race, struct race_warp *warp, uint32_t mask) {
    uint32_t joined[WARP_LANES] = {0};

    if (warp->partial <= race->phase_start) {
        memset(warp->clock, 0, sizeof warp->clock);
    }
    warp->partial = race->epoch;
    for (uint32_t later = 0; later < WARP_LANES; later++) {
        for (uint32_t lane = 0; (mask >> later & 1) && lane < WARP_LANES; lane++) {
            joined[lane] =
                joined[lane] > warp->clock[later][lane] ? joined[lane] : warp->clock[later][lane];
        }
    }
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        joined[lane] = mask >> lane & 1 ? race->epoch : joined[lane];
    }
    for (uint32_t later = 0; later < WARP_LANES; later++) {
        if (mask >> later & 1) {
            memcpy(warp->clock[later], joined, sizeof joined);
        }
    }
}

void race_warp_sync(struct race *race, uint32_t warp, uint32_t lane_mask) {
    uint32_t threads = race->shape->thread_count - warp * WARP_LANES;
    uint32_t lanes = threads >= WARP_LANES ? 0xffffffffu : (1u << threads) - 1;

    race_settle(race);
    advance(race);
    if (race->follow) {
        follow_warp_sync(race->follow, warp, lane_mask & lanes, (lane_mask & lanes) == lanes,
                         race->epoch);
        return;
    }
    if ((lane_mask & lanes) == lanes) {
        race->warp[warp].full = race->epoch;
        race->warp[warp].partial = 0;
    } else {
        race->wants_more |= !race->more;
        join(race, &race->warp[warp], lane_mask & lanes);
    }
}

void race_fence(struct race *race, uint32_t thread, enum follow_scope scope) {
    if (race->follow) {
        race_settle(race);
        advance(race);
        follow_fence(race->follow, thread, scope, race->epoch);
    }
}

void race_strong(struct race *race, const struct follow_strong *strong) {
    if (race->follow) {
        advance(race);
        follow_strong(race->follow, strong, race->epoch);
    }
}

void race_put(struct race *race, uint32_t thread, struct follow_message *message) {
    race_settle(race);
    advance(race);
    follow_put(race->follow, thread, message, race->epoch);
}

void race_put_relaxed(struct race *race, uint32_t thread, struct follow_message *message,
                      enum follow_scope scope) {
    race_settle(race);
    advance(race);
    follow_put_relaxed(race->follow, thread, message, race->epoch, scope);
}

void race_take(struct race *race, uint32_t thread, const struct follow_message *message) {
    follow_take(race->follow, thread, message);
}

void race_proxy_fence(struct race *race, uint32_t thread, enum follow_proxy proxy) {
    race_settle(race);
    advance(race);
    follow_proxy_fence(race->follow, thread, proxy, race->epoch);
}

void race_block_end(void *observer) {
    struct race *race = observer;
    race_settle(race);
    race_guess_settle(&race->guesses, race->findings);
}

void race_launch_end(struct race *race) {
    race_settle(race);
    race_guess_settle(&race->guesses, race->findings);
    if (race->follow) {
        follow_launch_end(race->follow);
    }
    race->shape = NULL;
    race->findings = NULL;
}

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

// The cells of one plane of a piece.
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

// Copies the live pieces, if `to` is given.  Returns their number.
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
    race_settle(race);
    uint64_t count = copies ? pieces_copy(shadow, NULL) : 0;
    struct race_saved *kept = earlier;
    if (!race_block_may_wait(race) ||
        vault_need(&kept, sizeof *kept + count * sizeof kept->piece[0], &err)) {
        race_saved_free(earlier);
        return NULL;
    }
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

// Accesses that other blocks left in the other pieces do not conflict with this block.  But with
// another unit size they are at other places.
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
        race_shadow_refine(shadow, shift);
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
