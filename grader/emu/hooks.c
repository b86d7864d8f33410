// What the compiler calls in a kernel: one function for each load and store, and the checks of
// -fsanitize.
//
// The kernel is compiled with -fsanitize=thread,bounds,… and linked with these instead of the
// sanitizers' libraries. Each hook is called before the access, with the address; its return
// address is the place in the kernel.
#pragma GCC optimize("no-tree-slp-vectorize")  // it gathers the fields of struct access for calls
                                               // that hardly ever come

#include <string.h>

#include "emu/align.h"
#include "emu/bounds.h"
#include "emu/machine.h"

#define PLACE ((uint64_t)(uintptr_t)__builtin_return_address(0))
#define FRAME ((uint64_t)(uintptr_t)__builtin_dwarf_cfa())
// The hooks lie together, so that the timer's handler knows one from the kernel's own code
// (crash.c).
#define HOOK __attribute__((section("emu_hooks"), noinline))

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

// An access outside its array has been reported.  Beside A, B and C nothing can be hurt; behind a
// shared array may lie the thread's control block, so there no store happens, and no load of what
// is not there.
static void access_outside(struct emu_machine *machine, const struct access *access) {
    if (access->space == SPACE_SHARED &&
        (access->kind != ACCESS_READ ||
         access->address + access->bytes > machine->memory.segment_end)) {
        machine_stop(machine);
    }
}

// A helper called from two lines is two instructions on a GPU, which inlines it: place and caller,
// as one number. Source of the factor: Knuth, The Art of Computer Programming 3, 6.4.
static inline uint64_t instruction_of(const struct emu_machine *machine, uint64_t pc) {
    const struct thread *thread = &machine->thread[machine->current];
    return pc ^ thread->caller[(thread->depth - 1) % CALLERS_MAX] * 0x9e3779b97f4a7c15u;
}

// Shared memory is filled with bytes of SHARED_JUNK when a block starts: what holds none has been
// written.
static inline bool may_be_junk(uint64_t address, uint32_t bytes) {
    uint32_t word = 0xffffffffu;
    if (bytes == 4) {
        memcpy(&word, (const void *)(uintptr_t)address, sizeof word);
    }
    return (~word - 0x01010101u) & word & 0x80808080u;
}

static inline void workspace_touched(struct emu_machine *machine, const struct access *access) {
    struct access copy = access_copy(access);
    workspace_access(&machine->workspace, &machine->result.findings, &machine->shape,
                     &machine->place, &copy);
}

// The observers, told in one place.  The address is in array `access->array` of `space`, which the
// caller knows when it is compiled: half of what they ask is answered then.
static inline __attribute__((always_inline)) void
observe(struct emu_machine *machine, struct access *access, enum memory_space space, bool by_size) {
    access->space = (uint8_t)space;
    access->in_bounds = memory_inside(access);
    if (bounds_access(&machine->result.findings, &machine->shape, &machine->place, access)) {
        struct access copy = access_copy(access);
        access_outside(machine, &copy);
    }
    if (by_size ? align_access(&machine->result.findings, &machine->shape, &machine->place, access)
                : align_copy(&machine->result.findings, &machine->shape, &machine->place, access)) {
        machine_stop(machine);
    }
    if (machine->counts) {
        access->site = sites_number(machine->count_sites, instruction_of(machine, access->pc));
        if (count_access(machine->count, access)) {
            schedule_away(machine);
        }
    }
    if (space == SPACE_GLOBAL && access->in_bounds) {
        coverage_access(&machine->coverage, access);
    }
    if (machine->checks && access->in_bounds) {
        access->site = sites_number(machine->sites, access->pc);
        if (space == SPACE_SHARED &&
            (access->kind != ACCESS_READ || may_be_junk(access->address, access->bytes))) {
            uninit_access(machine->uninit, access);
        }
        if (space == SPACE_GLOBAL && access->array == ARRAY_WORKSPACE) {
            workspace_touched(machine, access);
        }
        race_access(machine->race, access);
    }
}

// Takes the access in pieces: one whose address went to a call would have to lie in memory always.
static __attribute__((noinline)) void touch_elsewhere(struct emu_machine *machine, uint64_t address,
                                                      uint32_t bytes, enum access_kind kind,
                                                      uint64_t pc) {
    struct access access = {.pc = pc,
                            .address = address,
                            .bytes = bytes,
                            .thread = machine->current,
                            .kind = (uint8_t)kind};
    if (!memory_find_elsewhere(&machine->memory, &access)) {
        access_impossible(machine, &access);
    }
}

