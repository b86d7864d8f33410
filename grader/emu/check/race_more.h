// The accesses for which the two slots of a cell have no room, by word: needed where a later thread
// can be ordered after those in the slots, and not after these.
//
// Lanes that meet in a part of a warp can be ordered so, and threads of a file with fences.  For
// other launches two slots are enough (race_shadow.h), and this is not opened.
#ifndef EMU_CHECK_RACE_MORE_H
#define EMU_CHECK_RACE_MORE_H

#include <stdint.h>

#include "base/error.h"
#include "emu/wire/finding.h"

struct race_more;

// Errors: STATUS_NO_MEMORY.
enum status race_more_new(struct race_more **ret_more, struct error *err);
void race_more_free(struct race_more *more);
void race_more_clear(struct race_more *more);

// Adds the access in slot to those of a word (race_shadow_word).  It replaces one that is older
// than `alive`, or one of the same thread of this block, which began at block_now.  Of one word 128
// are kept, and a million of all: a word with more of them is a lock or a counter.
void race_more_add(struct race_more *more, uint64_t word, uint64_t slot, uint64_t alive,
                   uint64_t block_now);

// The unit of the shadow has changed from words to bytes: each byte inherits the accesses of its
// word.
void race_more_refine(struct race_more *more, enum memory_space space, uint64_t spread);

// The next access to a word; 0 if there is none.  *at is 0 at first.
uint64_t race_more_next(const struct race_more *more, uint64_t word, uint32_t *at);
// Changes the access that was returned with at.
void race_more_set(struct race_more *more, uint32_t at, uint64_t slot);

#endif
