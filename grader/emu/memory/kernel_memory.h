// The memory that a kernel sees: its arrays and the workspace between red zones, and the __shared__
// arrays of this program.
//
// The arrays and the workspace have exactly their size.  16 MiB on each side can be touched without
// harm, so that an access out of bounds can be reported and still happen.  The addresses are the
// same in every run.
//
// The place of each __shared__ array in a dense numbering of all shared bytes, for shadows of
// shared memory.
#ifndef EMU_MEMORY_KERNEL_MEMORY_H
#define EMU_MEMORY_KERNEL_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "emu/memory/events.h"

#define SHARED_JUNK        0xff    // initial content of shared memory; four of it are a NaN
#define MEMORY_ALIGN_BYTES 65536u  // __shared__ arrays begin shortly after a multiple of this
// A slot is half of that, so that a step before an array differs from a step past the last array.
#define MEMORY_SLOT_BYTES (MEMORY_ALIGN_BYTES / 2)
// An array of global memory begins with a zone, and so do the addresses that belong to it.
#define MEMORY_ZONE_BYTES   (8u << 20)
#define MEMORY_ZONES_MAX    640   // the largest matrices, the workspace and the gaps
#define MEMORY_ZONES_ALL    8192  // of a program
#define MEMORY_MARGIN_BYTES 64u   // on both sides of a __constant__ variable
// More slots than all arrays of a block can need.
#define MEMORY_SLOTS_MAX (2 * SHARED_ARRAYS_MAX + SHARED_ROOM_BYTES / MEMORY_SLOT_BYTES + 8)

// A slot of the shared segment, with the array that addresses in it belong to: the one that extends
// into it, else the nearest.
struct memory_slot {
    uint64_t start;
    uint64_t bytes;
    uint32_t array;
};

struct memory {
    // Global memory.
    uint64_t arena;        // address of the whole mapping
    uint64_t arena_bytes;  // as mapped
    uint64_t start[MEMORY_ARRAYS_MAX];
    uint64_t bytes[MEMORY_ARRAYS_MAX];
    uint32_t array_count;  // GLOBAL_ARRAY_COUNT, but in a program
    uint32_t inputs;       // bit per array: the kernel may only read it; no array of a program
    // The inputs, in a part of a launch or a large one: no checker keeps a load of them, because
    // the state of a column would take a page for each row.  A store to them is reported all the
    // same.
    uint32_t unwatched;
    // The array that the addresses of each zone of the arena belong to, also between arrays.
    uint16_t owner[MEMORY_ZONES_ALL];
    uint64_t end;  // of the last array of a program

    // Shared memory: the thread-local segment of this program, which has only one thread.
    uint64_t shared;        // address of the first slot, which precedes the first array
    uint64_t shared_bytes;  // of all slots
    uint64_t segment_end;   // start of the thread's control block
    uint32_t slot_count;
    struct memory_slot slot[MEMORY_SLOTS_MAX];
    struct shared_array_table table;  // with the dynamic arrays' bytes of this launch
    bool zeros;                       // initial content of shared memory and the workspace

    // The program itself, whose constants may be read; of a whole program, up to its variables.
    uint64_t program;
    uint64_t program_end;
};

// Errors: STATUS_BAD_DATA: the table does not belong to this program.  STATUS_SYSTEM.
enum status memory_open(const struct shared_array_table *shared, struct memory *ret_memory,
                        struct error *err);
void memory_close(struct memory *memory);

// Lays out the arrays that have bytes; all are 0.  Errors: STATUS_NO_MEMORY.
enum status memory_global(struct memory *memory, const uint64_t bytes[GLOBAL_ARRAY_COUNT],
                          struct error *err);

// Sets the size of the dynamic arrays for a launch.
// Maps array i from a file, in place of the zeros that memory_global has put there: a period of the
// file again and again, whose changes stay in this process; or, if period is 0, the file itself.
// `at` and period are whole pages.  memory_close ends it.  Errors: STATUS_NO_MEMORY.
struct memory_file {
    int fd;
    uint64_t at, period;
};
enum status memory_map(const struct memory *memory, uint32_t i, const struct memory_file *file,
                       struct error *err);

void memory_launch(struct memory *memory, uint64_t shared_bytes);

