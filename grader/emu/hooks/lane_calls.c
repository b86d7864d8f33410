// The functions that a kernel calls for barriers, shuffles, votes and the like (shim/cuda_emu.h),
// for griddepcontrol, for multiplications by a whole warp, and to note values.
#include <string.h>

#include "emu/hooks/touch.h"
#include "emu/machine/collectives.h"
#include "emu/machine/machine_state.h"
#include "emu/machine/schedule.h"
#include "emu/machine/stop.h"
#include "emu/machine/tracing.h"

// --- The block

int emu_syncthreads_count(int predicate);
int emu_syncthreads_and(int predicate);
int emu_syncthreads_or(int predicate);
void emu_nanosleep(uint32_t nanoseconds);
long long emu_clock(void);

// emu_syncthreads itself is in fiber_<architecture>.S.

int emu_syncthreads_count(int predicate) {
    return (int)schedule_barrier(&machine_state, PLACE, predicate != 0);
}

int emu_syncthreads_and(int predicate) {
    // All predicates are true if none is false, even if some threads have returned.
    return schedule_barrier(&machine_state, PLACE, predicate == 0) == 0;
}

int emu_syncthreads_or(int predicate) {
    return schedule_barrier(&machine_state, PLACE, predicate != 0) != 0;
}

void emu_nanosleep(uint32_t nanoseconds) {
    bool has_asked = machine_state.thread[machine_state.current].has_waited;
    emu_flops[FLOPS_OTHERS] += has_asked ? 0 : OTHERS_SLEEP;
    emu_flops[FLOPS_IDLE] += nanoseconds < IDLE_SLEEP_NS_MAX ? nanoseconds : IDLE_SLEEP_NS_MAX;
    schedule_step(&machine_state, PLACE);
    schedule_away(&machine_state);
}

long long emu_clock(void) {
    struct emu_machine *machine = &machine_state;
    schedule_step(machine, PLACE);
    machine_need_order(machine);
    return (long long)(machine->clock + machine->slice) - (machine->accesses_left + 1);
}

// --- The warp

static const struct lane_call *all_lanes(uint64_t pc, enum warp_operation operation, uint32_t mask,
                                         uint64_t value) {
    return collective(
        pc, (struct lane_call){
                .operation = operation, .mask = mask, .value = value, .width = WARP_LANES});
}

void emu_syncwarp(uint32_t mask);
uint32_t emu_activemask(void);
int emu_all_sync(uint32_t mask, int predicate);
int emu_any_sync(uint32_t mask, int predicate);
uint32_t emu_ballot_sync(uint32_t mask, int predicate);

void emu_syncwarp(uint32_t mask) {
    (void)all_lanes(PLACE, WARP_SYNC, mask, 0);
}

uint32_t emu_activemask(void) {
    struct emu_machine *machine = &machine_state;
    struct thread *thread = &machine->thread[machine->current];
    schedule_step(machine, PLACE);
    thread->pc = PLACE;
    machine->state[machine->current] = THREAD_AT_MASK;
    schedule_away(machine);
    return (uint32_t)thread->call.result;
}

int emu_all_sync(uint32_t mask, int predicate) {
    const struct lane_call *call = all_lanes(PLACE, WARP_BALLOT, mask, predicate != 0);
    return call->result == call->present;
}

int emu_any_sync(uint32_t mask, int predicate) {
    return all_lanes(PLACE, WARP_BALLOT, mask, predicate != 0)->result != 0;
}

uint32_t emu_ballot_sync(uint32_t mask, int predicate) {
    return (uint32_t)all_lanes(PLACE, WARP_BALLOT, mask, predicate != 0)->result;
}

#define REDUCTION(name, operation)                                                                 \
    uint32_t name(uint32_t mask, uint32_t value);                                                  \
    uint32_t name(uint32_t mask, uint32_t value) {                                                 \
        return (uint32_t)all_lanes(PLACE, operation, mask, value)->result;                         \
    }
REDUCTION(emu_reduce_add, WARP_ADD)
REDUCTION(emu_reduce_min_u32, WARP_MIN_UNSIGNED)
REDUCTION(emu_reduce_min_i32, WARP_MIN_SIGNED)
REDUCTION(emu_reduce_max_u32, WARP_MAX_UNSIGNED)
REDUCTION(emu_reduce_max_i32, WARP_MAX_SIGNED)
REDUCTION(emu_reduce_and, WARP_AND)
REDUCTION(emu_reduce_or, WARP_OR)
REDUCTION(emu_reduce_xor, WARP_XOR)

#define FRAME ((uint64_t)(uintptr_t)__builtin_frame_address(0))

// A result that the kernel gets through a pointer is a separate store, which all checkers see.
static void store_flag(int *to, bool flag, uint64_t pc, uint64_t frame) {
    uint64_t address = (uint64_t)(uintptr_t)to;
    if (!place_is_local(address, frame)) {
        touch_one(address, sizeof *to, ACCESS_WRITE, pc, true);
    }
    *to = flag;
}

