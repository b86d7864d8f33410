// Accesses other than ordinary loads and stores: of structs next to a call, for which the compiler
// makes no callback; of volatile objects; and atomic operations.
//
// In a file with fences volatile accesses are strong (follow.h), and let the other threads run
// first: a load may wait for one of them, and a store may overwrite a value stored after the
// thread's load.  In other files they are like any others.
//
// An atomic operation is one event for the observers, then the operation: only one thread runs at a
// time.  In the usual order each call lets the other threads run first.  In another order a thread
// runs as far as it can, except a thread that spins on a lock, which would use up a time slice.
#include "emu/hooks/touch.h"

// Bits of `code`; the rest is the number of bytes.
#define COPY_STORE   (1u << 30)
#define COPY_VECTOR  (1u << 29)  // a type like float4, moved as a whole if aligned
#define COPY_ALIGNED (1u << 28)  // certainly such a type: it must be aligned

void emu_copy_hook(uint64_t address, uint64_t code, uint64_t pc, uint64_t frame);

// A GPU moves the members of a struct one by one; see also touch_range.
void emu_copy_hook(uint64_t address, uint64_t code, uint64_t pc, uint64_t frame) {
    uint32_t bytes = (uint32_t)code & (COPY_ALIGNED - 1);
    enum access_kind kind = code & COPY_STORE ? ACCESS_WRITE : ACCESS_READ;
    uint32_t step = (address | bytes) % 4 == 0 ? 4 : bytes <= 4 && address % bytes == 0 ? bytes : 1;
    if (place_is_local(address, frame)) {
        return;
    }
    if (code & COPY_ALIGNED || (code & COPY_VECTOR && address % bytes == 0)) {
        step = bytes;
    }
    for (uint32_t done = 0; done < bytes; done += step) {
        touch_one(address + done, step, kind, pc, code & COPY_ALIGNED);
    }
}

#define CALL_FRAME ((uint64_t)(uintptr_t)__builtin_dwarf_cfa())

static void access(uint64_t address, uint32_t bytes, enum access_kind kind, uint64_t pc,
                   uint64_t frame) {
    struct emu_machine *machine = &machine_state;
    bool stores = kind == ACCESS_WRITE;
    if (place_is_local(address, frame)) {
        return;
    }
    if (!machine->fences || machine->on_host) {
        touch_one(address, bytes, kind, pc, true);
        return;
    }
    schedule_away(machine);
    if (stores) {
        schedule_hand_over(machine, address, pc, OPERATION_EXCHANGE, true);
    }
    touch_strong(address, bytes, kind, pc);
    touch_followed(address, &(struct follow_strong){.loads = !stores, .stores = stores});
}

#define VOLATILE(bytes)                                                                            \
    void __tsan_volatile_read##bytes(uint64_t address);                                            \
    void __tsan_volatile_write##bytes(uint64_t address);                                           \
    void __tsan_volatile_read##bytes(uint64_t address) {                                           \
        access(address, bytes, ACCESS_READ, PLACE, CALL_FRAME);                                    \
    }                                                                                              \
    void __tsan_volatile_write##bytes(uint64_t address) {                                          \
        access(address, bytes, ACCESS_WRITE, PLACE, CALL_FRAME);                                   \
    }
VOLATILE(1)
VOLATILE(2)
VOLATILE(4)
VOLATILE(8)
VOLATILE(16)

const void *emu_ldg(const void *pointer, uint32_t bytes);

// __ldg.  An input has no store that could come before.
const void *emu_ldg(const void *pointer, uint32_t bytes) {
    struct emu_machine *machine = &machine_state;
    struct access access = {.pc = PLACE,
                            .address = (uint64_t)(uintptr_t)pointer,
                            .bytes = bytes,
                            .thread = machine->current,
                            .space = SPACE_GLOBAL,
                            .kind = ACCESS_READ};
    bool watched = machine->checks && !machine->configuring &&
                   (machine->sample.count == 0 || machine->block.in_sample);
    if (watched && memory_find_global(&machine->memory, &access) && memory_inside(&access) &&
        !memory_is_input(machine->memory.inputs, access.array)) {
        race_settle(machine->race);
        race_read_only(machine->race, &access);
    }
    return pointer;
}

#define FRAME ((uint64_t)(uintptr_t)__builtin_frame_address(0))