// A program's device memory: an empty arena of MEMORY_ZONES_ALL zones.  Errors: STATUS_NO_MEMORY.
enum status memory_arena(struct memory *memory, struct error *err);

// Adds an array, whose bytes are 0, after all others.  Errors: STATUS_NO_MEMORY: the arena is full,
// or there are MEMORY_ARRAYS_MAX arrays.
enum status memory_array_add(struct memory *memory, uint64_t bytes, uint32_t *ret_array,
                             struct error *err);
// The array keeps its addresses, but has no bytes from now on.
void memory_array_remove(struct memory *memory, uint32_t array);

// An array whose declaration asks for this alignment begins this many bytes after that multiple, so
// that its address is a multiple of that alignment and of no larger one.  The result is at least
// 32, which WMMA requires and arrays without an alignment have on a GPU; it is 0 from 1024 on, as
// no instruction requires more.
static inline uint32_t memory_shift(uint64_t alignment) {
    return alignment >= 1024 ? 0 : alignment > 32 ? (uint32_t)alignment : 32;
}

// True if the array in this slot begins there.
static inline bool memory_slot_begins(const struct memory *memory, uint32_t slot) {
    return memory->slot[slot].start - (memory->shared + (uint64_t)slot * MEMORY_SLOT_BYTES) <
           MEMORY_SLOT_BYTES;
}

// The byte that initially fills shared memory and the workspace.
static inline int memory_fresh(const struct memory *memory) {
    return memory->zeros ? 0 : SHARED_JUNK;
}

// Fills all __shared__ arrays with bytes that make a float NaN, or with zeros, for a new block.
void memory_block(const struct memory *memory);

// Both fill in array, offset and array_bytes of access from its address and bytes, and return false
// if the address is not in that memory.
static inline bool memory_find_shared(const struct memory *memory, struct access *access) {
    uint64_t from_start = access->address - memory->shared;
    if (from_start >= memory->shared_bytes) {
        return false;
    }
    const struct memory_slot *slot = &memory->slot[from_start / MEMORY_SLOT_BYTES];
    access->array = slot->array;
    access->array_bytes = slot->bytes;
    access->offset = (int64_t)(access->address - slot->start);
    return true;
}

// The global array that an address of the arena belongs to.
static inline uint32_t memory_global_array(const struct memory *memory, uint64_t address) {
    return memory->owner[(address - memory->arena) / MEMORY_ZONE_BYTES];
}

static inline bool memory_find_global(const struct memory *memory, struct access *access) {
    uint64_t address = access->address;
    if (address - memory->arena >= memory->arena_bytes) {
        return false;
    }
    uint32_t array = memory_global_array(memory, address);
    access->array = array;
    access->array_bytes = memory->bytes[array];
    access->offset = (int64_t)(address - memory->start[array]);
    return true;
}

static inline bool memory_is_unwatched(const struct memory *memory, uint32_t array) {
    return __builtin_expect(memory->unwatched != 0, 0) && (memory->unwatched >> array & 1);
}

// True for an aligned load of such an array, in its bounds.
static inline bool memory_reads_unwatched(const struct memory *memory, uint64_t address,
                                          uint32_t bytes) {
    if (__builtin_expect(memory->unwatched == 0, 1) ||
        address - memory->arena >= memory->arena_bytes) {
        return false;
    }
    uint32_t array = memory_global_array(memory, address);
    uint64_t offset = address - memory->start[array];
    return memory_is_unwatched(memory, array) && offset < memory->bytes[array] &&
           bytes <= memory->bytes[array] - offset && address % bytes == 0;
}

// The same for all other addresses; also sets space and in_bounds, which is false in the margin of
// a __constant__ variable.  Returns false if the access is impossible: only loads of the program's
// constants are possible.
bool memory_find_elsewhere(const struct memory *memory, struct access *access);

static inline bool memory_inside(const struct access *access) {
    uint64_t offset = (uint64_t)access->offset;
    return offset < access->array_bytes && access->bytes <= access->array_bytes - offset;
}

// Arrays at one address (all `extern __shared__` ones) share their bytes; each start is a multiple
// of 16.
struct shared_map {
    uint64_t start[SHARED_ARRAYS_MAX];  // by index in the table
    uint64_t bytes;                     // of all
};

struct shared_map shared_map_of(const struct shared_array_table *table);

#endif
