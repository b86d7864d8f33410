// Lays out the memory of a launch.
//
// Arrays are far apart in the thread-local image, but a shadow needs them side by side.
#include "emu/memory/kernel_memory.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#define SHIFT_END      1024u  // of memory_shift
#define RED_ZONE_BYTES (16u << 20)
#define PAGE_BYTES     65536u         // no page is larger
#define ARENA_ADDRESS  0x2000000000u  // free on every Linux, also with 39-bit addresses

// Defined by the linker: the end of the program's code, and the start of .bss.  Constants, string
// literals, threadIdx and the like are between them; the machine itself is in .bss.
extern const char etext[];
extern const char __bss_start[];

// The __constant__ variables, listed by device/assembly/rewrite.c.
struct listed_constant {
    uint64_t address;
    uint64_t bytes;
    const char *symbol;
};
extern const struct listed_constant __start_emu_constants[] __attribute__((weak));
extern const struct listed_constant __stop_emu_constants[] __attribute__((weak));

struct segment {
    uint64_t address;
    uint64_t bytes;
};

// The program's thread-local segment in this thread.
static int find_segment(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    struct segment *segment = data;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type == PT_TLS && info->dlpi_tls_data) {
            segment->address = (uint64_t)(uintptr_t)info->dlpi_tls_data;
            segment->bytes = info->dlpi_phdr[i].p_memsz;
            return 1;
        }
    }
    return 0;
}

static uint64_t round_up(uint64_t value, uint64_t step) {
    return (value + step - 1) / step * step;
}

// The size that an array may have: a dynamic one has the size that the launch requests, up to the
// next array.
static uint64_t bytes_reserved(const struct shared_array *array) {
    if (array->is_dynamic) {
        return SHARED_ROOM_BYTES;
    }
    return array->bytes == 0 ? MEMORY_ALIGN_BYTES : array->bytes;
}

static enum status find_shared(struct memory *memory, struct error *err) {
    struct segment segment = {0};
    uint64_t low = UINT64_MAX;
    uint64_t high = 0;
    struct shared_array_table *table = &memory->table;
    if (table->count == 0) {
        return STATUS_OK;
    }
    (void)dl_iterate_phdr(find_segment, &segment);
    for (uint32_t i = 0; i < table->count; i++) {
        const struct shared_array *array = &table->array[i];
        uint64_t shift = (segment.address + array->offset) % MEMORY_ALIGN_BYTES;
        if (array->offset > segment.bytes || array->bytes > segment.bytes - array->offset ||
            shift >= SHIFT_END) {
            return fail(err, STATUS_BAD_DATA, "shared array %u is not where this program has one",
                        i);
        }
        uint64_t start = array->offset - shift;
        uint64_t end = start + round_up(shift + bytes_reserved(array), MEMORY_ALIGN_BYTES);
        low = start < low ? start : low;
        high = end > high ? end : high;
    }
    uint64_t slots = (high - low) / MEMORY_SLOT_BYTES + 1;
    if (slots > MEMORY_SLOTS_MAX) {
        return fail(err, STATUS_BAD_DATA, "the shared arrays of this program take too much memory");
    }
    memory->shared = segment.address + low - MEMORY_SLOT_BYTES;
    memory->shared_bytes = slots * MEMORY_SLOT_BYTES;
    memory->segment_end = segment.address + segment.bytes;
    memory->slot_count = (uint32_t)slots;
    // From here on the table contains offsets from the first slot.
    for (uint32_t i = 0; i < table->count; i++) {
        table->array[i].offset += MEMORY_SLOT_BYTES - low;
    }
    return STATUS_OK;
}

enum status memory_open(const struct shared_array_table *shared, struct memory *ret_memory,
                        struct error *err) {
    memset(ret_memory, 0, sizeof *ret_memory);
    if (shared->count > SHARED_ARRAYS_MAX) {
        return fail(err, STATUS_BAD_DATA, "%u shared arrays, more than %d", shared->count,
                    SHARED_ARRAYS_MAX);
    }
    ret_memory->table = *shared;
    ret_memory->program = (uint64_t)(uintptr_t)etext;
    ret_memory->program_end = (uint64_t)(uintptr_t)__bss_start;
    return find_shared(ret_memory, err);
}

static void arena_release(struct memory *memory) {
    if (memory->arena_bytes > 0) {
        (void)munmap((void *)(uintptr_t)memory->arena, memory->arena_bytes);
    }
    memory->arena_bytes = 0;
}

void memory_close(struct memory *memory) {
    arena_release(memory);
}

