// What the compiler calls in a kernel: one function for each load and store, and the checks of -fsanitize.
//
// The kernel is compiled with -fsanitize=thread,bounds,… and linked with these instead of the sanitizers' libraries.
// Each hook is called before the access, with the address; its return address is the place in the kernel.
#include "emu/align.h"
#include "emu/bounds.h"
#include "emu/machine.h"

#define PLACE  ((uint64_t)(uintptr_t)__builtin_return_address(0))
#define FRAME  ((uint64_t)(uintptr_t)__builtin_frame_address(0))
// The hooks lie together, so that the timer's handler knows one from the kernel's own code (crash.c).
#define HOOK __attribute__((section("emu_hooks"), noinline))

#define NULL_BYTES 65536u // below: an index into an array that starts at null

// Everything that is called by name from the kernel's object.
void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
void emu_return_at(void);
void __tsan_read_range(uint64_t address, uint64_t bytes);
void __tsan_write_range(uint64_t address, uint64_t bytes);

static _Noreturn void access_impossible(struct emu_machine *machine, const struct access *access) {
    enum crash_cause cause = access->address < NULL_BYTES ? CRASH_NULL_POINTER : CRASH_WILD_POINTER;
    struct finding finding = machine_finding(machine, FINDING_CRASH, access->pc);
    finding.detail = cause;
    finding.space = access->space;
    finding.access = access->kind;
    finding.access_bytes = access->bytes;
    findings_add(&machine->result.findings, &finding);
    machine_stop(machine);
}

// An access outside its array has been reported.  Beside A, B and C nothing can be hurt; behind a shared array may lie
// the thread's control block, so there no store happens, and no load of what is not there.
static void access_outside(struct emu_machine *machine, const struct access *access) {
    if (access->space == SPACE_SHARED &&
        (access->kind != ACCESS_READ || access->address + access->bytes > machine->memory.segment_end)) {
        machine_stop(machine);
    }
}

static inline __attribute__((always_inline)) void touch(uint64_t address, uint32_t bytes, enum access_kind kind,
                                                        uint64_t pc, bool by_size) {
    struct emu_machine *machine = &machine_state;
    struct access access;
    schedule_step(machine, pc);
    access.pc = pc;
    access.address = address;
    access.bytes = bytes;
    access.thread = machine->current;
    access.kind = (uint8_t)kind;
    if (__builtin_expect(!memory_find(&machine->memory, &access), 0)) {
        access_impossible(machine, &access);
    }
    if (__builtin_expect(access.space == SPACE_CONSTANT, 0)) {
        return;
    }
    access.site = sites_number(machine->sites, pc);
    if (bounds_access(&machine->result.findings, &machine->shape, &machine->place, &access)) {
        access_outside(machine, &access);
    }
    if (by_size && align_access(&machine->result.findings, &machine->shape, &machine->place, &access)) {
        machine_stop(machine);
    }
    if (machine->counts && count_access(machine->count, &access)) {
        schedule_away(machine);
    }
    if (machine->checks) {
        if (access.space == SPACE_SHARED) {
            uninit_access(machine->uninit, &access);
        }
        race_access(machine->race, &access);
    }
}

void machine_touch(uint64_t address, uint32_t bytes, enum access_kind kind, uint64_t pc, bool by_size) {
    touch(address, bytes, kind, pc, by_size);
}

// A copy of a struct that is no vector type: a GPU moves its members one by one.
static void touch_range(uint64_t address, uint64_t bytes, enum access_kind kind, uint64_t pc) {
    uint32_t step = (address | bytes) % 4 == 0 ? 4 : 1;
    for (uint64_t done = 0; done < bytes; done += step) {
        touch(address + done, step, kind, pc, false);
    }
}

// Local variables are of no interest, and most calls in some kernels are about them: first test, no memory touched.
static inline __attribute__((always_inline)) bool is_local(uint64_t address, uint64_t frame) {
    return address - frame < FIBER_STACK_BYTES;
}

#define ACCESS_HOOK(name, bytes, kind)                                                             \
    void name(uint64_t address);                                                                   \
    HOOK void name(uint64_t address) {                                                             \
        if (!is_local(address, FRAME)) {                                                           \
            touch(address, bytes, kind, PLACE, true);                                              \
        }                                                                                          \
    }
#define RANGE_HOOK(name, bytes, kind)                                                              \
    void name(uint64_t address);                                                                   \
    HOOK void name(uint64_t address) {                                                             \
        if (!is_local(address, FRAME)) {                                                           \
            touch_range(address, bytes, kind, PLACE);                                              \
        }                                                                                          \
    }