static void others_first(struct emu_machine *machine, uint64_t pc) {
    bool spins = machine->atomic_pc == pc && machine->atomic_left == machine->accesses_left;
    if (machine->order == ORDER_FORWARD || spins) {
        schedule_away(machine);
    }
    machine->atomic_pc = pc;
    machine->atomic_left = machine->accesses_left - 1;
}

// An atomic operation, called at `pc` by the function with this frame.
struct atomic_call {
    uint64_t address;
    uint32_t bytes;
    enum race_operation operation;
    bool block_scope;
    bool compares;  // with this value
    uint64_t compared;
    uint64_t pc;
    uint64_t frame;
};

// Other threads may run only here: the operation is noted for the access that follows immediately.
static inline void touch_word(const struct atomic_call *call) {
    if (place_is_local(call->address, call->frame)) {
        machine_crash(&machine_state, CRASH_ATOMIC_ON_LOCAL, call->pc);
    }
    schedule_step(&machine_state, call->pc);
    race_atomic(machine_state.race, call->operation, call->block_scope);
    race_compares(machine_state.race, call->compares, call->compared);
    touch_part(call->address, call->bytes, ACCESS_ATOMIC, call->pc, true, 0, 0, false);
}

static inline void touch_atomic(const struct atomic_call *call) {
    others_first(&machine_state, call->pc);
    touch_word(call);
}

// The operation has happened.  An operation that leaves the value unchanged shows other threads
// nothing new.
static inline void hand_over(const struct atomic_call *call, const void *old, bool changed) {
    struct emu_machine *machine = &machine_state;
    if (machine->checks && machine->race->unordered) {
        const struct lost_update lost = machine_lost_update(machine);
        const struct atomic_done done = {
            call->address,
            call->bytes,
            call->operation,
            call->pc,
            old,
            call->compares && memcmp(old, &call->compared, call->bytes) != 0,
            call->compares};
        lost_update_look(&lost, &done, &machine->thread[machine->current].seen);
    }
    if (machine_state.follows) {
        touch_followed(call->address, &(struct follow_strong){.loads = true,
                                                              .stores = changed,
                                                              .adds = true,
                                                              .in_block = call->block_scope});
    }
    schedule_hand_over(&machine_state, call->address, call->pc, call->operation, changed);
}

// An exchange sets the word regardless of its old value.  So for the checkers of initialization it
// is a store.
static void touch_exchange(const struct atomic_call *call) {
    struct emu_machine *machine = &machine_state;
    struct access access = {
        .pc = call->pc,
        .address = call->address,
        .bytes = call->bytes,
        .thread = machine->current,
        .space = SPACE_SHARED,
        .kind = ACCESS_WRITE,
    };
    others_first(machine, call->pc);
    if (machine->checks && memory_find_shared(&machine->memory, &access)) {
        access.in_bounds = memory_inside(&access);
        uninit_access(machine->own.uninit, &access);
    } else if (machine->checks && memory_find_global(&machine->memory, &access) &&
               touch_tracks(machine, access.array) && memory_inside(&access)) {
        (void)touch_workspace(machine, &access);
    }
    touch_word(call);
}

#define CALL(type, made_operation, in_block)                                                       \
    .address = (uint64_t)(uintptr_t)address, .bytes = sizeof(type), .operation = (made_operation), \
    .block_scope = (in_block), .pc = PLACE, .frame = FRAME

// ATOMIC(name, type, operation, the new value made of `old` and `value`)
#define ATOMIC_IN(name, type, operation, expression, block_scope)                                  \
    type name(type *address, type value);                                                          \
    type name(type *address, type value) {                                                         \
        const struct atomic_call call = {CALL(type, operation, block_scope)};                      \
        touch_atomic(&call);                                                                       \
        type old = *address;                                                                       \
        *address = (expression);                                                                   \
        hand_over(&call, &old, *address != old);                                                   \
        return old;                                                                                \
    }