// Maps at least `bytes` zero bytes.
static enum status arena_need(struct memory *memory, uint64_t bytes, struct error *err) {
    const int protection = PROT_READ | PROT_WRITE;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    if (bytes <= memory->arena_bytes) {
        if (madvise((void *)(uintptr_t)memory->arena, memory->arena_bytes, MADV_DONTNEED) == 0) {
            return STATUS_OK;
        }
    }
    arena_release(memory);
    void *hint = (void *)(uintptr_t)ARENA_ADDRESS;
    void *at = mmap(hint, bytes, protection, flags | MAP_FIXED_NOREPLACE, -1, 0);
    if (at == MAP_FAILED) {
        at = mmap(NULL, bytes, protection, flags, -1, 0);
    }
    if (at == MAP_FAILED) {
        return fail_errno(err, STATUS_NO_MEMORY, "no memory for the matrices");
    }
    memory->arena = (uint64_t)(uintptr_t)at;
    memory->arena_bytes = bytes;
    return STATUS_OK;
}

static void slot_fill(struct memory *memory, uint64_t slot, uint32_t array) {
    if (memory->slot[slot].array == ARRAY_NONE) {
        memory->slot[slot].array = array;
        memory->slot[slot].start = memory->shared + memory->table.array[array].offset;
        memory->slot[slot].bytes = memory->table.array[array].bytes;
    }
}

// An array takes the slots that it extends into, then the one before it; the remaining slots go to
// the array before them.  Dynamic arrays share their slots, which the first one names.
static void fill_slots(struct memory *memory) {
    const struct shared_array_table *table = &memory->table;
    for (uint32_t s = 0; s < memory->slot_count; s++) {
        memory->slot[s].array = ARRAY_NONE;
    }
    for (uint32_t i = 0; i < table->count; i++) {
        uint64_t first = table->array[i].offset / MEMORY_SLOT_BYTES;
        uint64_t end = round_up(table->array[i].offset + table->array[i].bytes, MEMORY_SLOT_BYTES) /
                       MEMORY_SLOT_BYTES;
        for (uint64_t s = first; s == first || s < end; s++) {
            slot_fill(memory, s, i);
        }
    }
    for (uint32_t i = 0; i < table->count; i++) {
        slot_fill(memory, table->array[i].offset / MEMORY_SLOT_BYTES - 1, i);
    }
    for (uint32_t s = 1; s < memory->slot_count; s++) {
        slot_fill(memory, s, memory->slot[s - 1].array);
    }
}

// Assigns each zone to the array whose start comes next, beginning half a red zone before that
// start.
static void zones_fill(struct memory *memory, uint64_t arena_bytes) {
    uint32_t owner = ARRAY_NONE;
    for (uint64_t zone = 0; zone * MEMORY_ZONE_BYTES < arena_bytes; zone++) {
        uint64_t next = memory->arena + zone * MEMORY_ZONE_BYTES + RED_ZONE_BYTES / 2;
        for (uint32_t i = 0; i < GLOBAL_ARRAY_COUNT; i++) {
            if (memory->bytes[i] > 0 && (memory->start[i] == next || owner == ARRAY_NONE)) {
                owner = i;
                break;
            }
        }
        memory->owner[zone] = (uint16_t)owner;
    }
}

enum status memory_global(struct memory *memory, const uint64_t bytes[GLOBAL_ARRAY_COUNT],
                          struct error *err) {
    uint64_t start[GLOBAL_ARRAY_COUNT];
    uint64_t end = 0;
    for (int i = 0; i < GLOBAL_ARRAY_COUNT; i++) {
        start[i] = bytes[i] > 0 ? round_up(end + RED_ZONE_BYTES, MEMORY_ZONE_BYTES) : 0;
        end = bytes[i] > 0 ? start[i] + bytes[i] : end;
    }
    uint64_t total = round_up(end + RED_ZONE_BYTES, PAGE_BYTES);
    if (total > (uint64_t)MEMORY_ZONES_MAX * MEMORY_ZONE_BYTES) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the matrices");
    }
    enum status status = arena_need(memory, total, err);
    if (status) {
        return status;
    }
    for (int i = 0; i < GLOBAL_ARRAY_COUNT; i++) {
        // A missing array is outside the arena.
        memory->start[i] = memory->arena + (bytes[i] > 0 ? start[i] : end + 2 * RED_ZONE_BYTES);
        memory->bytes[i] = bytes[i];
    }
    memory->array_count = GLOBAL_ARRAY_COUNT;
    zones_fill(memory, memory->arena_bytes);
    return STATUS_OK;
}

