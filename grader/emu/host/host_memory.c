// Device memory as the host sees it: allocations, variables of the device, the bytes that something
// has stored, and results that nothing reads.
#include "emu/host/host.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/text.h"
#include "emu/machine/stop.h"

#define FILLED_BYTES (64u << 20)  // of a new array: more would only cost time
#define DEVICE_BYTES (16ull << 30)
#define PITCH_BYTES  512u

struct host host_state;

static uint32_t variable_at(uint64_t address);

// --- Finding -------------------------------------------------------------------------------------

bool host_find(const void *pointer, uint32_t *ret_array, int64_t *ret_offset) {
    const struct memory *memory = &machine_state.memory;
    uint64_t address = (uint64_t)(uintptr_t)pointer;
    if (machine_state.variables > 0 && variable_at(address) != ARRAY_NONE) {
        *ret_array = variable_at(address);
        *ret_offset = (int64_t)(address - memory->start[*ret_array]);
        return true;
    }
    if (memory->array_count == 0 || address - memory->arena >= memory->arena_bytes) {
        return false;
    }
    uint32_t array = memory_global_array(memory, address);
    *ret_array = array < memory->array_count ? array : memory->array_count - 1;
    *ret_offset = (int64_t)(address - memory->start[*ret_array]);
    return true;
}

// --- Opening and closing -------------------------------------------------------------------------

static void protect(uint64_t start, uint64_t bytes, int protection) {
    (void)mprotect((void *)(uintptr_t)start, bytes, protection);
}

void host_open(void) {
    const struct memory *memory = &machine_state.memory;
    if (!host_state.is_open) {
        protect(memory->arena, memory->arena_bytes, PROT_READ | PROT_WRITE);
        host_state.is_open = true;
    }
}

// Managed and pinned memory stays open.
void host_close(void) {
    const struct memory *memory = &machine_state.memory;
    if (!host_state.is_open) {
        return;
    }
    protect(memory->arena, memory->arena_bytes, PROT_NONE);
    for (uint32_t i = machine_state.variables; i < memory->array_count; i++) {
        if (host_state.array[i].memory != MEMORY_OF_DEVICE && memory->bytes[i] > 0) {
            protect(memory->start[i], (memory->bytes[i] + 4095) / 4096 * 4096,
                    PROT_READ | PROT_WRITE);
        }
    }
    host_state.is_open = false;
}

// --- Maps of stored bytes ------------------------------------------------------------------------

// Not of a variable, which holds values from the start.
static uint8_t *map_of(uint32_t array) {
    const struct memory *memory = &machine_state.memory;
    return machine_state.workspace.written +
           (memory->start[array] - memory->arena) / WORKSPACE_WORD_BYTES;
}

static bool byte_is_set(const uint8_t *map, uint64_t at) {
    return map[at / WORKSPACE_WORD_BYTES] >> at % WORKSPACE_WORD_BYTES & 1;
}

void host_mark(uint32_t array, uint64_t offset, uint64_t bytes) {
    if (array < machine_state.variables) {
        return;
    }
    uint8_t *map = map_of(array);
    uint64_t at = offset;
    const uint64_t end = offset + bytes;
    for (; at < end && at % WORKSPACE_WORD_BYTES != 0; at++) {
        map[at / WORKSPACE_WORD_BYTES] |= (uint8_t)(1u << at % WORKSPACE_WORD_BYTES);
    }
    uint64_t words = (end - at) / WORKSPACE_WORD_BYTES;
    memset(map + at / WORKSPACE_WORD_BYTES, WORKSPACE_WRITTEN, words);
    for (at += words * WORKSPACE_WORD_BYTES; at < end; at++) {
        map[at / WORKSPACE_WORD_BYTES] |= (uint8_t)(1u << at % WORKSPACE_WORD_BYTES);
    }
}

bool host_byte_is_set(uint32_t array, uint64_t at) {
    return byte_is_set(map_of(array), at);
}

uint64_t host_unset_first(uint32_t array, uint64_t offset, uint64_t bytes) {
    const uint8_t *map = map_of(array);
    uint64_t i = 0;
    while (i < bytes) {
        uint64_t at = offset + i;
        if (at % WORKSPACE_WORD_BYTES == 0 &&
            (map[at / WORKSPACE_WORD_BYTES] & WORKSPACE_WRITTEN) == WORKSPACE_WRITTEN) {
            i += WORKSPACE_WORD_BYTES;
        } else if (!byte_is_set(map, at)) {
            return i;
        } else {
            i++;
        }
    }
    return bytes;
}

