// Checker: a thread reads only bytes of __shared__ arrays that a thread of its block has written
// before.
#ifndef EMU_CHECK_UNINIT_H
#define EMU_CHECK_UNINIT_H

#include <stdbool.h>

#include "base/error.h"
#include "emu/memory/events.h"
#include "emu/wire/findings.h"
#include "emu/memory/shared_map.h"

// Each 4-byte word of shared memory has a stamp: the number of the last block that wrote to it (28
// bits) and the bytes written (4 bits).
struct uninit {
    const struct launch_shape *shape;  // of this launch
    struct findings *findings;
    struct shared_map map;
    uint32_t *stamp;       // by word
    uint64_t words_max;    // capacity of stamp
    uint32_t block_stamp;  // stamp of a word whose every byte this block wrote
    uint32_t last_stamp;   // … the block that began last, which may be another one
    struct block_place place;
    // Addresses of accesses are real memory, filled with SHARED_JUNK when the block began.  Then
    // bytes with another value have been stored, even if no store was seen.
    bool sees_memory;
    const uint8_t *padding;  // see emu/check/padding.h; borrowed, NULL for none
};

// Errors: STATUS_NO_MEMORY.
enum status uninit_new(struct uninit **ret_uninit, struct error *err);
void uninit_free(struct uninit *uninit);

// Begins a launch; shape and findings are borrowed until uninit_launch_end.  Errors:
// STATUS_NO_MEMORY.
enum status uninit_launch_begin(struct uninit *uninit, const struct launch_shape *shape,
                                struct findings *findings, struct error *err);
void uninit_block_begin(struct uninit *uninit, const struct block_place *place);
void uninit_block_end(struct uninit *uninit);
void uninit_launch_end(struct uninit *uninit);

// The slow half of uninit_access, for shared memory in bounds.  Not to be called directly.
bool uninit_examine(struct uninit *uninit, const struct access *access);

// The bytes of a load of shared memory, in bounds, that have not been written: a bit each.  Reports
// nothing.
uint32_t uninit_missing(const struct uninit *uninit, const struct access *access);

// One access; only accesses of shared memory in bounds count.  An atomic operation reads and then
// writes.
//
// Returns  true if every byte that it reads has been written.
static inline __attribute__((always_inline)) bool uninit_access(struct uninit *uninit,
                                                                const struct access *access) {
    if (access->space != SPACE_SHARED || !access->in_bounds) {
        return true;
    }
    uint32_t *stamp =
        &uninit->stamp[(uninit->map.start[access->array] + (uint64_t)access->offset) / 4];
    if (__builtin_expect(access->bytes == 4 && (access->offset & 3) == 0, 1)) {
        if (access->kind == ACCESS_WRITE) {
            *stamp = uninit->block_stamp;
            return true;
        }
        if (__builtin_expect(*stamp == uninit->block_stamp, 1)) {
            return true;
        }
    }
    struct access copy = access_copy(access);
    return uninit_examine(uninit, &copy);
}

#endif
