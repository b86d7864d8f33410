// Matrix multiplication by a whole warp: <mma.h> and ptx.cuh; see include/standin/emu/.
//
// The elements of a fragment are variables of the kernel.  They come and go one by one, by value
// (emu_matrix_put, emu_matrix_get), so that no call stores where a checker does not look, and the
// call of the whole warp is between.
#include <string.h>

#include "emu/hooks/place.h"
#include "emu/hooks/touch.h"
#include "emu/machine/collectives.h"
#include "emu/machine/crash.h"
#include "emu/machine/matrix.h"
#include "emu/machine/tracing.h"

#define ADDRESS_BYTES 32  // an address is a multiple of this …
#define ROW_BYTES     16  // … and a row of this; Programming Guide, "Warp Matrix Functions"

void emu_matrix_put(uint32_t slot, uint32_t first, uint32_t second, uint32_t third,
                    uint32_t fourth);
uint64_t emu_matrix_get(uint32_t slot);
void emu_matrix_load(uint32_t code, const void *from, uint32_t row_elements);
void emu_matrix_store(uint32_t code, const void *to, uint32_t row_elements);
void emu_matrix_multiply(uint32_t code, uint32_t types);
void emu_matrix_rows(uint32_t code, const void *row);

static uint32_t *slots(void) {
    return machine_state.thread[machine_state.current].matrix;
}

// Four elements, from this slot on.
void emu_matrix_put(uint32_t slot, uint32_t first, uint32_t second, uint32_t third,
                    uint32_t fourth) {
    uint32_t *to = &slots()[slot % MATRIX_SLOTS / 4 * 4];
    to[0] = first;
    to[1] = second;
    to[2] = third;
    to[3] = fourth;
}

// Two elements, the first in the lower half.
uint64_t emu_matrix_get(uint32_t slot) {
    const uint32_t *from = &slots()[slot % MATRIX_SLOTS / 2 * 2];
    return (uint64_t)from[1] << 32 | from[0];
}

// The call of the whole warp.  What it does to the elements is done when the last lane has come.
static void together(uint64_t pc, enum warp_operation operation, uint64_t value) {
    (void)collective(
        pc, (struct lane_call){
                .operation = operation, .mask = UINT32_MAX, .value = value, .width = WARP_LANES});
}

// A code that the shim never passes is the kernel's own doing.
static struct fragment fragment_of(uint32_t code, uint64_t pc) {
    struct fragment fragment;
    if (!fragment_decode(code, &fragment)) {
        machine_crash(&machine_state, CRASH_TRAP, pc);
    }
    return fragment;
}

// Reports an address that load_matrix_sync and store_matrix_sync do not take.
static void alignment_check(uint64_t address, uint32_t bytes, enum access_kind kind,
                            enum misaligned what, uint64_t pc) {
    struct emu_machine *machine = &machine_state;
    struct access access = {.pc = pc,
                            .address = address,
                            .bytes = bytes,
                            .thread = machine->current,
                            .kind = (uint8_t)kind};
    if (memory_find_shared(&machine->memory, &access)) {
        access.space = SPACE_SHARED;
    } else if (memory_find_global(&machine->memory, &access)) {
        access.space = SPACE_GLOBAL;
    } else {
        return;  // the accesses themselves are reported
    }
    if (align_call(&machine->result.findings, &machine->shape, &machine->place, &access, what)) {
        machine_stop(machine);
    }
}

static uint64_t address_of(const struct fragment *fragment, uint64_t start, uint32_t row_elements,
                           uint32_t line, uint32_t at) {
    return start + ((uint64_t)line * row_elements + at) * fragment_element_bytes(fragment);
}

