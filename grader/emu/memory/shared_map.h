// The place of each __shared__ array in a dense numbering of all shared bytes, for shadows of
// shared memory.
#ifndef EMU_MEMORY_SHARED_MAP_H
#define EMU_MEMORY_SHARED_MAP_H

#include "emu/memory/events.h"

// Arrays at one address (all `extern __shared__` ones) share their bytes; each start is a multiple
// of 16.
struct shared_map {
    uint64_t start[SHARED_ARRAYS_MAX];  // by index in the table
    uint64_t bytes;                     // of all
};

struct shared_map shared_map_of(const struct shared_array_table *table);

#endif
