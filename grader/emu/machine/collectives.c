// What the lanes of a warp do together: __syncwarp, shuffles, votes, matches, reductions,
// __activemask.
//
// A collective of a warp is complete when every lane of its mask that has not returned waits with
// the same mask and operation; the lane that came last computes the results of all.
#include "emu/machine/collectives.h"

#include "emu/machine/matrix.h"
#include "emu/machine/schedule.h"
#include "emu/machine/stop.h"

// The lane that `lane` reads from.  Source: PTX ISA, shfl.sync.
static uint32_t shuffle_source(const struct lane_call *call, uint32_t lane) {
    uint32_t first = lane & ~(call->width - 1);
    uint32_t last = first + call->width - 1;
    uint32_t source = lane;
    switch (call->operation) {
    case WARP_SHUFFLE:
        return first | (call->source & (call->width - 1));
    case WARP_SHUFFLE_UP:
        return call->source <= lane - first ? lane - call->source : lane;
    case WARP_SHUFFLE_DOWN:
        return call->source <= last - lane ? lane + call->source : lane;
    default:
        source = lane ^ (call->source & (WARP_LANES - 1));
        return source <= last ? source : lane;
    }
}

static uint32_t reduce(uint32_t operation, uint32_t x, uint32_t y) {
    switch (operation) {
    case WARP_ADD:
        return x + y;
    case WARP_MIN_UNSIGNED:
        return x < y ? x : y;
    case WARP_MAX_UNSIGNED:
        return x > y ? x : y;
    case WARP_MIN_SIGNED:
        return (int32_t)x < (int32_t)y ? x : y;
    case WARP_MAX_SIGNED:
        return (int32_t)x > (int32_t)y ? x : y;
    case WARP_AND:
        return x & y;
    case WARP_OR:
        return x | y;
    default:
        return x ^ y;
    }
}

// Ballot, match and reductions, which combine all lanes that take part.
static uint64_t result_of_all(const struct thread *lanes, uint32_t present, uint32_t lane) {
    const struct lane_call *mine = &lanes[lane].call;
    uint64_t result = 0;
    bool first = true;
    for (uint32_t other = 0; other < WARP_LANES; other++) {
        if (!(present >> other & 1)) {
            continue;
        }
        uint64_t value = lanes[other].call.value;
        if (mine->operation == WARP_BALLOT) {
            result |= (uint64_t)(value != 0) << other;
        } else if (mine->operation == WARP_MATCH) {
            result |= (uint64_t)(value == mine->value) << other;
        } else {
            result = first ? value : reduce(mine->operation, (uint32_t)result, (uint32_t)value);
        }
        first = false;
    }
    return result;
}

static bool is_matrix(uint32_t operation) {
    return operation >= WARP_MATRIX;
}

static void report_absent(struct emu_machine *machine, uint32_t thread, uint32_t source) {
    struct finding finding =
        machine_finding(machine, FINDING_UNINITIALIZED, machine->thread[thread].pc);
    findings_thread(machine->shape.block, thread, finding.thread);
    finding.flags = FINDING_LANE;
    finding.offset = source;
    findings_add(&machine->result.findings, &finding);
}

// Of the lane that is thread `thread` of the block.
static uint64_t result_of(struct emu_machine *machine, uint32_t present, uint32_t thread) {
    const uint32_t lane = thread % WARP_LANES;
    const struct thread *lanes = &machine->thread[thread - lane];
    const struct lane_call *call = &lanes[lane].call;
    if (call->operation == WARP_SYNC || is_matrix(call->operation)) {
        return 0;
    }
    if (call->operation >= WARP_SHUFFLE && call->operation <= WARP_SHUFFLE_XOR) {
        uint32_t source = shuffle_source(call, lane);
        if (present >> source & 1) {
            return lanes[source].call.value;
        }
        if (machine->lanes) {
            report_absent(machine, thread, source);
        }
        return (uint64_t)LANE_JUNK_BITS << 32 | LANE_JUNK_BITS;
    }
    return result_of_all(lanes, present, lane);
}

// Completes the collective in which `lane` of a warp waits, if all its lanes have arrived.
static bool complete(struct emu_machine *machine, uint32_t warp_index, uint32_t lane) {
    struct warp *warp = &machine->warp[warp_index];
    struct thread *lanes = &machine->thread[warp_index * WARP_LANES];
    const struct lane_call *call = &lanes[lane].call;
    uint32_t present = call->mask & warp->alive;
    if (present & ~warp->waiting) {
        return false;
    }
    for (uint32_t rest = present; rest; rest &= rest - 1) {
        const struct lane_call *other = &lanes[__builtin_ctz(rest)].call;
        if (other->operation != call->operation || other->mask != call->mask) {
            return false;
        }
        if (is_matrix(call->operation) &&
            (other->value != call->value || lanes[__builtin_ctz(rest)].pc != lanes[lane].pc)) {
            return false;
        }
    }
    if (is_matrix(call->operation) && present != UINT32_MAX) {
        return false;
    }
    if (call->operation == WARP_MULTIPLY) {
        matrix_multiply(machine, warp_index, call->value);
    } else if (call->operation == WARP_ROWS) {
        matrix_rows(machine, warp_index, call->value);
    }
    for (uint32_t rest = present; rest; rest &= rest - 1) {
        uint32_t other = (uint32_t)__builtin_ctz(rest);
        lanes[other].call.result = result_of(machine, present, warp_index * WARP_LANES + other);
        lanes[other].call.present = present;
        machine->state[warp_index * WARP_LANES + other] = THREAD_READY;
    }
    warp->waiting &= ~present;
    if (machine->checks && call->operation == WARP_SYNC) {
        race_warp_sync(machine->race, warp_index, present);
        known_advance(&machine->known);
        known_thread(&machine->known, machine->current);
        async_warp_sync(machine->async, warp_index);
    }
    if (machine->counts) {
        count_warp_sync(machine->count, warp_index, present);
        if (call->operation >= WARP_SHUFFLE && call->operation <= WARP_SHUFFLE_XOR) {
            machine->count->shuffled += (uint64_t)__builtin_popcount(present);
        }
    }
    return true;
}