// --- Allocations ---------------------------------------------------------------------------------

char *__cxa_demangle(const char *symbol, char *text, size_t *bytes, int *ret_status);

// The name of a variable as its source spells it: "count" for _ZN5stats5countE.
static void name_write(const char *symbol, char name[ARRAY_NAME_MAX]) {
    int failed = 0;
    char *readable = __cxa_demangle(symbol, NULL, NULL, &failed);
    const char *whole = readable ? readable : symbol;
    const char *colon = strrchr(whole, ':');
    const char *from = colon ? colon + 1 : whole;
    for (size_t i = 0; i + 1 < ARRAY_NAME_MAX && text_is_word(from[i]); i++) {
        name[i] = from[i];
    }
    free(readable);
}

uint64_t host_copied_before(uint32_t array, int64_t offset) {
    const struct host_array *copied = &host_state.array[array];
    return offset >= (int64_t)copied->copy_end ? copied->copy_pc : 0;
}

void host_array_describe(struct finding *finding) {
    finding->of_program.launch_pc = host_state.launch_pc;
    if (finding->space != SPACE_GLOBAL || finding->array >= machine_state.memory.array_count) {
        return;
    }
    const struct host_array *array = &host_state.array[finding->array];
    finding->of_program = (struct program_array){.pc = array->pc,
                                                 .bytes = array->bytes,
                                                 .element_bytes = array->element_bytes,
                                                 .memory = array->memory,
                                                 .launch_pc = host_state.launch_pc,
                                                 .call_pc = array->freed_pc};
    if (finding->kind == FINDING_HOST) {
        finding->of_program.call_pc = 0;
    } else if (finding->kind == FINDING_UNINITIALIZED && array->freed_pc == 0) {
        finding->of_program.call_pc = host_copied_before(finding->array, finding->offset);
    }
    if (array->symbol) {
        name_write(array->symbol, finding->of_program.name);
    }
}

static uint32_t allocate(struct host_result result, uint64_t bytes, enum host_memory memory,
                         uint64_t pc) {
    struct emu_machine *machine = &machine_state;
    struct error err;
    uint32_t array = 0;
    if (machine->in_kernel) {
        host_refuse("a kernel allocates memory");
    }
    if (host_state.sticky != cudaSuccess) {
        return host_failed(host_state.sticky);
    }
    if (!result.at) {
        return host_fail(cudaErrorInvalidValue, pc);
    }
    *result.at = NULL;
    if (bytes == 0) {
        return cudaSuccess;
    }
    if (host_state.live_bytes + bytes > DEVICE_BYTES ||
        memory_array_add(&machine->memory, bytes, &array, &err)) {
        return host_fail(cudaErrorMemoryAllocation, pc);
    }
    host_state.array[array] = (struct host_array){.pc = pc,
                                                  .bytes = bytes,
                                                  .memory = memory,
                                                  .device = host_state.device,
                                                  .element_bytes = (uint32_t)result.element_bytes};
    host_state.live_bytes += bytes;
    machine->coverage.element[array] =
        machine->coverage.memory +
        (machine->memory.start[array] - machine->memory.arena) / COVERAGE_ELEMENT_BYTES;
    host_open();
    memset((void *)(uintptr_t)machine->memory.start[array], SHARED_JUNK,
           bytes < FILLED_BYTES ? bytes : FILLED_BYTES);
    host_close();
    *result.at = (void *)(uintptr_t)machine->memory.start[array];
    return cudaSuccess;
}

uint32_t emu_cudaMalloc(struct host_result result, uint64_t bytes);
uint32_t emu_cudaMallocManaged(struct host_result result, uint64_t bytes, uint32_t flags);
uint32_t emu_cudaMallocHost(struct host_result result, uint64_t bytes, uint32_t flags);
uint32_t emu_cudaHostAlloc(struct host_result result, uint64_t bytes, uint32_t flags);
uint32_t emu_cudaMallocAsync(struct host_result result, uint64_t bytes, void *stream);
uint32_t emu_cudaMallocPitch(struct host_result result, uint64_t *pitch, uint64_t width,
                             uint64_t height);

