// Keeps the map of a launch, merges the maps of its processes, and sums up the untouched elements.
#include "emu/check/coverage_map.h"

#include <string.h>

#include "emu/memory/vault.h"

#define ALIGN_BYTES   8u
#define CLEARED_BYTES (4u << 20)  // of a larger map, most is never touched in a part of a launch
#define WRITTEN_EIGHT 0x0202020202020202u  // COVERAGE_WRITTEN of eight elements

void coverage_map_move(struct coverage_map *map, uint8_t *memory) {
    uint8_t *old = map->element[0];
    for (int i = 0; i < GLOBAL_ARRAY_COUNT; i++) {
        map->element[i] = memory + (map->element[i] - old);
    }
}

enum status coverage_map_begin(struct coverage_map *map, const uint64_t bytes[GLOBAL_ARRAY_COUNT],
                               struct error *err) {
    uint64_t start[GLOBAL_ARRAY_COUNT];
    uint64_t total = 0;
    for (int i = 0; i < GLOBAL_ARRAY_COUNT; i++) {
        uint64_t elements = (bytes[i] + COVERAGE_ELEMENT_BYTES - 1) / COVERAGE_ELEMENT_BYTES;
        start[i] = total;
        total += (elements + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES;
    }
    const uint8_t *earlier = map->memory;
    enum status status = vault_need(&map->memory, total, err);
    if (status) {
        return status;
    }
    if (map->memory == earlier && total > CLEARED_BYTES) {
        vault_clear(map->memory);
    } else if (map->memory == earlier && total > 0) {
        memset(map->memory, 0, total);
    }
    map->bytes = total;
    for (int i = 0; i < GLOBAL_ARRAY_COUNT; i++) {
        map->element[i] = map->memory + start[i];
    }
    return STATUS_OK;
}

bool coverage_map_add(struct coverage_map *map, const uint8_t *other) {
    uint8_t *mine = map->element[0];
    for (uint64_t i = 0; i < map->bytes; i += ALIGN_BYTES) {
        uint64_t ours;
        uint64_t theirs;
        memcpy(&ours, mine + i, sizeof ours);
        memcpy(&theirs, other + i, sizeof theirs);
        // Touched means read or written: both bits are moved to the position of COVERAGE_WRITTEN.
        uint64_t our_touched = (ours | ours << 1) & WRITTEN_EIGHT;
        uint64_t their_touched = (theirs | theirs << 1) & WRITTEN_EIGHT;
        if ((our_touched & theirs) | (their_touched & ours)) {
            return false;
        }
        ours |= theirs;
        memcpy(mine + i, &ours, sizeof ours);
    }
    return true;
}

static void stretch(uint32_t line, uint32_t count, uint32_t ends[2]) {
    ends[0] = count == 0 ? line : ends[0];
    ends[1] = line;
}

static void gap_add(struct coverage_gap *gap, uint32_t row, uint32_t column) {
    if (gap->missing++ == 0) {
        gap->first[0] = row;
        gap->first[1] = column;
    }
    gap->first[1] = column < gap->first[1] ? column : gap->first[1];
    gap->last[0] = row;
    gap->last[1] = column > gap->last[1] ? column : gap->last[1];
}

static void gap_sum(const uint8_t *element, uint8_t bit, const uint32_t extent[2],
                    struct coverage_gap *gap) {
    memset(gap, 0, sizeof *gap);
    for (uint32_t row = 0; row < extent[0]; row++) {
        const uint8_t *elements = element + (uint64_t)row * extent[1];
        uint64_t before = gap->missing;
        for (uint32_t column = 0; column < extent[1]; column++) {
            if (!(elements[column] & bit)) {
                gap_add(gap, row, column);
            }
        }
        if (gap->missing - before == extent[1]) {
            stretch(row, gap->row_count++, gap->rows);
        }
    }
    if (gap->missing == 0 || gap->missing < extent[0]) {
        return;  // fewer than a column
    }
    for (uint32_t column = gap->first[1]; column <= gap->last[1]; column++) {
        uint32_t row = 0;
        while (row < extent[0] && !(element[(uint64_t)row * extent[1] + column] & bit)) {
            row++;
        }
        if (row == extent[0]) {
            stretch(column, gap->column_count++, gap->columns);
        }
    }
}

void coverage_map_sum(const struct coverage_map *map, const uint32_t extent[MATRIX_COUNT][2],
                      struct coverage *ret_coverage) {
    for (int i = 0; i < MATRIX_COUNT; i++) {
        uint8_t bit = i == ARRAY_C ? COVERAGE_WRITTEN : COVERAGE_READ;
        gap_sum(map->element[i], bit, extent[i], &ret_coverage->gap[i]);
    }
}
