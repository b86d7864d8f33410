// See pages.h.  The first touch of a chunk is a SIGSEGV that the runner handles; the end of an
// array is the end of a chunk, so that the element after the last is in a guard.
#include "expected/pages.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static struct {
    const struct expected_request *request;
    unsigned char *memory;
    struct pages_array array[EXPECTED_ARRAYS_MAX];
    struct pages_extent queue[PAGES_EXTENTS_MAX];  // in memory, in the order of their first touch
    uint64_t made, dropped;                        // extents …
    uint64_t bytes;                                // … and the bytes of those in memory
    uint64_t whole_bytes;                          // of arrays that were made whole
} pages;

static uint64_t round_up(uint64_t bytes, uint64_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

static bool is_number_array(const struct expected_array *array) {
    return expected_type_is_number(array->type) && !pages.request->is_raw;
}

// Bytes of an element as the function sees it.
static uint64_t element_bytes(const struct pages_array *array) {
    return is_number_array(array->array) ? expected_number_bytes
                                         : expected_type_bytes(array->array->type);
}

static uint64_t chunk_bytes(void) {
    return PAGES_CHUNK * expected_number_bytes;
}

// The values of whole numbers are where the function sees them; those of numbers are made later.
static bool array_open(struct pages_array *pages_array) {
    const struct expected_array *array = pages_array->array;
    bool is_number = is_number_array(array);
    uint64_t used = array->elements * element_bytes(pages_array);
    uint64_t bytes = round_up(used, is_number ? chunk_bytes() : EXPECTED_PAGE_BYTES);
    uint64_t guard = EXPECTED_PAGE_BYTES;
    unsigned char *range = mmap(NULL, bytes + 2 * guard, PROT_NONE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) {
        return false;
    }
    pages_array->base = range + guard;
    pages_array->bytes = bytes;
    pages_array->start = pages_array->base + (bytes - used);
    pages_array->slack = (bytes - used) / element_bytes(pages_array);
    pages_array->present = calloc(bytes / chunk_bytes() + 1, 1);
    if (!is_number) {
        int access = array->direction == EXPECTED_IN ? PROT_READ : PROT_READ | PROT_WRITE;
        if (mprotect(pages_array->base, bytes, PROT_READ | PROT_WRITE) != 0) {
            return false;
        }
        memcpy(pages_array->start, pages.memory + array->values_at, used);
        return mprotect(pages_array->base, bytes, access) == 0;
    }
    return pages_array->present != NULL;
}

bool pages_open(const struct expected_request *request, unsigned char *memory) {
    pages.request = request;
    pages.memory = memory;
    for (uint32_t i = 0; i < request->array_count; i++) {
        pages.array[i].array = &request->array[i];
        if (!array_open(&pages.array[i])) {
            return false;
        }
    }
    return true;
}

void pages_close(void) {
    for (uint32_t i = 0; i < pages.request->array_count; i++) {
        struct pages_array *array = &pages.array[i];
        (void)munmap(array->base - EXPECTED_PAGE_BYTES, array->bytes + 2 * EXPECTED_PAGE_BYTES);
        free(array->present);
    }
    memset(&pages, 0, sizeof pages);
}

void *pages_start(uint32_t array) {
    return pages.array[array].start;
}

// Writes the results of an extent, and gives its memory back.
static void extent_drop(const struct pages_extent *extent) {
    struct pages_array *array = &pages.array[extent->array];
    unsigned char *at = array->base + extent->first * chunk_bytes();
    bool is_sampled = array->array->direction == EXPECTED_INOUT && pages.request->samples > 0;
    if (array->array->direction != EXPECTED_IN) {
        int64_t outside = expected_flush(
            at, (int64_t)(extent->first * PAGES_CHUNK) - (int64_t)array->slack,
            (uint64_t)extent->count * PAGES_CHUNK, array->array->elements, array->array->type,
            is_sampled ? pages.memory + array->array->values_at : NULL,
            (struct expected_result *)(void *)(pages.memory + array->array->results_at));
        array->outside = outside < 0 ? outside : array->outside;
    }
    (void)mprotect(at, extent->count * chunk_bytes(), PROT_NONE);
    (void)madvise(at, extent->count * chunk_bytes(), MADV_DONTNEED);
    memset(array->present + extent->first, 0, extent->count);
    pages.bytes -= extent->count * chunk_bytes();
}

static void oldest_drop(void) {
    extent_drop(&pages.queue[pages.dropped++ % PAGES_EXTENTS_MAX]);
}

// Makes chunks that are not there.
static void chunks_fill(const struct pages_array *array, uint64_t first, uint64_t count) {
    const struct expected_array *declared = array->array;
    unsigned char *at = array->base + first * chunk_bytes();
    uint64_t bytes = count * chunk_bytes();
    (void)mprotect(at, bytes, PROT_READ | PROT_WRITE);
    expected_fill(at, (int64_t)(first * PAGES_CHUNK) - (int64_t)array->slack, count * PAGES_CHUNK,
                  declared->elements, declared->type,
                  declared->direction == EXPECTED_OUT ? NULL : pages.memory + declared->values_at);
    if (declared->direction == EXPECTED_IN) {
        (void)mprotect(at, bytes, PROT_READ);
    }
    memset(array->present + first, 1, count);
}

// Makes all of an input that is touched all over; it stays until pages_close.
static bool whole_take(struct pages_array *array) {
    uint64_t chunks = array->bytes / chunk_bytes();
    if (array->array->direction != EXPECTED_IN || array->apart * PAGES_APART < chunks ||
        pages.whole_bytes + array->bytes > PAGES_WHOLE_MAX) {
        return false;
    }
    for (uint64_t i = pages.dropped; i < pages.made; i++) {
        struct pages_extent *extent = &pages.queue[i % PAGES_EXTENTS_MAX];
        if (&pages.array[extent->array] == array) {
            extent_drop(extent);
            extent->count = 0;  // nothing is left to drop
        }
    }
    chunks_fill(array, 0, chunks);
    pages.whole_bytes += array->bytes;
    return true;
}

// Makes a chunk, and more after it if the one before it was made last.
static void extent_take(struct pages_array *array, uint64_t chunk) {
    uint64_t left = array->bytes / chunk_bytes() - chunk;
    uint32_t wanted = chunk != array->next             ? 1
                      : array->ahead < PAGES_AHEAD_MAX ? 2 * array->ahead
                                                       : PAGES_AHEAD_MAX;
    uint32_t count = 1;
    array->apart += chunk != array->next;
    if (whole_take(array)) {
        return;
    }
    while (count < wanted && count < left && !array->present[chunk + count]) {
        count++;
    }
    uint64_t bytes = count * chunk_bytes();
    while (pages.made - pages.dropped == PAGES_EXTENTS_MAX ||
           (pages.bytes > 0 && pages.bytes + bytes > PAGES_BYTES_MAX)) {
        oldest_drop();
    }
    chunks_fill(array, chunk, count);
    array->next = chunk + count;
    array->ahead = count;
    pages.bytes += bytes;
    pages.queue[pages.made++ % PAGES_EXTENTS_MAX] =
        (struct pages_extent){(uint32_t)(array - pages.array), count, chunk};
}

bool pages_touch(uint64_t address, enum expected_end *ret_end, uint32_t *ret_array,
                 int64_t *ret_index) {
    for (uint32_t i = 0; i < pages.request->array_count; i++) {
        struct pages_array *array = &pages.array[i];
        uint64_t base = (uint64_t)(uintptr_t)array->base;
        if (address + EXPECTED_PAGE_BYTES < base ||
            address >= base + array->bytes + EXPECTED_PAGE_BYTES) {
            continue;
        }
        int64_t offset = (int64_t)(address - (uint64_t)(uintptr_t)array->start);
        int64_t bytes = (int64_t)element_bytes(array);
        *ret_array = i;
        *ret_index = offset < 0 ? -((bytes - 1 - offset) / bytes) : offset / bytes;
        bool inside = address >= base && address < base + array->bytes;
        bool is_number = is_number_array(array->array);
        if (inside && is_number && !array->present[(address - base) / chunk_bytes()]) {
            extent_take(array, (address - base) / chunk_bytes());
            return true;
        }
        *ret_end = inside && *ret_index >= 0 ? EXPECTED_NO_WRITE : EXPECTED_OUTSIDE;
        return false;
    }
    *ret_end = EXPECTED_WILD;
    return false;
}

void pages_begin(uint8_t fill) {
    for (uint32_t i = 0; i < pages.request->array_count; i++) {
        struct pages_array *array = &pages.array[i];
        const struct expected_array *declared = array->array;
        uint64_t bytes = declared->elements * expected_type_bytes(declared->type);
        if (is_number_array(declared)) {
            continue;  // pages_end has dropped all of them
        }
        if (declared->direction == EXPECTED_OUT) {
            memset(array->start, fill, bytes);
        } else if (declared->direction == EXPECTED_INOUT) {
            memcpy(array->start, pages.memory + declared->values_at, bytes);
        }
    }
}

bool pages_end(bool second, uint32_t *ret_array, int64_t *ret_index) {
    bool good = true;
    while (pages.dropped < pages.made) {
        oldest_drop();
    }
    for (uint32_t i = 0; i < pages.request->array_count; i++) {
        struct pages_array *array = &pages.array[i];
        const struct expected_array *declared = array->array;
        uint64_t bytes = declared->elements * expected_type_bytes(declared->type);
        if (declared->direction == EXPECTED_IN) {
            continue;
        }
        if (!is_number_array(declared)) {
            memcpy(pages.memory + declared->results_at + (second ? bytes : 0), array->start, bytes);
        }
        if (array->outside < 0) {
            *ret_array = i;
            *ret_index = array->outside;
            good = false;
        }
    }
    return good;
}