uint32_t emu_cudaMalloc(struct host_result result, uint64_t bytes) {
    return allocate(result, bytes, MEMORY_OF_DEVICE, CALLED_AT);
}

uint32_t emu_cudaMallocManaged(struct host_result result, uint64_t bytes, uint32_t flags) {
    (void)flags;
    return allocate(result, bytes, MEMORY_MANAGED, CALLED_AT);
}

uint32_t emu_cudaMallocHost(struct host_result result, uint64_t bytes, uint32_t flags) {
    (void)flags;
    return allocate(result, bytes, MEMORY_PINNED, CALLED_AT);
}

uint32_t emu_cudaHostAlloc(struct host_result result, uint64_t bytes, uint32_t flags) {
    (void)flags;
    return allocate(result, bytes, MEMORY_PINNED, CALLED_AT);
}

uint32_t emu_cudaMallocAsync(struct host_result result, uint64_t bytes, void *stream) {
    if (!host_order_begin(stream, CALLED_AT)) {
        return host_failed(cudaErrorInvalidResourceHandle);
    }
    const uint32_t current = host_state.device;
    host_state.device = host_order_device();
    uint32_t error = allocate(result, bytes, MEMORY_OF_DEVICE, CALLED_AT);
    host_state.device = current;
    return error;
}

uint32_t emu_cudaMallocPitch(struct host_result result, uint64_t *pitch, uint64_t width,
                             uint64_t height) {
    if (!pitch) {
        return host_fail(cudaErrorInvalidValue, CALLED_AT);
    }
    *pitch = (width + PITCH_BYTES - 1) / PITCH_BYTES * PITCH_BYTES;
    uint32_t error = allocate(result, *pitch * height, MEMORY_OF_DEVICE, CALLED_AT);
    uint32_t array = 0;
    int64_t offset = 0;
    if (!error && host_find(*result.at, &array, &offset)) {
        host_state.array[array].row_bytes = width;
    }
    return error;
}

uint32_t host_freed_report(uint32_t array, int64_t offset, uint64_t pc, enum host_fault fault) {
    struct finding finding = host_finding_in(fault, pc, array, offset);
    finding.other_pc = host_state.array[array].freed_pc;
    host_report(&finding);
    return host_failed(cudaErrorInvalidValue);
}

uint32_t host_foreign_report(const void *pointer, enum host_memory wanted, uint64_t pc) {
    uint32_t array = 0;
    int64_t offset = 0;
    bool found = host_find(pointer, &array, &offset);
    struct finding finding = found ? host_finding_in(HOST_FREED_FOREIGN, pc, array, offset)
                                   : host_finding(HOST_FREED_FOREIGN, pc);
    finding.access = found ? host_state.array[array].memory : MEMORY_OF_HOST;
    finding.other_access = wanted;
    host_report(&finding);
    return host_failed(cudaErrorInvalidValue);
}

// `wanted`: the memory that the function frees; managed memory is the device's.
static uint32_t release(void *pointer, enum host_memory wanted, bool waits, uint64_t pc) {
    uint32_t array = 0;
    int64_t offset = 0;
    if (host_state.sticky != cudaSuccess) {
        return host_failed(host_state.sticky);
    }
    if (!pointer) {
        return cudaSuccess;
    }
    bool found = host_find(pointer, &array, &offset);
    enum host_memory memory = found ? host_state.array[array].memory : MEMORY_OF_HOST;
    if (found && host_state.array[array].freed_pc != 0 && offset == 0) {
        return host_freed_report(array, offset, pc, HOST_FREED_TWICE);
    }
    if (found && offset != 0) {
        struct finding finding = host_finding_in(HOST_FREED_INSIDE, pc, array, offset);
        host_report(&finding);
        return host_failed(cudaErrorInvalidValue);
    }
    if ((memory == MEMORY_MANAGED ? MEMORY_OF_DEVICE : memory) != wanted) {
        return host_foreign_report(pointer, wanted, pc);
    }
    if (waits) {
        host_order_wait_device(host_state.array[array].device);
    }
    host_state.live_bytes -= host_state.array[array].bytes;
    host_state.array[array].freed_pc = pc;
    host_open();
    memory_array_remove(&machine_state.memory, array);
    (void)madvise((void *)(uintptr_t)machine_state.memory.start[array],
                  host_state.array[array].bytes, MADV_DONTNEED);
    host_close();
    return cudaSuccess;
}

