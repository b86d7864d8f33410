// Fragments to matrices and back.
//
// Collectives of the lanes of a warp: __syncwarp, shuffles, votes, matches, reductions,
// __activemask.
//
// A collective of a warp is complete when every lane of its mask that has not returned waits with
// the same mask and operation; the lane that came last computes the results of all.
//
// Calls of a whole warpgroup.
#include "emu/machine/collectives.h"

#include <string.h>

#include "emu/check/wgmma.h"
#include "emu/machine/schedule.h"
#include "emu/machine/stop.h"

#define REGISTER_BITS 32
#define ROW_BYTES     16  // of a matrix of ldmatrix
#define ROWS          8

// An element of one lane in its slots.
struct element {
    uint32_t *slot;  // that holds it …
    uint32_t shift;  // the first of its bits there
    uint32_t mask;   // … with these bits
    uint32_t index;  // in the matrix
};

static struct element element(struct thread *lanes, const struct fragment *fragment, uint32_t lane,
                              uint32_t i, uint32_t first_slot) {
    uint32_t row, column;
    uint32_t packed_log = (uint32_t)__builtin_ctz(fragment->packed);  // divisions take time
    uint32_t bits = REGISTER_BITS >> packed_log;
    fragment_place(fragment, lane, i, &row, &column);
    return (struct element){.slot = &lanes[lane].matrix[first_slot + (i >> packed_log)],
                            .shift = (i & (fragment->packed - 1)) * bits,
                            .mask = UINT32_MAX >> (REGISTER_BITS - bits),
                            .index = row * fragment_columns(fragment) + column};
}

// If lanes hold an element twice, the first one counts.
static void gather(struct thread *lanes, const struct fragment *fragment, uint32_t first_slot,
                   uint32_t matrix[FRAGMENT_AREA_MAX]) {
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        for (uint32_t i = fragment->elements; i > 0; i--) {
            struct element from = element(lanes, fragment, lane, i - 1, first_slot);
            matrix[from.index] = *from.slot >> from.shift & from.mask;
        }
    }
}

static void scatter(const uint32_t matrix[FRAGMENT_AREA_MAX], const struct fragment *fragment,
                    uint32_t first_slot, struct thread *lanes) {
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        for (uint32_t i = 0; i < fragment->elements; i++) {
            struct element to = element(lanes, fragment, lane, i, first_slot);
            *to.slot = (*to.slot & ~(to.mask << to.shift)) | matrix[to.index] << to.shift;
        }
    }
}

void matrix_multiply(struct emu_machine *machine, uint32_t warp, uint64_t value) {
    // Static: the stack of a kernel's thread is small.
    static struct tensor_operands operands;
    static uint32_t d[FRAGMENT_AREA_MAX];
    struct thread *lanes = &machine->thread[warp * WARP_LANES];
    struct tensor_call call;
    (void)tensor_call_decode((uint32_t)value, (uint32_t)(value >> 32), &call);
    gather(lanes, &call.a, MATRIX_A, operands.a);
    gather(lanes, &call.b, MATRIX_B, operands.b);
    gather(lanes, &call.c, MATRIX_C, operands.c);
    tensor_multiply(&call, &operands, d);
    scatter(d, &call.d, MATRIX_C, lanes);
    if (machine->counts) {
        const struct fragment_shape *shape = &call.a.shape;
        machine->count->sums.tensor_flops += 2 * (uint64_t)shape->m * shape->n * shape->k;
        machine->count->sums.tensor_calls++;
    }
}

// Two elements for a lane, from the rows or columns that the lanes of this matrix name.
static uint32_t pair_of(const char *const rows[ROWS], uint32_t lane, bool transposed) {
    uint16_t two[2];
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t row = transposed ? lane % 4 * 2 + i : lane / 4;
        uint32_t column = transposed ? lane / 4 : lane % 4 * 2 + i;
        memcpy(&two[i], rows[row] + column * sizeof two[i], sizeof two[i]);
    }
    return (uint32_t)two[1] << 16 | two[0];
}

void matrix_rows(struct emu_machine *machine, uint32_t warp, uint64_t value) {
    struct thread *lanes = &machine->thread[warp * WARP_LANES];
    const char *rows[WARP_LANES];
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        memcpy(&rows[lane], &lanes[lane].matrix[0], sizeof rows[lane]);
    }
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        for (uint32_t i = 0; i < (value & MATRIX_ROWS_COUNT); i++) {
            lanes[lane].matrix[i] =
                pair_of(&rows[i * ROWS], lane, (value & MATRIX_ROWS_TRANSPOSED) != 0);
        }
    }
}

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

// Ballot, match and reductions, which combine all participating lanes.
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
    finding.detail = UNSET_LANE;
    finding.offset = source;
    findings_add(&machine->result.findings, &finding);
}

