// What all bulk copies share.  A copy has two sides, in global and in shared memory.
#ifndef EMU_HOOKS_BULK_CALLS_H
#define EMU_HOOKS_BULK_CALLS_H

#include "emu/machine/mbarrier.h"

// The mbarrier that a call of the running thread names; one that is not initialised ends the
// launch.
struct mbarrier *bulk_mbarrier(uint64_t *mbarrier, uint64_t pc);

// A side, with its array.  Ends the launch if the address is in another memory, or not a multiple
// of `alignment` bytes.
struct access bulk_side(const void *address, uint32_t alignment, enum access_kind kind,
                        enum memory_space space, uint64_t pc);

// All checkers see so many bytes of a side, at most 16 and a power of two, `from` bytes after its
// start.  Ends the launch if they must not be accessed.
void bulk_touch(const struct access *side, int64_t from, uint32_t bytes);

// From now on so many bytes of the side in shared memory are under way.
void bulk_side_begin(struct access side, uint32_t bytes, uint32_t agent);

#endif