uint32_t emu_cudaFree(void *pointer);
uint32_t emu_cudaFreeHost(void *pointer);
uint32_t emu_cudaFreeAsync(void *pointer, void *stream);

uint32_t emu_cudaFree(void *pointer) {
    return release(pointer, MEMORY_OF_DEVICE, true, CALLED_AT);
}

uint32_t emu_cudaFreeHost(void *pointer) {
    return release(pointer, MEMORY_PINNED, true, CALLED_AT);
}

uint32_t emu_cudaFreeAsync(void *pointer, void *stream) {
    (void)stream;
    return release(pointer, MEMORY_OF_DEVICE, false, CALLED_AT);
}

// --- Results -------------------------------------------------------------------------------------

void host_touched(uint32_t number, const struct host_touch *touch) {
    struct host_array *array = &host_state.array[number];
    // What is read was stored by a launch, perhaps this one, or copied there.
    bool stored = array->stored_pc != 0 || array->copy_pc == 0;
    array->used = array->used || (stored && touch->kinds & COVERAGE_READ);
    if (touch->kinds & COVERAGE_WRITTEN) {
        array->stored_pc = touch->pc;
    }
    if (touch->first <= array->touched_end && touch->end > array->touched_end) {
        array->touched_end = touch->end;
        array->touched_threads = touch->threads;
        array->touched_of_block = touch->of_block;
        array->touched_pc = touch->pc;
    }
}

static void warn(enum host_fault fault, uint64_t pc, uint32_t array, int64_t offset,
                 uint64_t other_pc) {
    struct finding finding = host_finding_in(fault, pc, array, offset);
    finding.severity = SEVERITY_WARNING;
    finding.other_pc = other_pc;
    host_report(&finding);
}

// As many bytes as there are elements were taken, if the elements have so many bytes.
static uint64_t element_taken(const struct host_array *array, uint64_t bytes) {
    const uint64_t whole = array->row_bytes > 0 ? array->row_bytes : array->bytes;
    const uint64_t part = whole % bytes == 0 ? whole / bytes : 0;
    bool fits = array->element_bytes <= 1 || array->element_bytes == part;
    return fits && (part == 2 || part == 4 || part == 8) ? part : 0;
}

static void part_take(struct host_array *array, uint64_t offset, uint64_t bytes, uint64_t pc) {
    bool at_start = array->row_bytes > 0 ? offset % PITCH_BYTES == 0 : offset == 0;
    if (at_start && element_taken(array, bytes) > 0 &&
        (array->part_pc == 0 || array->part_bytes == bytes)) {
        array->part_pc = pc;
        array->part_bytes = bytes;
    } else {
        array->others_taken = true;
    }
}

static void part_report(uint32_t number) {
    const struct host_array *array = &host_state.array[number];
    if (array->part_pc != 0 && !array->others_taken && array->touched_end > array->part_bytes) {
        struct finding finding = host_finding_in(HOST_FEW_BYTES, array->part_pc, number, 0);
        finding.severity = SEVERITY_WARNING;
        finding.array_bytes = array->row_bytes > 0 ? array->row_bytes : array->bytes;
        finding.other_offset = (int64_t)array->part_bytes;
        finding.access_bytes = (uint32_t)element_taken(array, array->part_bytes);
        host_report(&finding);
    }
}

// A copy from an array takes what kernels have stored there.  If each thread of a launch used one
// element, from the first on, and the copy takes a part of a block more, the grid is rounded down.
void host_taken(uint32_t number, uint64_t offset, uint64_t bytes, uint64_t pc) {
    struct host_array *array = &host_state.array[number];
    uint64_t element = array->element_bytes > 1 ? array->element_bytes : 0;
    const uint64_t end = offset + bytes;
    part_take(array, offset, bytes, pc);
    array->used = true;
    host_state.has_taken = host_state.has_taken || array->stored_pc != 0;
    if (element > 0 && array->touched_end > 0 && array->touched_end < end &&
        array->touched_threads >= WARP_LANES &&
        array->touched_threads * element == array->touched_end) {
        warn(HOST_UNCOVERED, array->touched_pc, number, (int64_t)array->touched_end, pc);
    }
}

