// Arrays are far apart in the thread-local image, but a shadow needs them side by side.
#include "emu/memory/shared_map.h"

// The first array at the same address; `place` itself if there is none before it.
static uint32_t alias_of(const struct shared_array_table *table, uint32_t place) {
    for (uint32_t i = 0; i < place; i++) {
        if (table->array[i].offset == table->array[place].offset) {
            return i;
        }
    }
    return place;
}

struct shared_map shared_map_of(const struct shared_array_table *table) {
    struct shared_map map = {.bytes = 0};
    uint64_t room[SHARED_ARRAYS_MAX] = {0};

    for (uint32_t i = 0; table && i < table->count; i++) {
        uint32_t first = alias_of(table, i);
        if (table->array[i].bytes > room[first]) {
            room[first] = table->array[i].bytes;
        }
    }
    for (uint32_t i = 0; table && i < table->count; i++) {
        uint32_t first = alias_of(table, i);
        if (first < i) {
            map.start[i] = map.start[first];
            continue;
        }
        map.start[i] = map.bytes;
        map.bytes += (room[i] + 15) / 16 * 16;
    }
    return map;
}
