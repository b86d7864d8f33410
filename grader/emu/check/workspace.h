// Checker: a kernel reads only bytes of the workspace that this or an earlier launch of the same
// product has written.  If another block stores them later in that launch, the finding names it.
#ifndef EMU_CHECK_WORKSPACE_H
#define EMU_CHECK_WORKSPACE_H

#include "base/error.h"
#include "emu/memory/events.h"
#include "emu/wire/findings.h"

#define WORKSPACE_WORD_BYTES 4u
#define WORKSPACE_WRITTEN    15u  // all bytes of a word
#define WORKSPACE_MISSED     16u  // was read in this launch, and has not been stored since

struct workspace {
    uint8_t *written;  // by word: a bit per byte that was written, WORKSPACE_MISSED
    uint64_t words_max;
    // Addresses of accesses are real memory, filled with SHARED_JUNK when the product began.  Then
    // bytes with another value have been stored, even if no store was seen.
    bool sees_memory;
};

// Begins a product with a workspace of `bytes` bytes, none of them written.  Errors:
// STATUS_NO_MEMORY.
enum status workspace_begin(struct workspace *workspace, uint64_t bytes, struct error *err);

// Begins a launch of the product.
void workspace_launch_begin(struct workspace *workspace);
void workspace_done(struct workspace *workspace);

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