ACCESS_HOOK(__tsan_read1, 1, ACCESS_READ)
ACCESS_HOOK(__tsan_read2, 2, ACCESS_READ)
ACCESS_HOOK(__tsan_read4, 4, ACCESS_READ)
ACCESS_HOOK(__tsan_read8, 8, ACCESS_READ)
ACCESS_HOOK(__tsan_read16, 16, ACCESS_READ)
ACCESS_HOOK(__tsan_write1, 1, ACCESS_WRITE)
ACCESS_HOOK(__tsan_write2, 2, ACCESS_WRITE)
ACCESS_HOOK(__tsan_write4, 4, ACCESS_WRITE)
ACCESS_HOOK(__tsan_write8, 8, ACCESS_WRITE)
ACCESS_HOOK(__tsan_write16, 16, ACCESS_WRITE)
RANGE_HOOK(__tsan_unaligned_read2, 2, ACCESS_READ)
RANGE_HOOK(__tsan_unaligned_read4, 4, ACCESS_READ)
RANGE_HOOK(__tsan_unaligned_read8, 8, ACCESS_READ)
RANGE_HOOK(__tsan_unaligned_read16, 16, ACCESS_READ)
RANGE_HOOK(__tsan_unaligned_write2, 2, ACCESS_WRITE)
RANGE_HOOK(__tsan_unaligned_write4, 4, ACCESS_WRITE)
RANGE_HOOK(__tsan_unaligned_write8, 8, ACCESS_WRITE)
RANGE_HOOK(__tsan_unaligned_write16, 16, ACCESS_WRITE)

HOOK void __tsan_read_range(uint64_t address, uint64_t bytes) {
    if (!is_local(address, FRAME)) {
        touch_range(address, bytes, ACCESS_READ, PLACE);
    }
}

HOOK void __tsan_write_range(uint64_t address, uint64_t bytes) {
    if (!is_local(address, FRAME)) {
        touch_range(address, bytes, ACCESS_WRITE, PLACE);
    }
}

void __tsan_init(void) {}

// The shim marks every `return`; the function's end follows at once.  So when a thread ends, returned_pc is the
// `return` that ended it, and 0 if it ran to the closing brace.
HOOK void emu_return_at(void) {
    machine_state.return_pc = PLACE;
}

HOOK void __tsan_func_entry(void *caller) {
    (void)caller;
    machine_state.return_pc = 0;
}

HOOK void __tsan_func_exit(void) {
    machine_state.returned_pc = machine_state.return_pc;
    machine_state.return_pc = 0;
}

// --- Undefined behaviour that the compiler checks for -----------------------------------------------------------

struct ubsan_place {
    const char *file;
    uint32_t line;
    uint32_t column;
};

struct ubsan_type {
    uint16_t kind; // 0: an integer
    uint16_t info; // bit 0: signed; the rest: log2 of its bits
    char name[];   // 'float [16]'
};

struct ubsan_index {
    struct ubsan_place place;
    const struct ubsan_type *array;
    const struct ubsan_type *index;
};

void __ubsan_handle_out_of_bounds(const struct ubsan_index *data, uint64_t index);
void __ubsan_handle_out_of_bounds_abort(const struct ubsan_index *data, uint64_t index);
void __ubsan_handle_divrem_overflow(void *data, uint64_t left, uint64_t right);
void __ubsan_handle_divrem_overflow_abort(void *data, uint64_t left, uint64_t right);
void __ubsan_handle_missing_return(void *data);
void __ubsan_handle_builtin_unreachable(void *data);

static int64_t ubsan_index_value(const struct ubsan_type *type, uint64_t value) {
    uint32_t bits = 1u << (type->info >> 1);
    if (type->kind != 0 || bits >= 64) {
        return (int64_t)value;
    }
    uint64_t low = value & ((1ull << bits) - 1);
    bool negative = (type->info & 1) && (low >> (bits - 1) & 1);
    return negative ? (int64_t)(low - (1ull << bits)) : (int64_t)low;
}

// The extent in a type's name: 16 in 'float [16]'.
static uint64_t ubsan_extent(const char *name) {
    uint64_t extent = 0;
    while (*name && *name != '[') {
        name++;
    }
    for (name += *name == '['; *name >= '0' && *name <= '9'; name++) {
        extent = extent * 10 + (uint64_t)(*name - '0');
    }
    return extent;
}

// The access would follow.  It may be to a local array, that is to the stack, so it must not happen.
static void index_outside(const struct ubsan_index *data, uint64_t index, uint64_t pc) {
    struct emu_machine *machine = &machine_state;
    bounds_index(&machine->result.findings, &machine->shape, &machine->place, machine->current, pc,
                 ubsan_index_value(data->index, index), ubsan_extent(data->array->name));
    machine_stop(machine);
}

void __ubsan_handle_out_of_bounds(const struct ubsan_index *data, uint64_t index) {
    index_outside(data, index, PLACE);
}

void __ubsan_handle_out_of_bounds_abort(const struct ubsan_index *data, uint64_t index) {
    index_outside(data, index, PLACE);
}

void __ubsan_handle_divrem_overflow(void *data, uint64_t left, uint64_t right) {
    (void)data;
    (void)left;
    (void)right;
    machine_crash(&machine_state, CRASH_DIVISION_BY_ZERO, PLACE);
}

void __ubsan_handle_divrem_overflow_abort(void *data, uint64_t left, uint64_t right) {
    (void)data;
    (void)left;
    (void)right;
    machine_crash(&machine_state, CRASH_DIVISION_BY_ZERO, PLACE);
}

// A function with a result ran to its end without `return`: what follows is not its code.
void __ubsan_handle_missing_return(void *data) {
    (void)data;
    machine_crash(&machine_state, CRASH_TRAP, PLACE);
}

void __ubsan_handle_builtin_unreachable(void *data) {
    (void)data;
    machine_crash(&machine_state, CRASH_TRAP, PLACE);
}
