// Checkers: a thread reads only bytes of __shared__ arrays that a thread of its block has written,
// and only bytes of the workspace that this or an earlier launch of the same product wrote.  Bytes
// of structs that belong to no member are excepted: kernels do not write them, but copies of whole
// structs read them.
#ifndef EMU_CHECK_UNINIT_H
#define EMU_CHECK_UNINIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "emu/memory/events.h"
#include "emu/memory/kernel_memory.h"
#include "emu/wire/finding.h"

// The types of a kernel file that have such bytes.  For each type, two bytes give the size, low
// byte first; then one byte for each byte of the type is 1 for padding.  Two zeros end the list.
// The inspector writes it (device/inspect/dwarf.c); a program without it has a null pointer here.
extern const uint8_t emu_padding[] __attribute__((weak));

// Each 4-byte word of shared memory has a stamp: the number of the last block that wrote to it (28
// bits) and the bytes written (4 bits).
struct uninit {
    const struct launch_shape *shape;  // of this launch
    struct findings *findings;
    struct shared_map map;
    uint32_t *stamp;       // by word
    uint32_t block_stamp;  // stamp of a word that this block wrote completely
    uint32_t last_stamp;   // stamp of the block that began last, perhaps another one
    struct block_place place;
    // The accessed memory is real, and was filled with SHARED_JUNK when the block began.  So bytes
    // with another value have been stored, even if no store was seen.
    bool sees_memory;
    const uint8_t *padding;  // see emu/check/uninit.h; borrowed, NULL for none
};

// Begins a launch; shape and findings are borrowed until the next one.  Errors: STATUS_NO_MEMORY.
enum status uninit_launch_begin(void *observer, const struct launch_shape *shape,
                                struct findings *findings, struct error *err);
void uninit_block_begin(void *observer, const struct block_place *place);

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

#define WORKSPACE_WORD_BYTES 4u
#define WORKSPACE_WRITTEN    15u  // all bytes of a word
#define WORKSPACE_MISSED     16u  // was read in this launch, and has not been stored since

struct workspace {
    uint8_t *written;  // by word: a bit per written byte, and WORKSPACE_MISSED
    uint64_t words;    // of this product
    // The accessed memory is real, and was filled with SHARED_JUNK when the product began.  So
    // bytes with another value have been stored, even if no store was seen.
    bool sees_memory;
};

// Begins a product with a workspace of `bytes` bytes, none of them written.  Errors:
// STATUS_NO_MEMORY.
enum status workspace_begin(struct workspace *workspace, uint64_t bytes, struct error *err);

// Begins a launch of the product.
void workspace_launch_begin(struct workspace *workspace);

// The slow half of workspace_access, not to be called directly.
void workspace_examine(struct workspace *workspace, struct findings *findings,
                       const struct launch_shape *shape, const struct block_place *place,
                       const struct access *access);

// One access to the workspace, in bounds.  An atomic operation reads and then writes.
static inline void workspace_access(struct workspace *workspace, struct findings *findings,
                                    const struct launch_shape *shape,
                                    const struct block_place *place, const struct access *access) {
    uint8_t *written = &workspace->written[(uint64_t)access->offset / WORKSPACE_WORD_BYTES];
    if (access->bytes == WORKSPACE_WORD_BYTES && access->offset % WORKSPACE_WORD_BYTES == 0) {
        if (*written == WORKSPACE_WRITTEN) {
            return;
        }
        if (access->kind == ACCESS_WRITE && !(*written & WORKSPACE_MISSED)) {
            *written = WORKSPACE_WRITTEN;
            return;
        }
    }
    workspace_examine(workspace, findings, shape, place, access);
}

#endif