// If nothing at all was taken from the device, the last result is named; else those that nothing
// has used since.  Managed and pinned memory is read without a call, and a program that measures
// time may need no results.
void host_unread_report(void) {
    bool open = host_state.has_timed;
    for (uint32_t i = 0; i < machine_state.memory.array_count; i++) {
        open |= host_state.array[i].memory != MEMORY_OF_DEVICE;
        part_report(i);
    }
    for (uint32_t i = machine_state.variables; i < machine_state.memory.array_count && !open; i++) {
        const struct host_array *array = &host_state.array[i];
        if (array->stored_pc != 0 && (!array->used || !host_state.has_taken)) {
            warn(HOST_UNREAD, array->stored_pc, i, 0, 0);
        }
    }
}

void host_leaks_report(void) {
    for (uint32_t i = 0; i < machine_state.memory.array_count; i++) {
        const struct host_array *array = &host_state.array[i];
        if (array->freed_pc == 0 && array->pc != 0) {
            struct finding finding = host_finding_in(HOST_LEAK, array->pc, i, 0);
            finding.severity = emu_kernel ? SEVERITY_ERROR : SEVERITY_NOTE;
            host_report(&finding);
        }
    }
}

// --- Variables of the device ---------------------------------------------------------------------

// Variables of a program, listed by device/assembly/rewrite.c.
struct listed_variable {
    uint64_t address;
    uint64_t bytes;
    const char *symbol;
};
#define LIST(name)                                                                                 \
    extern const struct listed_variable __start_##name[] __attribute__((weak));                    \
    extern const struct listed_variable __stop_##name[] __attribute__((weak));
LIST(emu_constants)
LIST(emu_device_variables)
LIST(emu_managed_variables)
#undef LIST

static bool is_constant(uint64_t address) {
    for (const struct listed_variable *listed = __start_emu_constants;
         listed != __stop_emu_constants; listed++) {
        if (address - listed->address < listed->bytes) {
            return true;
        }
    }
    return false;
}

// The array of the variable at an address; ARRAY_NONE if there is none.
static uint32_t variable_at(uint64_t address) {
    const struct memory *memory = &machine_state.memory;
    for (uint32_t i = 0; i < machine_state.variables; i++) {
        if (address - memory->start[i] < memory->bytes[i]) {
            return i;
        }
    }
    return ARRAY_NONE;
}

bool host_is_symbol(const void *pointer) {
    uint64_t address = (uint64_t)(uintptr_t)pointer;
    uint32_t array = variable_at(address);
    return array == ARRAY_NONE ? is_constant(address)
                               : host_state.array[array].memory == MEMORY_OF_DEVICE &&
                                     !host_state.array[array].taken;
}

bool host_is_variable(const void *pointer) {
    uint64_t address = (uint64_t)(uintptr_t)pointer;
    return is_constant(address) || variable_at(address) != ARRAY_NONE;
}

// Each is an array of the machine, outside the arena, and known to hold values.
static void variables_add(const struct listed_variable *first, const struct listed_variable *end,
                          enum host_memory kind) {
    struct emu_machine *machine = &machine_state;
    for (const struct listed_variable *listed = first; listed < end; listed++) {
        struct error err;
        uint32_t array = 0;
        if (memory_array_add(&machine->memory, listed->bytes, &array, &err)) {
            return;
        }
        machine->coverage.element[array] =
            machine->coverage.memory +
            (machine->memory.start[array] - machine->memory.arena) / COVERAGE_ELEMENT_BYTES;
        machine->memory.start[array] = listed->address;
        machine->variables = array + 1;
        host_state.array[array] =
            (struct host_array){.symbol = listed->symbol, .bytes = listed->bytes, .memory = kind};
    }
}

// The values of the variables of the other devices, one after the other.
static char *variables_of[HOST_DEVICES_MAX];

// Moves the values to `kept`, or back.  Returns their bytes; `kept` NULL: only counts them.
static uint64_t variables_move(char *kept, bool back) {
    const struct listed_variable *const first[] = {__start_emu_constants,
                                                   __start_emu_device_variables};
    const struct listed_variable *const end[] = {__stop_emu_constants, __stop_emu_device_variables};
    uint64_t at = 0;
    for (int i = 0; i < 2; i++) {
        for (const struct listed_variable *listed = first[i]; listed < end[i]; listed++) {
            void *live = (void *)(uintptr_t)listed->address;
            if (kept) {
                memcpy(back ? live : kept + at, back ? kept + at : live, listed->bytes);
            }
            at += listed->bytes;
        }
    }
    return at;
}

