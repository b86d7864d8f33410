// Atomic operations: one event for the observers, then the operation.  Only one thread runs at a
// time, so no real atomic instruction is needed.
//
// Each call lets the other threads run first, so that threads that spin on a lock do not use up a
// time slice each.
#include "emu/hooks/place.h"
#include "emu/hooks/touch.h"

#define FRAME ((uint64_t)(uintptr_t)__builtin_frame_address(0))

static inline void touch_atomic(const void *address, uint32_t bytes, uint64_t pc, uint64_t frame) {
    uint64_t at = (uint64_t)(uintptr_t)address;
    schedule_away(&machine_state);
    if (!place_is_local(at, frame)) {
        touch_one(at, bytes, ACCESS_ATOMIC, pc, true);
    }
}

// An exchange sets the word whatever it held.  So for the checkers of initialization it is a store.
static void touch_exchange(const void *address, uint32_t bytes, uint64_t pc, uint64_t frame) {
    struct emu_machine *machine = &machine_state;
    struct access access = {
        .pc = pc,
        .address = (uint64_t)(uintptr_t)address,
        .bytes = bytes,
        .thread = machine->current,
        .space = SPACE_SHARED,
        .kind = ACCESS_WRITE,
    };
    schedule_away(machine);
    if (machine->checks && memory_find_shared(&machine->memory, &access)) {
        access.in_bounds = memory_inside(&access);
        uninit_access(machine->uninit, &access);
    } else if (machine->checks && memory_find_global(&machine->memory, &access) &&
               access.array == ARRAY_WORKSPACE && memory_inside(&access)) {
        workspace_access(&machine->workspace, &machine->result.findings, &machine->shape,
                         &machine->place, &access);
    }
    if (!place_is_local(access.address, frame)) {
        touch_one(access.address, bytes, ACCESS_ATOMIC, pc, true);
    }
}

// ATOMIC(name, type, the new value made of `old` and `value`)
#define ATOMIC(name, type, expression)                                                             \
    type name(type *address, type value);                                                          \
    type name(type *address, type value) {                                                         \
        touch_atomic(address, sizeof(type), PLACE, FRAME);                                         \
        type old = *address;                                                                       \
        *address = (expression);                                                                   \
        return old;                                                                                \
    }
#define ATOMIC_EXCHANGE(name, type)                                                                \
    type name(type *address, type value);                                                          \
    type name(type *address, type value) {                                                         \
        touch_exchange(address, sizeof(type), PLACE, FRAME);                                       \
        type old = *address;                                                                       \
        *address = value;                                                                          \
        return old;                                                                                \
    }
#define ATOMIC_CAS(name, type)                                                                     \
    type name(type *address, type compare, type value);                                            \
    type name(type *address, type compare, type value) {                                           \
        touch_atomic(address, sizeof(type), PLACE, FRAME);                                         \
        type old = *address;                                                                       \
        if (old == compare) {                                                                      \
            *address = value;                                                                      \
        }                                                                                          \
        return old;                                                                                \
    }

ATOMIC(emu_atomic_add_32, uint32_t, old + value)
ATOMIC(emu_atomic_add_64, uint64_t, old + value)
ATOMIC(emu_atomic_add_f32, float, old + value)
ATOMIC(emu_atomic_add_f64, double, old + value)
ATOMIC(emu_atomic_sub_32, uint32_t, old - value)
ATOMIC_EXCHANGE(emu_atomic_exch_32, uint32_t)
ATOMIC_EXCHANGE(emu_atomic_exch_64, uint64_t)
ATOMIC_EXCHANGE(emu_atomic_exch_f32, float)
ATOMIC(emu_atomic_min_i32, int32_t, old < value ? old : value)
ATOMIC(emu_atomic_min_u32, uint32_t, old < value ? old : value)
ATOMIC(emu_atomic_min_i64, int64_t, old < value ? old : value)
ATOMIC(emu_atomic_min_u64, uint64_t, old < value ? old : value)
ATOMIC(emu_atomic_max_i32, int32_t, old > value ? old : value)
ATOMIC(emu_atomic_max_u32, uint32_t, old > value ? old : value)
ATOMIC(emu_atomic_max_i64, int64_t, old > value ? old : value)
ATOMIC(emu_atomic_max_u64, uint64_t, old > value ? old : value)
ATOMIC(emu_atomic_and_32, uint32_t, old &value)
ATOMIC(emu_atomic_and_64, uint64_t, old &value)
ATOMIC(emu_atomic_or_32, uint32_t, old | value)
ATOMIC(emu_atomic_or_64, uint64_t, old | value)
ATOMIC(emu_atomic_xor_32, uint32_t, old ^ value)
ATOMIC(emu_atomic_xor_64, uint64_t, old ^ value)
ATOMIC(emu_atomic_inc_u32, uint32_t, old >= value ? 0 : old + 1)
ATOMIC(emu_atomic_dec_u32, uint32_t, old == 0 || old > value ? value : old - 1)
ATOMIC_CAS(emu_atomic_cas_32, uint32_t)
ATOMIC_CAS(emu_atomic_cas_64, uint64_t)