void collectives_exit(struct emu_machine *machine, uint32_t warp) {
    for (uint32_t rest = machine->warp[warp].waiting; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        // An earlier completion may have released this lane.
        if (machine->warp[warp].waiting >> lane & 1) {
            (void)complete(machine, warp, lane);
        }
    }
}

// __activemask returns the lanes that wait at the same place: no other lane can arrive there any
// more.
bool collectives_masks(struct emu_machine *machine) {
    bool any = false;
    for (uint32_t i = 0; i < machine->shape.thread_count; i++) {
        if (machine->state[i] != THREAD_AT_MASK) {
            continue;
        }
        uint32_t first = i / WARP_LANES * WARP_LANES;
        uint32_t mask = 0;
        for (uint32_t j = i; j < first + WARP_LANES && j < machine->shape.thread_count; j++) {
            if (machine->state[j] == THREAD_AT_MASK &&
                machine->thread[j].pc == machine->thread[i].pc) {
                mask |= 1u << (j - first);
            }
        }
        for (uint32_t rest = mask; rest; rest &= rest - 1) {
            uint32_t j = first + (uint32_t)__builtin_ctz(rest);
            machine->thread[j].call.result = mask;
            machine->state[j] = THREAD_READY;
        }
        any = true;
    }
    return any;
}

// The first thread in a state that is not at a place; THREADS_MAX if there is none.
static uint32_t first_in(const struct emu_machine *machine, enum thread_state state, uint64_t pc) {
    uint32_t i = 0;
    while (i < machine->shape.thread_count &&
           (machine->state[i] != state || machine->thread[i].pc == pc)) {
        i++;
    }
    return i < machine->shape.thread_count ? i : THREADS_MAX;
}

static uint32_t count_in(const struct emu_machine *machine, enum thread_state state, uint64_t pc) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < machine->shape.thread_count; i++) {
        count += machine->state[i] == state && machine->thread[i].pc == pc;
    }
    return count;
}

bool collectives_warpgroup_stuck(const struct emu_machine *machine) {
    bool stuck = false;
    for (uint32_t first = 0; first < machine->shape.thread_count; first += WARPGROUP_THREADS) {
        bool waits = false;
        bool for_others = false;
        for (uint32_t i = first; i < first + WARPGROUP_THREADS && i < machine->shape.thread_count;
             i++) {
            waits = waits || (machine->state[i] == THREAD_AT_WARP &&
                              machine->thread[i].call.operation == WARP_GROUP);
            for_others = for_others || machine->state[i] == THREAD_AT_MBARRIER;
        }
        stuck = stuck || (waits && !for_others);
    }
    return stuck;
}

bool collectives_deadlock(struct emu_machine *machine) {
    uint32_t waiting = first_in(machine, THREAD_AT_WARP, 0);
    if (waiting == THREADS_MAX) {
        return false;
    }
    machine->current = waiting;
    uint64_t pc = machine->thread[waiting].pc;
    struct finding finding = machine_finding(machine, FINDING_BARRIER_DIVERGENCE, pc);
    enum thread_state state = THREAD_AT_WARP;
    uint32_t other = first_in(machine, state, pc);
    if (other == THREADS_MAX) {
        finding.detail = LANE_CALL_ABSENT;
        state = THREAD_AT_BARRIER;
        other = first_in(machine, state, 0);
    }
    uint32_t operation = machine->thread[waiting].call.operation;
    if (is_matrix(operation)) {
        finding.detail = operation == WARP_GROUP ? WARPGROUP_CALL_ABSENT : LANE_CALL_MATRIX;
    }
    finding.count_waiting = count_in(machine, THREAD_AT_WARP, pc);
    if (other != THREADS_MAX) {
        finding.other_pc = machine->thread[other].pc;
        finding.count_absent = count_in(machine, state, finding.other_pc);
        findings_thread(machine->shape.block, other, finding.other_thread);
    }
    findings_add(&machine->result.findings, &finding);
    return true;
}

const struct lane_call *collective(uint64_t pc, struct lane_call call) {
    struct emu_machine *machine = &machine_state;
    uint32_t index = machine->current;
    uint32_t warp = index / WARP_LANES;
    struct thread *thread = &machine->thread[index];
    schedule_step(machine, pc);
    thread->pc = pc;
    thread->call = call;
    bool in_mask = (call.mask >> index % WARP_LANES & 1) != 0;
    bool possible = in_mask && call.width >= 1 && call.width <= WARP_LANES &&
                    (call.width & (call.width - 1)) == 0;
    if (!possible) {
        // A lane outside its own mask, or a width that is not a power of two, is undefined
        // behaviour: the launch cannot continue.
        struct finding finding = machine_finding(machine, FINDING_BARRIER_DIVERGENCE, pc);
        finding.count_waiting = 1;
        finding.detail = in_mask ? LANE_CALL_WIDTH : LANE_CALL_MASK;
        findings_add(&machine->result.findings, &finding);
        machine_stop(machine);
    }
    machine->state[index] = THREAD_AT_WARP;
    machine->warp[warp].waiting |= 1u << index % WARP_LANES;
    if (!complete(machine, warp, index % WARP_LANES)) {
        schedule_away(machine);
    }
    return &thread->call;
}
