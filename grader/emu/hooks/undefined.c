// Handlers that the compiler calls in a kernel for undefined behaviour: those of -fsanitize=bounds,
// object-size, integer-divide-by-zero and return, with the names and arguments of its own library.
#include "emu/check/bounds.h"
#include "emu/hooks/place.h"
#include "emu/machine/stop.h"

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

struct ubsan_access {
    struct ubsan_place place;
    const struct ubsan_type *type;
    uint8_t alignment;
    uint8_t kind;  // 0: it reads
};

_Noreturn void __cxa_pure_virtual(void);
void __ubsan_handle_out_of_bounds(const struct ubsan_index *data, uint64_t index);
void __ubsan_handle_out_of_bounds_abort(const struct ubsan_index *data, uint64_t index);
void __ubsan_handle_type_mismatch_v1(const struct ubsan_access *data, uint64_t address);
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

// The access would follow.  It may be to a local array on the stack, so it must not happen.
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

// Other memory than the stack has checks that say more.
void __ubsan_handle_type_mismatch_v1(const struct ubsan_access *data, uint64_t address) {
    struct emu_machine *machine = &machine_state;
    if (place_is_local(address, (uint64_t)(uintptr_t)__builtin_frame_address(0))) {
        bounds_local(&machine->result.findings, &machine->shape, &machine->place, machine->current,
                     PLACE, data->kind == 0 ? ACCESS_READ : ACCESS_WRITE);
        machine_stop(machine);
    }
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

// A function with a result ran past its end without `return`; what follows is not its code.
void __ubsan_handle_missing_return(void *data) {
    (void)data;
    machine_crash(&machine_state, CRASH_TRAP, PLACE);
}

void __ubsan_handle_builtin_unreachable(void *data) {
    (void)data;
    machine_crash(&machine_state, CRASH_TRAP, PLACE);
}

// A pure virtual function was called, from the constructor of its base.
void __cxa_pure_virtual(void) {
    machine_crash(&machine_state, CRASH_TRAP, PLACE);
}