// A value of any type as 64 bits, and back.
#define CARRY(type)                                                                                \
    union {                                                                                        \
        uint64_t bits;                                                                             \
        type value;                                                                                \
    }
#define SHUFFLE(name, type, how)                                                                   \
    type name(uint32_t mask, type value, uint32_t source, uint32_t width);                         \
    type name(uint32_t mask, type value, uint32_t source, uint32_t width) {                        \
        CARRY(type) carry = {.bits = 0};                                                           \
        carry.value = value;                                                                       \
        carry.bits = collective(PLACE, (struct lane_call){.operation = how,                        \
                                                          .mask = mask,                            \
                                                          .value = carry.bits,                     \
                                                          .source = source,                        \
                                                          .width = width})                         \
                         ->result;                                                                 \
        return carry.value;                                                                        \
    }
#define COLLECTIVES_OF(suffix, type)                                                               \
    SHUFFLE(emu_shfl_##suffix, type, WARP_SHUFFLE)                                                 \
    SHUFFLE(emu_shfl_up_##suffix, type, WARP_SHUFFLE_UP)                                           \
    SHUFFLE(emu_shfl_down_##suffix, type, WARP_SHUFFLE_DOWN)                                       \
    SHUFFLE(emu_shfl_xor_##suffix, type, WARP_SHUFFLE_XOR)                                         \
    uint32_t emu_match_any_##suffix(uint32_t mask, type value);                                    \
    uint32_t emu_match_any_##suffix(uint32_t mask, type value) {                                   \
        CARRY(type) carry = {.bits = 0};                                                           \
        carry.value = value;                                                                       \
        return (uint32_t)all_lanes(PLACE, WARP_MATCH, mask, carry.bits)->result;                   \
    }                                                                                              \
    uint32_t emu_match_all_##suffix(uint32_t mask, type value, int *ret_all);                      \
    uint32_t emu_match_all_##suffix(uint32_t mask, type value, int *ret_all) {                     \
        CARRY(type) carry = {.bits = 0};                                                           \
        carry.value = value;                                                                       \
        const struct lane_call *call = all_lanes(PLACE, WARP_MATCH, mask, carry.bits);             \
        bool all = call->result == call->present;                                                  \
        uint32_t present = call->present;                                                          \
        store_flag(ret_all, all, PLACE, FRAME);                                                    \
        return all ? present : 0;                                                                  \
    }
COLLECTIVES_OF(32, uint32_t)
COLLECTIVES_OF(64, uint64_t)
COLLECTIVES_OF(f32, float)
COLLECTIVES_OF(f64, double)

void emu_grid_wait(void);

void emu_grid_wait(void) {
    struct emu_machine *machine = &machine_state;
    schedule_step(machine, PLACE);
    if (machine->overlap && machine->checks) {
        overlap_wait(machine->overlap, machine->current);
    }
}

long long emu_note_values(int count, const long long *values);

// Keeps the values of the running thread until its next note.  Returns the first.  Called by
// shim/cuda_emu.h; only the judge writes such calls (device/source/source_check.c refuses them in
// a submission).
long long emu_note_values(int count, const long long *values) {
    struct emu_machine *machine = &machine_state;
    struct noted *noted = &machine->noted[machine->current];
    uint32_t wanted = count > 0 ? (uint32_t)count : 0;
    noted->count = wanted < FINDING_VALUES_MAX ? wanted : FINDING_VALUES_MAX;
    memset(noted->value, 0, sizeof noted->value);
    for (uint32_t i = 0; i < noted->count; i++) {
        noted->value[i] = values[i];
    }
    memcpy(noted->block, machine->block.place.index, sizeof noted->block);
    return noted->value[0];
}

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
    machine_state.has_matrix = true;
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

// A call of the whole warp.  The elements are computed when the last lane has arrived.
static void together(uint64_t pc, enum warp_operation operation, uint64_t value) {
    (void)collective(
        pc, (struct lane_call){
                .operation = operation, .mask = UINT32_MAX, .value = value, .width = WARP_LANES});
}

// A code that the shim never passes comes from the kernel itself.
static struct fragment fragment_of(uint32_t code, uint64_t pc) {
    struct fragment fragment;
    if (!fragment_decode(code, &fragment)) {
        machine_crash(&machine_state, CRASH_TRAP, pc);
    }
    return fragment;
}

// Reports an address that load_matrix_sync and store_matrix_sync do not accept.
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
    if (align_call(&machine->result.findings, &machine->shape, &machine->block.place, &access,
                   what)) {
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
    together(pc, WARP_MATRIX, 1);  // a lane may read an element that another lane checked
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

// ldmatrix: each lane names a row of one matrix; with fewer than four matrices, some lanes name
// none.
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
