// A simulated launch for the tests of the machine's observers: real arrays, and invented accesses
// to them.
#ifndef TESTS_UNIT_RIG_H
#define TESTS_UNIT_RIG_H

#include <string.h>

#include "emu/memory/events.h"
#include "emu/memory/sites.h"
#include "emu/memory/vault.h"
#include "emu/wire/finding.h"

#define RIG_BYTES 4096  // the size of each array
#define RIG_TILE  0     // places in the table of shared arrays
#define RIG_FLAGS 1

struct rig {
    struct launch_shape shape;
    struct shared_array_table shared;
    struct findings findings;
    struct sites *sites;
    _Alignas(256) unsigned char global[GLOBAL_ARRAY_COUNT][RIG_BYTES];
    _Alignas(256) unsigned char tile[SHARED_ARRAYS_MAX][RIG_BYTES];
};

// Blocks of 8 x 12 threads (three warps) in a grid of 2 x 2; two shared arrays.
static inline void rig_init(struct rig *rig) {
    memset(rig, 0, sizeof *rig);
    rig->shape = (struct launch_shape){.grid = {2, 2, 1}, .block = {8, 12, 1}, .thread_count = 96};
    rig->shape.inputs = 1u << ARRAY_A | 1u << ARRAY_B;
    for (int i = 0; i < GLOBAL_ARRAY_COUNT; i++) {
        rig->shape.global_bytes[i] = RIG_BYTES;
    }
    rig->shape.array_count = GLOBAL_ARRAY_COUNT;
    rig->shared.count = 2;
    for (uint32_t i = 0; i < 2; i++) {
        rig->shared.array[i].offset = i * 65536;
        rig->shared.array[i].bytes = RIG_BYTES;
    }
    rig->shape.shared = &rig->shared;
    (void)sites_new(&rig->sites, NULL);
}

// Ends all observers too.
static inline void rig_done(struct rig *rig) {
    vaults_free();
    rig->sites = NULL;
}

static inline struct block_place rig_block(uint32_t x, uint32_t y) {
    return (struct block_place){.index = {x, y, 0}, .linear = x + y * 2};
}

// An access of `bytes` bytes at `offset` of an array, by the code at pc.
static inline struct access rig_access(struct rig *rig, enum memory_space space, uint32_t array,
                                       int64_t offset, uint32_t bytes, enum access_kind kind,
                                       uint32_t thread, uint64_t pc) {
    unsigned char *base = space == SPACE_GLOBAL ? rig->global[array] : rig->tile[array];
    return (struct access){
        .pc = pc,
        .address = (uint64_t)(uintptr_t)base + (uint64_t)offset,
        .offset = offset,
        .array_bytes = RIG_BYTES,
        .array = array,
        .bytes = bytes,
        .thread = thread,
        .site = sites_number(rig->sites, pc),
        .space = (uint8_t)space,
        .kind = (uint8_t)kind,
        .in_bounds = offset >= 0 && offset + bytes <= RIG_BYTES,
    };
}

#endif