void host_variables_open(void) {
    variables_add(__start_emu_device_variables, __stop_emu_device_variables, MEMORY_OF_DEVICE);
    variables_add(__start_emu_managed_variables, __stop_emu_managed_variables, MEMORY_MANAGED);
    const uint64_t bytes = variables_move(NULL, false);
    for (uint32_t i = 0; i < host_state.devices && bytes > 0 && host_state.devices > 1; i++) {
        variables_of[i] = malloc(bytes);
        if (!variables_of[i]) {
            abort();  // out of memory
        }
        (void)variables_move(variables_of[i], false);
    }
}

void host_variables_switch(uint32_t from, uint32_t to) {
    if (from != to) {
        (void)variables_move(variables_of[from], false);
        (void)variables_move(variables_of[to], true);
    }
}

bool host_variable_find(struct access *access) {
    const struct memory *memory = &machine_state.memory;
    uint32_t array = variable_at(access->address);
    if (array == ARRAY_NONE) {
        return false;
    }
    access->array = array;
    access->array_bytes = memory->bytes[array];
    access->offset = (int64_t)(access->address - memory->start[array]);
    return true;
}

// --- Questions about memory ----------------------------------------------------------------------

struct pointer_attributes {
    uint32_t type;  // enum cudaMemoryType
    int device;
    void *device_pointer, *host_pointer;
};

uint32_t emu_cudaMemGetInfo(uint64_t *free_bytes, uint64_t *total_bytes);
uint32_t emu_cudaPointerGetAttributes(struct pointer_attributes *attributes, const void *pointer);
uint32_t emu_cudaHostGetDevicePointer(struct host_result result, void *pointer, uint32_t flags);

uint32_t emu_cudaMemGetInfo(uint64_t *free_bytes, uint64_t *total_bytes) {
    *total_bytes = DEVICE_BYTES;
    *free_bytes = DEVICE_BYTES - host_state.live_bytes;
    return cudaSuccess;
}

uint32_t emu_cudaPointerGetAttributes(struct pointer_attributes *attributes, const void *pointer) {
    static const uint32_t types[] = {
        [MEMORY_OF_HOST] = 0, [MEMORY_OF_DEVICE] = 2, [MEMORY_MANAGED] = 3, [MEMORY_PINNED] = 1};
    uint32_t array = 0;
    int64_t offset = 0;
    bool is_ours = host_find(pointer, &array, &offset);
    enum host_memory memory = is_ours ? host_state.array[array].memory : MEMORY_OF_HOST;
    void *at = (void *)(uintptr_t)pointer;
    *attributes = (struct pointer_attributes){
        .type = types[memory],
        .device = is_ours ? (int)host_state.array[array].device : -2,
        .device_pointer = is_ours ? at : NULL,
        .host_pointer = memory == MEMORY_OF_DEVICE ? NULL : at,
    };
    return cudaSuccess;
}

uint32_t emu_cudaHostGetDevicePointer(struct host_result result, void *pointer, uint32_t flags) {
    uint32_t array = 0;
    int64_t offset = 0;
    (void)flags;
    if (!host_find(pointer, &array, &offset) || host_state.array[array].memory != MEMORY_PINNED) {
        return host_fail(cudaErrorInvalidValue, CALLED_AT);
    }
    *result.at = pointer;
    return cudaSuccess;
}

uint32_t emu_cudaGetSymbolAddress(struct host_result result, struct host_symbol symbol);
uint32_t emu_cudaGetSymbolSize(uint64_t *bytes, struct host_symbol symbol);

uint32_t emu_cudaGetSymbolAddress(struct host_result result, struct host_symbol symbol) {
    if (!host_is_variable(symbol.at)) {
        return host_fail(cudaErrorInvalidSymbol, CALLED_AT);
    }
    *result.at = (void *)(uintptr_t)symbol.at;
    uint32_t array = variable_at((uint64_t)(uintptr_t)symbol.at);
    if (array != ARRAY_NONE) {
        host_state.array[array].taken = true;
    }
    return cudaSuccess;
}

uint32_t emu_cudaGetSymbolSize(uint64_t *bytes, struct host_symbol symbol) {
    if (!host_is_variable(symbol.at)) {
        return host_fail(cudaErrorInvalidSymbol, CALLED_AT);
    }
    *bytes = symbol.bytes;
    return cudaSuccess;
}