enum status memory_map(const struct memory *memory, uint32_t i, const struct memory_file *file,
                       struct error *err) {
    const int sharing = file->period > 0 ? MAP_PRIVATE | MAP_NORESERVE : MAP_SHARED;
    const uint64_t step = file->period > 0 ? file->period : memory->bytes[i];
    for (uint64_t done = 0; done < memory->bytes[i]; done += step) {
        uint64_t left = memory->bytes[i] - done;
        void *to = (void *)(uintptr_t)(memory->start[i] + done);
        if (mmap(to, left < step ? left : step, PROT_READ | PROT_WRITE, sharing | MAP_FIXED,
                 file->fd, (off_t)file->at) != to) {
            return fail_errno(err, STATUS_NO_MEMORY, "no memory for the matrices");
        }
    }
    return STATUS_OK;
}

enum status memory_arena(struct memory *memory, struct error *err) {
    enum status status = arena_need(memory, (uint64_t)MEMORY_ZONES_ALL * MEMORY_ZONE_BYTES, err);
    memory->array_count = 0;
    memory->inputs = memory->unwatched = 0;
    memory->end = memory->arena;
    return status;
}

enum status memory_array_add(struct memory *memory, uint64_t bytes, uint32_t *ret_array,
                             struct error *err) {
    uint32_t array = memory->array_count;
    uint64_t start = round_up(memory->end - memory->arena + RED_ZONE_BYTES, MEMORY_ZONE_BYTES);
    uint64_t zone_end = (start + bytes + RED_ZONE_BYTES / 2) / MEMORY_ZONE_BYTES + 1;
    if (array == MEMORY_ARRAYS_MAX || bytes > memory->arena_bytes ||
        zone_end >= memory->arena_bytes / MEMORY_ZONE_BYTES) {
        return fail(err, STATUS_NO_MEMORY, "no memory for another array of the device");
    }
    memory->start[array] = memory->arena + start;
    memory->bytes[array] = bytes;
    memory->end = memory->arena + start + bytes;
    memory->array_count++;
    for (uint64_t zone = (start - RED_ZONE_BYTES / 2) / MEMORY_ZONE_BYTES; zone < zone_end;
         zone++) {
        memory->owner[zone] = (uint16_t)array;
    }
    *ret_array = array;
    return STATUS_OK;
}

void memory_array_remove(struct memory *memory, uint32_t array) {
    memory->bytes[array] = 0;
}

void memory_launch(struct memory *memory, uint64_t shared_bytes) {
    for (uint32_t i = 0; i < memory->table.count; i++) {
        if (memory->table.array[i].is_dynamic) {
            memory->table.array[i].bytes = shared_bytes;
        }
    }
    fill_slots(memory);
}

void memory_block(const struct memory *memory) {
    for (uint32_t s = 0; s < memory->slot_count; s++) {
        const struct memory_slot *slot = &memory->slot[s];
        if (memory_slot_begins(memory, s)) {
            memset((void *)(uintptr_t)slot->start, memory_fresh(memory), slot->bytes);
        }
    }
}

// What a kernel may read by name: threadIdx and the like, and the arguments of a program's kernel.
extern const char __start_emu_readable[] __attribute__((weak));
extern const char __stop_emu_readable[] __attribute__((weak));

// Finds the __constant__ variable that the access is in, or in the margin of.
static bool constant_find(struct access *access) {
    for (const struct listed_constant *listed = __start_emu_constants;
         listed != __stop_emu_constants; listed++) {
        uint64_t from_margin = access->address - listed->address + MEMORY_MARGIN_BYTES;
        if (from_margin < listed->bytes + 2ull * MEMORY_MARGIN_BYTES) {
            access->offset = (int64_t)(access->address - listed->address);
            access->array_bytes = listed->bytes;
            access->in_bounds = memory_inside(access);
            return true;
        }
    }
    return false;
}

bool memory_find_elsewhere(const struct memory *memory, struct access *access) {
    access->array = ARRAY_NONE;
    access->offset = 0;
    access->array_bytes = 0;
    access->in_bounds = true;
    bool readable = (access->address >= memory->program && access->address < memory->program_end) ||
                    (access->address >= (uint64_t)(uintptr_t)__start_emu_readable &&
                     access->address < (uint64_t)(uintptr_t)__stop_emu_readable);
    readable = constant_find(access) || readable;
    access->space = readable ? SPACE_CONSTANT : SPACE_UNKNOWN;
    return readable && access->kind == ACCESS_READ;
}

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
