// Observer: which elements of A, B and C the kernel read, and which it wrote.
//
// It gives the elements that a launch left out (coverage.h), and conflicts between processes of a
// launch (launches.c).
#ifndef EMU_CHECK_COVERAGE_MAP_H
#define EMU_CHECK_COVERAGE_MAP_H

#include <stdbool.h>

#include "base/error.h"
#include "emu/memory/events.h"
#include "emu/wire/counts.h"

#define COVERAGE_ELEMENT_BYTES 4u
#define COVERAGE_READ          1u
#define COVERAGE_WRITTEN       2u
#define COVERAGE_ATOMIC        4u  // by atomic operations …
#define COVERAGE_STORED        8u  // … and by others

// A byte per element, of COVERAGE_ bits: a byte takes one instruction to set, a bit takes five.
struct coverage_map {
    uint8_t *element[MEMORY_ARRAYS_MAX];
    uint64_t bytes;   // of the map of this launch, a multiple of 8
    uint8_t *memory;  // of this process
};

// Begins a launch with nothing touched.  Errors: STATUS_NO_MEMORY.
enum status coverage_map_begin(struct coverage_map *map, const uint64_t bytes[GLOBAL_ARRAY_COUNT],
                               struct error *err);

// Moves the map of this launch to `memory`: map->bytes of zeros, aligned to 8, owned by the caller.
void coverage_map_move(struct coverage_map *map, uint8_t *memory);

// One access of global memory in bounds and aligned to its size; an atomic operation reads and
// writes.
static inline __attribute__((always_inline)) void coverage_access(struct coverage_map *map,
                                                                  const struct access *access) {
    uint8_t bits = access->kind == ACCESS_READ ? COVERAGE_READ
                   : access->kind == ACCESS_WRITE
                       ? COVERAGE_WRITTEN | COVERAGE_STORED
                       : COVERAGE_READ | COVERAGE_WRITTEN | COVERAGE_ATOMIC;
    uint8_t *element =
        map->element[access->array] + (uint64_t)access->offset / COVERAGE_ELEMENT_BYTES;
    for (uint32_t i = 0; i * COVERAGE_ELEMENT_BYTES < access->bytes; i++) {
        element[i] |= bits;
    }
}

// Adds the elements that another process of the launch touched, from its map of map->bytes.
//
// Returns  false if one process wrote an element that the other touched; map is then invalid.
bool coverage_map_add(struct coverage_map *map, const uint8_t *other);

// Sums up the untouched elements.  extent: rows and columns of each array.
void coverage_map_sum(const struct coverage_map *map, const uint32_t extent[MATRIX_COUNT][2],
                      struct coverage *ret_coverage);

#endif