// All observers see the loads or stores that a GPU makes for this lane.
static void parts_touch(const struct fragment *fragment, uint64_t start, uint32_t row_elements,
                        enum access_kind kind, uint64_t pc) {
    struct emu_machine *machine = &machine_state;
    struct fragment_part parts[FRAGMENT_PARTS_MAX];
    struct access first = {.address = start, .bytes = 1};
    bool shared = memory_find_shared(&machine->memory, &first);
    uint32_t count = fragment_parts(fragment, shared, kind == ACCESS_WRITE,
                                    machine->current % WARP_LANES, parts);
    alignment_check(start, ADDRESS_BYTES, kind, MISALIGNED_FRAGMENT, pc);
    alignment_check(address_of(fragment, start, row_elements, 1, 0), ROW_BYTES, kind,
                    MISALIGNED_FRAGMENT_ROW, pc);
    for (uint32_t i = 0; i < count; i++) {
        if (parts[i].bytes > 0) {
            touch_one(address_of(fragment, start, row_elements, parts[i].line, parts[i].at),
                      parts[i].bytes, kind, pc, true);
        }
    }
}

// The address of element `i` of this lane.
static void *element_at(const struct fragment *fragment, uint64_t start, uint32_t row_elements,
                        uint32_t i) {
    uint32_t row, column;
    fragment_place(fragment, machine_state.current % WARP_LANES, i, &row, &column);
    uint64_t address = address_of(fragment, start, row_elements, fragment->columns ? column : row,
                                  fragment->columns ? row : column);
    return (void *)(uintptr_t)address;
}

void emu_matrix_load(uint32_t code, const void *from, uint32_t row_elements) {
    uint64_t pc = PLACE;
    uint64_t start = (uint64_t)(uintptr_t)from;
    struct fragment fragment = fragment_of(code, pc);
    together(pc, WARP_MATRIX, 0);
    parts_touch(&fragment, start, row_elements, ACCESS_READ, pc);
    together(pc, WARP_MATRIX, 1);  // what one lane reads, another one may have checked
    for (uint32_t i = 0; i < fragment.elements; i++) {
        slots()[i] = 0;
        memcpy(&slots()[i], element_at(&fragment, start, row_elements, i),
               fragment_element_bytes(&fragment));
    }
}

void emu_matrix_store(uint32_t code, const void *to, uint32_t row_elements) {
    uint64_t pc = PLACE;
    uint64_t start = (uint64_t)(uintptr_t)to;
    struct fragment fragment = fragment_of(code, pc);
    together(pc, WARP_MATRIX, 0);
    parts_touch(&fragment, start, row_elements, ACCESS_WRITE, pc);
    together(pc, WARP_MATRIX, 1);
    for (uint32_t i = 0; i < fragment.elements; i++) {
        memcpy(element_at(&fragment, start, row_elements, i), &slots()[i],
               fragment_element_bytes(&fragment));
    }
}

void emu_matrix_multiply(uint32_t code, uint32_t types) {
    uint64_t pc = PLACE;
    struct tensor_call call;
    if (!tensor_call_decode(code, types, &call)) {
        machine_crash(&machine_state, CRASH_TRAP, pc);
    }
    together(pc, WARP_MULTIPLY, (uint64_t)types << 32 | code);
}

// ldmatrix: a lane names a row of one of the matrices, if they are so many.
void emu_matrix_rows(uint32_t code, const void *row) {
    struct emu_machine *machine = &machine_state;
    uint64_t pc = PLACE;
    uint64_t address = (uint64_t)(uintptr_t)row;
    uint32_t count = code & MATRIX_ROWS_COUNT;
    struct access access = {.address = address, .bytes = ROW_BYTES};
    if (count != 1 && count != 2 && count != 4) {
        machine_crash(machine, CRASH_TRAP, pc);
    }
    together(pc, WARP_MATRIX, 0);
    if (machine->current % WARP_LANES / 8 < count) {
        if (!memory_find_shared(tracing_memory(machine), &access)) {
            machine_crash(machine, CRASH_NOT_SHARED, pc);
        }
        touch_one(address, ROW_BYTES, ACCESS_READ, pc, true);
    }
    memcpy(slots(), &address, sizeof address);
    together(pc, WARP_ROWS, code);
}
