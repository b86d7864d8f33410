// The functions that a kernel calls for barriers, shuffles, votes and the like; see
// shim/cuda_threads.h and cuda_warp.h.
#include "emu/hooks/place.h"
#include "emu/machine/collectives.h"
#include "emu/machine/schedule.h"
#include "emu/machine/stop.h"

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
        *ret_all = call->result == call->present;                                                  \
        return *ret_all ? call->present : 0;                                                       \
    }
COLLECTIVES_OF(32, uint32_t)
COLLECTIVES_OF(64, uint64_t)
COLLECTIVES_OF(f32, float)
COLLECTIVES_OF(f64, double)