static inline __attribute__((always_inline)) void touch_part(uint64_t address, uint32_t bytes,
                                                             enum access_kind kind, uint64_t pc,
                                                             bool by_size, uint32_t copy_bytes,
                                                             uint32_t copy_at) {
    struct emu_machine *machine = &machine_state;
    struct access access;
    schedule_step(machine, pc);
    access.pc = pc;
    access.address = address;
    access.bytes = bytes;
    access.thread = machine->current;
    access.kind = (uint8_t)kind;
    access.site = 0;
    access.copy_bytes = copy_bytes;
    access.copy_at = copy_at;
    if (memory_find_shared(&machine->memory, &access)) {
        observe(machine, &access, SPACE_SHARED, by_size);
    } else if (__builtin_expect(memory_find_global(&machine->memory, &access), 1)) {
        observe(machine, &access, SPACE_GLOBAL, by_size);
    } else {
        touch_elsewhere(machine, address, bytes, kind, pc);
    }
}

static inline __attribute__((always_inline)) void
touch(uint64_t address, uint32_t bytes, enum access_kind kind, uint64_t pc, bool by_size) {
    touch_part(address, bytes, kind, pc, by_size, 0, 0);
}

void machine_touch(uint64_t address, uint32_t bytes, enum access_kind kind, uint64_t pc,
                   bool by_size) {
    touch_part(address, bytes, kind, pc, by_size, by_size ? 0 : COPY_OF_UNKNOWN, 0);
}

// A copy of a struct that is no vector type: a GPU moves its members one by one.
static void touch_range(uint64_t address, uint64_t bytes, enum access_kind kind, uint64_t pc) {
    uint32_t step = (address | bytes) % 4 == 0 ? 4 : 1;
    for (uint64_t done = 0; done < bytes; done += step) {
        touch_part(address + done, step, kind, pc, false, (uint32_t)bytes, (uint32_t)done);
    }
}

// Local variables are of no interest, and most calls in some kernels are about them: first test, no
// memory touched.
static inline __attribute__((always_inline)) bool is_local(uint64_t address, uint64_t frame) {
    return address - frame < FIBER_STACK_BYTES;
}

// Two functions each, so that the first test saves no registers.
#define ACCESS_HOOK(name, bytes, kind)                                                             \
    HOOK static void name##_memory(uint64_t address, uint64_t pc) {                                \
        touch(address, bytes, kind, pc, true);                                                     \
    }                                                                                              \
    void name(uint64_t address);                                                                   \
    HOOK void name(uint64_t address) {                                                             \
        if (!is_local(address, FRAME)) {                                                           \
            name##_memory(address, PLACE);                                                         \
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

// An assignment from a struct that a call returned: see shim/cuda_types.h.  `from` may be in memory
// too.
static void *assign(void *to, const void *from, uint32_t bytes, uint64_t pc, uint64_t frame) {
    const uint64_t place[2] = {(uint64_t)(uintptr_t)from, (uint64_t)(uintptr_t)to};
    for (int i = 0; i < 2; i++) {
        if (is_local(place[i], frame)) {
            continue;
        }
        enum access_kind kind = i == 0 ? ACCESS_READ : ACCESS_WRITE;
        if (bytes <= 16 && (bytes & (bytes - 1)) == 0) {
            touch(place[i], bytes, kind, pc, true);
        } else {
            touch_range(place[i], bytes, kind, pc);
        }
    }
    return memmove(to, from, bytes);
}

#define ASSIGN(bytes)                                                                              \
    void *emu_assign_##bytes(void *to, const void *from);                                          \
    HOOK void *emu_assign_##bytes(void *to, const void *from) {                                    \
        return assign(to, from, bytes, PLACE, FRAME);                                              \
    }
ASSIGN(2)
ASSIGN(3)
ASSIGN(4)
ASSIGN(6)
ASSIGN(8)
ASSIGN(12)
ASSIGN(16)
ASSIGN(24)
ASSIGN(32)

void __tsan_init(void) {
}

// The shim marks every `return`; the function's end follows at once.  So when a thread ends,
// returned_pc is the `return` that ended it, and 0 if it ran to the closing brace.
HOOK void emu_return_at(void) {
    machine_state.return_pc = PLACE;
}

HOOK void __tsan_func_entry(void *caller) {
    struct emu_machine *machine = &machine_state;
    struct thread *thread = &machine->thread[machine->current];
    machine->return_pc = 0;
    if (__builtin_expect(FRAME < thread->stack_low, 0)) {
        // One array larger than the guard: what it would hurt is the stack of a thread that will
        // not run again.
        machine_crash(machine, CRASH_STACK_OVERFLOW, PLACE);
    }
    thread->caller[thread->depth++ % CALLERS_MAX] = (uint64_t)(uintptr_t)caller;
}

HOOK void __tsan_func_exit(void) {
    struct emu_machine *machine = &machine_state;
    machine->returned_pc = machine->return_pc;
    machine->return_pc = 0;
    machine->thread[machine->current].depth--;
}

// --- Undefined behaviour that the compiler checks for
// -----------------------------------------------------------

struct ubsan_place {
    const char *file;
    uint32_t line;
    uint32_t column;
};

struct ubsan_type {
    uint16_t kind;  // 0: an integer
    uint16_t info;  // bit 0: signed; the rest: log2 of its bits
    char name[];    // 'float [16]'
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

// The access would follow.  It may be to a local array, that is to the stack, so it must not
// happen.
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
