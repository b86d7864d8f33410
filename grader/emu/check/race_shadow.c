// Memory is reserved for the finest unit at the start of a launch, and touched only where the
// kernel accesses memory.
#include "emu/check/race_shadow.h"

#include <string.h>
#include <sys/mman.h>

#include "emu/memory/vault.h"

#define GLOBAL_STEP   (64u << 10)  // where arrays start: race_unit permutes units within a step
#define GLOBAL_SPREAD 0xfcu        // bits 2 to 7: the number of a 64-byte line of 4 cells, among 64

void race_shadow_done(struct race_shadow *shadow) {
    vault_free(shadow->reads);
    vault_free(shadow->writes);
    memset(shadow, 0, sizeof *shadow);
}

static enum status map_plane(uint64_t bytes, struct race_cell **ret_plane, struct error *err) {
    void *plane = NULL;
    enum status status = vault_new(bytes, &plane, err);
    if (!status) {
        // Walking a column touches a page per row; failing only costs time.
        (void)madvise(plane, bytes, MADV_HUGEPAGE);
        // A process that runs a share of a launch starts with an empty shadow.
        vault_wipe_on_fork(plane);
        *ret_plane = plane;
    }
    return status;
}

static enum status map_planes(struct race_shadow *shadow, struct error *err) {
    uint64_t bytes = (shadow->bytes + 1) * sizeof(struct race_cell);
    if (bytes <= shadow->bytes_mapped) {
        return STATUS_OK;
    }
    struct race_cell *reads = NULL;
    struct race_cell *writes = NULL;
    enum status status = map_plane(bytes, &reads, err);
    if (!status) {
        status = map_plane(bytes, &writes, err);
    }
    if (status) {
        vault_free(reads);
        return status;
    }
    vault_free(shadow->reads);
    vault_free(shadow->writes);
    shadow->reads = reads;
    shadow->writes = writes;
    shadow->bytes_mapped = bytes;
    return STATUS_OK;
}

enum status race_shadow_layout(struct race_shadow *shadow, enum memory_space space,
                               const struct launch_shape *shape, struct error *err) {
    shadow->shift = 2;
    shadow->written = 0;
    if (space == SPACE_SHARED) {
        shadow->written =
            ~(uint64_t)0;  // always; and a write through one dynamic array writes all of them
        shadow->map = shared_map_of(shape->shared);
        race_shadow_view(shadow, 0);
        shadow->bytes = shadow->map.bytes * (shape->cluster_blocks > 1 ? shape->cluster_blocks : 1);
        shadow->spread = 0;
    } else {
        shadow->bytes = 0;
        shadow->spread = GLOBAL_SPREAD;
        for (int i = 0; i < GLOBAL_ARRAY_COUNT; i++) {
            shadow->start[i] = shadow->bytes;
            shadow->bytes += (shape->global_bytes[i] + GLOBAL_STEP - 1) / GLOBAL_STEP * GLOBAL_STEP;
        }
    }
    return map_planes(shadow, err);
}

void race_shadow_view(struct race_shadow *shadow, uint32_t rank) {
    for (uint32_t i = 0; i < SHARED_ARRAYS_MAX; i++) {
        shadow->start[i] = shadow->map.start[i] + rank * shadow->map.bytes;
    }
}

// Moves each cell of the first units to where race_unit looks for it, or back: the permutation is
// its own inverse.
static void swap_spread(struct race_cell *plane, uint64_t units, uint64_t spread) {
    for (uint64_t unit = 0; spread && unit < units; unit++) {
        uint64_t other = unit ^ (unit >> 6 & spread);
        if (other > unit) {
            struct race_cell kept = plane[unit];
            plane[unit] = plane[other];
            plane[other] = kept;
        }
    }
}

static void refine_plane(const struct race_shadow *shadow, struct race_cell *plane) {
    uint64_t words = shadow->bytes / 4;
    swap_spread(plane, words, shadow->spread);
    for (uint64_t word = words;
         word-- > 0;) {  // from the end, as the bytes of a word are at or after it
        struct race_cell cell = plane[word];
        for (uint64_t byte = word * 4; byte < word * 4 + 4; byte++) {
            plane[byte] = cell;
        }
    }
    swap_spread(plane, shadow->bytes, shadow->spread);
}

void race_shadow_refine(struct race_shadow *shadow) {
    refine_plane(shadow, shadow->reads);
    refine_plane(shadow, shadow->writes);
    shadow->shift = 0;
}