#define ATOMIC(name, type, operation, expression)                                                  \
    ATOMIC_IN(name, type, operation, expression, false)                                            \
    ATOMIC_IN(name##_block, type, operation, expression, true)
#define ATOMIC_EXCHANGE_IN(name, type, block_scope)                                                \
    type name(type *address, type value);                                                          \
    type name(type *address, type value) {                                                         \
        const struct atomic_call call = {CALL(type, OPERATION_EXCHANGE, block_scope)};             \
        touch_exchange(&call);                                                                     \
        type old = *address;                                                                       \
        *address = value;                                                                          \
        hand_over(&call, &old, *address != old);                                                   \
        return old;                                                                                \
    }
#define ATOMIC_EXCHANGE(name, type)                                                                \
    ATOMIC_EXCHANGE_IN(name, type, false)                                                          \
    ATOMIC_EXCHANGE_IN(name##_block, type, true)
#define ATOMIC_CAS_IN(name, type, block_scope)                                                     \
    type name(type *address, type compare, type value);                                            \
    type name(type *address, type compare, type value) {                                           \
        const struct atomic_call call = {                                                          \
            CALL(type, compare == value ? OPERATION_READ : OPERATION_COMPARE, block_scope),        \
            .compares = true, .compared = compare};                                                \
        touch_atomic(&call);                                                                       \
        type old = *address;                                                                       \
        if (old == compare) {                                                                      \
            *address = value;                                                                      \
        }                                                                                          \
        hand_over(&call, &old, *address != old);                                                   \
        return old;                                                                                \
    }
#define ATOMIC_CAS(name, type)                                                                     \
    ATOMIC_CAS_IN(name, type, false)                                                               \
    ATOMIC_CAS_IN(name##_block, type, true)

// An addition of 0 only returns the value.
#define OR_READ(operation) (value == 0 ? OPERATION_READ : (operation))

ATOMIC(emu_atomic_add_32, uint32_t, OR_READ(OPERATION_ADD), old + value)
ATOMIC(emu_atomic_add_64, uint64_t, OR_READ(OPERATION_ADD), old + value)
ATOMIC(emu_atomic_add_f32, float, OR_READ(OPERATION_ADD), old + value)
ATOMIC(emu_atomic_add_f64, double, OR_READ(OPERATION_ADD), old + value)
ATOMIC(emu_atomic_sub_32, uint32_t, OR_READ(OPERATION_ADD), old - value)
ATOMIC_EXCHANGE(emu_atomic_exch_32, uint32_t)
ATOMIC_EXCHANGE(emu_atomic_exch_64, uint64_t)
ATOMIC_EXCHANGE(emu_atomic_exch_f32, float)
ATOMIC(emu_atomic_min_i32, int32_t, OPERATION_MIN, old < value ? old : value)
ATOMIC(emu_atomic_min_u32, uint32_t, OPERATION_MIN, old < value ? old : value)
ATOMIC(emu_atomic_min_i64, int64_t, OPERATION_MIN, old < value ? old : value)
ATOMIC(emu_atomic_min_u64, uint64_t, OPERATION_MIN, old < value ? old : value)
ATOMIC(emu_atomic_max_i32, int32_t, OPERATION_MAX, old > value ? old : value)
ATOMIC(emu_atomic_max_u32, uint32_t, OPERATION_MAX, old > value ? old : value)
ATOMIC(emu_atomic_max_i64, int64_t, OPERATION_MAX, old > value ? old : value)
ATOMIC(emu_atomic_max_u64, uint64_t, OPERATION_MAX, old > value ? old : value)
ATOMIC(emu_atomic_and_32, uint32_t, OPERATION_AND, old &value)
ATOMIC(emu_atomic_and_64, uint64_t, OPERATION_AND, old &value)
ATOMIC(emu_atomic_or_32, uint32_t, OR_READ(OPERATION_OR), old | value)
ATOMIC(emu_atomic_or_64, uint64_t, OR_READ(OPERATION_OR), old | value)
ATOMIC(emu_atomic_xor_32, uint32_t, OR_READ(OPERATION_XOR), old ^ value)
ATOMIC(emu_atomic_xor_64, uint64_t, OR_READ(OPERATION_XOR), old ^ value)
ATOMIC(emu_atomic_inc_u32, uint32_t, OPERATION_COUNT, old >= value ? 0 : old + 1)
ATOMIC(emu_atomic_dec_u32, uint32_t, OPERATION_COUNT, old == 0 || old > value ? value : old - 1)
ATOMIC_CAS(emu_atomic_cas_16, uint16_t)
ATOMIC_CAS(emu_atomic_cas_32, uint32_t)
ATOMIC_CAS(emu_atomic_cas_64, uint64_t)