// The result of the lane that is thread `thread` of the block.
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
        if (machine->asked.lanes) {
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
        async_warp_sync(machine->own.async, warp_index);
    }
    if (machine->counts) {
        count_warp_sync(machine->count, warp_index, present);
        if (call->operation >= WARP_SHUFFLE && call->operation <= WARP_SHUFFLE_XOR) {
            machine->count->sums.shuffled += (uint64_t)__builtin_popcount(present);
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

// The first thread in this state at another place than `pc`; THREADS_MAX if there is none.
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
    } else if (state == THREAD_AT_WARP && !is_matrix(machine->thread[other].call.operation)) {
        finding.detail = LANE_CALL_APART;
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

uint32_t warpgroup_first(const struct emu_machine *machine) {
    return machine->current / WARPGROUP_THREADS * WARPGROUP_THREADS;
}

static struct warpgroup_call *call_of(struct emu_machine *machine, uint32_t thread) {
    return &machine->thread[thread].group_call;
}

static bool is_here(const struct emu_machine *machine, uint32_t thread, uint64_t pc) {
    const struct thread *of = &machine->thread[thread];
    return machine->state[thread] == THREAD_AT_WARP && of->call.operation == WARP_GROUP &&
           of->pc == pc;
}

static _Noreturn void values_differ(struct emu_machine *machine, uint32_t other, uint64_t pc) {
    struct finding finding = machine_finding(machine, FINDING_BARRIER_DIVERGENCE, pc);
    finding.detail = WARPGROUP_CALL_VALUES;
    finding.count_waiting = WARPGROUP_THREADS;
    findings_thread(machine->shape.block, other, finding.other_thread);
    findings_add(&machine->result.findings, &finding);
    machine_stop(machine);
}

bool warpgroup_meet(struct emu_machine *machine, const struct warpgroup_call *call, uint64_t pc) {
    uint32_t first = warpgroup_first(machine);
    struct thread *thread = &machine->thread[machine->current];
    schedule_step(machine, pc);
    thread->pc = pc;
    thread->call.operation = WARP_GROUP;
    thread->group_call = *call;
    machine->state[machine->current] = THREAD_AT_WARP;
    bool all = first + WARPGROUP_THREADS <= machine->shape.thread_count;
    for (uint32_t i = 0; all && i < WARPGROUP_THREADS; i++) {
        all = is_here(machine, first + i, pc);
    }
    if (!all) {
        schedule_away(machine);
        return false;
    }
    for (uint32_t i = 0; i < WARPGROUP_THREADS; i++) {
        if (memcmp(call_of(machine, first + i)->value, call->value, sizeof call->value) != 0) {
            values_differ(machine, first + i, pc);
        }
    }
    return true;
}

void warpgroup_go_on(struct emu_machine *machine) {
    memset(&machine->state[warpgroup_first(machine)], THREAD_READY, WARPGROUP_THREADS);
}

// Marks the sums of each row of a factor with missing bytes.
static void sums_unset(const struct wgmma_call *call, const struct warpgroup_factor *factor,
                       bool is_a, uint32_t *d) {
    static uint32_t unset[WGMMA_N_MAX * WGMMA_K_MAX];
    const uint32_t rows = is_a ? WGMMA_M : call->n;
    wgmma_elements(call, call->transposed[!is_a], rows, factor->unset, unset);
    for (uint32_t i = 0; i < rows * call->k; i++) {
        if (unset[i] == 0) {
            continue;
        }
        uint32_t row = i / call->k;
        for (uint32_t j = 0; j < (is_a ? call->n : WGMMA_M); j++) {
            d[is_a ? row * call->n + j : j * call->n + row] = LANE_JUNK_BITS;
        }
        i = row * call->k + call->k - 1;  // the next row
    }
}

void warpgroup_multiply(struct emu_machine *machine, const struct wgmma_call *call,
                        const struct warpgroup_factor factor[2]) {
    // Static: the stack of a kernel's thread is small.
    static uint32_t a[WGMMA_M * WGMMA_K_MAX], b[WGMMA_N_MAX * WGMMA_K_MAX];
    static uint32_t d[WGMMA_M * WGMMA_N_MAX];
    uint32_t first = warpgroup_first(machine);
    uint32_t each = WGMMA_K_MAX / call->k == 1 ? 2 : 1;  // elements of A in a register
    wgmma_elements(call, call->transposed[1], call->n, factor[1].piece, b);
    if (!call->a_in_registers) {
        wgmma_elements(call, call->transposed[0], WGMMA_M, factor[0].piece, a);
    }
    for (uint32_t i = 0; i < WARPGROUP_THREADS; i++) {
        const struct warpgroup_call *mine = call_of(machine, first + i);
        const uint32_t *sums = (const uint32_t *)(uintptr_t)mine->own[0];
        const uint32_t *registers = (const uint32_t *)(uintptr_t)mine->own[1];
        uint32_t warp = i / WARP_LANES;
        uint32_t lane = i % WARP_LANES;
        for (uint32_t j = 0; j < call->n / 2; j++) {
            d[wgmma_place_of_sum(call, warp, lane, j)] = sums[j];
        }
        for (uint32_t j = 0; call->a_in_registers && j < 4 * each; j++) {
            a[wgmma_place_of_factor(call, warp, lane, j / each, j % each)] =
                registers[j / each] >> (j % each * 16) & (each == 2 ? 0xffff : UINT32_MAX);
        }
    }
    wgmma_multiply(call, a, b, d);
    for (uint32_t i = call->a_in_registers; i < 2; i++) {
        if (factor[i].lacks) {
            sums_unset(call, &factor[i], i == 0, d);
        }
    }
    for (uint32_t i = 0; i < WARPGROUP_THREADS; i++) {
        uint32_t *sums = (uint32_t *)(uintptr_t)call_of(machine, first + i)->own[0];
        for (uint32_t j = 0; j < call->n / 2; j++) {
            bool stays = call->adds && sums[j] == LANE_JUNK_BITS;
            sums[j] = stays ? LANE_JUNK_BITS
                            : d[wgmma_place_of_sum(call, i / WARP_LANES, i % WARP_LANES, j)];
        }
    }
}
