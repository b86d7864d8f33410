// Runs the threads of a block in rounds, each until it waits or its time slice ends.  They take
// turns in the order of the launch, usually by their numbers.
//
// A thread that waits switches straight to the next one that can run; the scheduler's own context
// only decides what happens at the end of a round.  The order depends only on the kernel, so every
// run is the same.
//
// The blocks of a cluster run in turns too, each until it ends or its threads wait for others.  A
// block that leaves is set aside, and its shared memory goes into the window of its cluster.
#include "emu/machine/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "emu/check/barrier_meeting.h"
#include "emu/machine/cluster.h"
#include "emu/machine/collectives.h"
#include "emu/machine/mbarrier.h"
#include "emu/machine/observers.h"
#include "emu/machine/saved_blocks.h"
#include "emu/machine/stop.h"
#include "emu/machine/tracing.h"

// After this many accesses, a thread that spins on memory lets the others run.
#define SLICE_ACCESSES 4096
// If blocks take turns, a launch sets them aside at most this many times: each time takes some 50
// us.
#define PAUSES_OF_LAUNCH 512
// If blocks take turns, this many that seem to wait go on, each for this many rounds.
#define LONG_ROUNDS          4096
#define LONG_WAITS_OF_LAUNCH 4
// Blocks that seem to wait are set aside at most this many times; then the budget is used up.  A
// chain of 160 blocks, each waiting for the one before, needs 13,000 times in the reverse order; a
// thousand blocks need 160,000.
#define WAITS_OF_LAUNCH (1u << 20)
// In ORDER_NEWEST, which is tried besides the usual one, this many: 0.2 s.
#define WAITS_OF_NEWEST 4096
// At most this many threads of a launch may begin, plus one for every four accesses of its budget:
// blocks that do nothing take time, but no accesses.
#define THREADS_OF_LAUNCH (1ull << 27)

// After this many rounds without a barrier and without a strong store, a block may be waiting for
// another one.  Weak, because tests/emu/rounds.py links a worker with another number.
extern const uint32_t schedule_rounds_max;
const uint32_t schedule_rounds_max __attribute__((weak)) = 32;

static void become(struct emu_machine *machine, uint32_t index) {
    const struct thread *thread = &machine->thread[index];
    if (machine->counts) {
        count_turn(machine->count, index);
        count_thread(machine->count, index);
        machine->caller_mix = thread_caller_mix(thread);
    }
    if (machine->tracing) {
        tracing_turn(machine);
    }
    machine->current = index;
    known_thread(&machine->known, index);
    emu_thread_index = (struct machine_index){thread->index[0], thread->index[1], thread->index[2]};
}

static void new_slice(struct emu_machine *machine) {
    machine->slice = machine->budget < SLICE_ACCESSES ? machine->budget : SLICE_ACCESSES;
    machine->accesses_left = (int64_t)machine->slice - 1;
    machine->switched = false;
}

static uint64_t used_of_slice(const struct emu_machine *machine) {
    int64_t left = machine->accesses_left + 1;
    return machine->slice - (uint64_t)(left > 0 ? left : 0);
}

uint64_t schedule_steps(const struct emu_machine *machine) {
    return machine->clock + used_of_slice(machine);
}

// Charges the used part of the slice to the budget.
static void settle(struct emu_machine *machine) {
    uint64_t used = used_of_slice(machine);
    machine->budget -= used;
    machine->clock += used;
    new_slice(machine);
}

// The first thread at or after `from` in this round that can run; thread_count if there is none.
static uint32_t ready_from(const struct emu_machine *machine, uint32_t from) {
    uint32_t count = machine->shape.thread_count;
    if (machine->order == ORDER_FORWARD) {
        const uint8_t *found = memchr(machine->state + from, THREAD_READY, count - from);
        return found ? (uint32_t)(found - machine->state) : count;
    }
    uint32_t next = from;
    while (machine->state[next] != THREAD_READY) {
        next = (uint32_t)turn_next(machine->turn, count, next);
        if (next == machine->turn.start) {
            return count;
        }
    }
    return next;
}

// The next thread of this round that can run; thread_count if there is none.
static uint32_t ready_next(const struct emu_machine *machine) {
    uint32_t count = machine->shape.thread_count;
    uint32_t next = (uint32_t)turn_next(machine->turn, count, machine->current);
    return next == machine->turn.start ? count : ready_from(machine, next);
}

// Chooses the fiber that runs next: the next thread that can run, else the scheduler.
static inline const struct fiber *next_fiber(struct emu_machine *machine) {
    uint32_t next = machine->current + machine->turn_step;
    machine->switched = true;
    if (next >= machine->shape.thread_count || machine->state[next] != THREAD_READY ||
        next == machine->turn.start) {
        next = ready_next(machine);
    }
    if (next < machine->shape.thread_count) {
        become(machine, next);
        return &machine->thread[next].fiber;
    }
    machine->in_kernel = false;
    return &machine->scheduler;
}

void schedule_away(struct emu_machine *machine) {
    struct thread *from = &machine->thread[machine->current];
    fiber_switch(&from->fiber, next_fiber(machine));
}

static inline void arrive(struct emu_machine *machine, uint64_t pc, bool predicate) {
    struct meeting *meeting = &machine->block.meeting;
    machine->thread[machine->current].pc = pc;
    machine->state[machine->current] = THREAD_AT_BARRIER;
    if (meeting->pc != pc) {
        meeting->mixed |= meeting->arrived > 0;
        meeting->pc = pc;
    }
    meeting->predicates += predicate;
    meeting->arrived++;
}

uint32_t schedule_barrier(struct emu_machine *machine, uint64_t pc, bool predicate) {
    schedule_step(machine, pc);
    arrive(machine, pc, predicate);
    schedule_away(machine);
    // The sum is still valid: the next meeting cannot end before this thread arrives at it.
    return machine->block.meeting.sum;
}

static __attribute__((noinline)) void *meet_in_new_slice(uint64_t pc, void *stack_pointer) {
    struct emu_machine *machine = &machine_state;
    schedule_slice_over(machine, pc);
    arrive(machine, pc, false);
    machine->thread[machine->current].fiber.stack_pointer = stack_pointer;
    return next_fiber(machine)->stack_pointer;
}

static __attribute__((noinline)) void *next_of_few(struct emu_machine *machine) {
    return next_fiber(machine)->stack_pointer;
}

void *schedule_meet(uint64_t pc, void *stack_pointer) {
    struct emu_machine *machine = &machine_state;
    uint32_t next = machine->current + machine->turn_step;
    if (schedule_step_over(machine)) {
        return meet_in_new_slice(pc, stack_pointer);
    }
    arrive(machine, pc, false);
    machine->thread[machine->current].fiber.stack_pointer = stack_pointer;
    // The frequent case of next_fiber, without saving registers.
    if (next >= machine->shape.thread_count || machine->state[next] != THREAD_READY) {
        return next_of_few(machine);
    }
    machine->switched = true;
    become(machine, next);
    // All stacks map to the same cache sets, so a stack has been evicted when its turn comes.  The
    // one after next is prefetched while this one runs.
    __builtin_prefetch(
        machine->thread[(next + machine->turn_step) % THREADS_MAX].fiber.stack_pointer);
    return machine->thread[next].fiber.stack_pointer;
}

static _Noreturn void time_limit(struct emu_machine *machine, uint64_t pc) {
    struct finding finding = machine_finding(machine, FINDING_TIME_LIMIT, pc);
    finding.detail = machine->budget == 0 ? BUDGET_ACCESSES : BUDGET_TIME;
    finding.flags = machine->round.crowded ? FINDING_BLOCKS_WAIT : 0;
    findings_add(&machine->result.findings, &finding);
    machine_stop(machine);
}

// True if another process of the launch has given up, or this process should.
static bool is_given_up(const struct emu_machine *machine) {
    return machine->given_up && (machine->result.findings.count > 0 ||
                                 __atomic_load_n(machine->given_up, __ATOMIC_RELAXED));
}

// A thread that had the whole slice to itself may be spinning.  Other threads go on: lanes of a
// warp that stay in step are cheaper to count.
void schedule_slice_over(struct emu_machine *machine, uint64_t pc) {
    bool alone = !machine->switched;
    settle(machine);
    if (machine->budget == 0 || machine->patience.time_over) {
        time_limit(machine, pc);
    }
    if (is_given_up(machine)) {
        machine_stop(machine);
    }
    if (alone) {
        schedule_away(machine);
    }
}

static void kernel_call(const struct emu_machine *machine) {
    const uint64_t *i = machine->call.integer;
    const double *r = machine->call.real;
    called_kernel *kernel = machine->kernel_address == 0
                                ? emu_kernel
                                : (called_kernel *)(uintptr_t)machine->kernel_address;
    kernel(i[0], i[1], i[2], i[3], i[4], i[5], i[6], i[7], i[8], i[9], i[10], i[11], i[12], i[13],
           r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]);
}

// Every thread starts here, on its own stack.  Never returns, as it has no caller.
static void thread_main(void) {
    struct emu_machine *machine = &machine_state;
    if (machine->configuring) {
        const int32_t *size = machine->size.at;
        emu_launch_config((const void *)(uintptr_t)machine->memory.start[ARRAY_C], size[0], size[1],
                          size[2], size[3]);
    } else {
        kernel_call(machine);
    }
    uint32_t index = machine->current;
    machine->thread[index].pc = machine->block.returned_pc;
    machine->state[index] = THREAD_EXITED;
    if (machine->checks && machine->race->unordered) {
        const struct lost_update lost = machine_lost_update(machine);
        lost_update_end(&lost, &machine->thread[index].seen);
    }
    if (machine->cluster) {
        cluster_exit(machine);
    }
    machine->block.alive--;
    machine->warp[index / WARP_LANES].alive &= ~(1u << index % WARP_LANES);
    if (machine->counts) {
        count_exit(machine->count, index);
    }
    if (machine->warp[index / WARP_LANES].waiting) {
        collectives_exit(machine, index / WARP_LANES);
    }
    for (;;) {
        schedule_away(machine);
    }
}

static void block_start(struct emu_machine *machine) {
    const struct launch_shape *shape = &machine->shape;
    settle(machine);  // the time slices of a block must not depend on earlier blocks
    machine->block.alive = shape->thread_count;
    memset(&machine->block.meeting, 0, sizeof machine->block.meeting);
    machine->block.return_pc = 0;
    machine->block.returned_pc = 0;
    memset(machine->state, THREAD_READY, shape->thread_count);
    for (uint32_t i = 0; i < shape->thread_count; i++) {
        machine->thread[i].depth = 0;
        machine->thread[i].has_waited = false;
        machine->thread[i].seen = (struct seen_words){0};
        machine->thread[i].stack_low = fiber_stack_low(&machine->stacks, i);
        if (machine->has_matrix) {
            memset(machine->thread[i].matrix, 0, sizeof machine->thread[i].matrix);
        }
        if (machine->asked.junk) {
            fiber_stack_junk(&machine->stacks, i);
        }
        fiber_start(&machine->thread[i].fiber, &machine->stacks, i, thread_main);
    }
    for (uint32_t w = 0; w * WARP_LANES < shape->thread_count; w++) {
        uint32_t lanes = shape->thread_count - w * WARP_LANES;
        machine->warp[w].alive = lanes >= WARP_LANES ? 0xffffffffu : (1u << lanes) - 1;
        machine->warp[w].waiting = 0;
    }
    memory_block(&machine->memory);
}

// Reports and returns true if the threads at the barrier must not go on together.
static bool barrier_fails(struct emu_machine *machine) {
    struct barrier_thread threads[THREADS_MAX];
    uint32_t count = machine->shape.thread_count;
    if (machine->block.meeting.arrived == count && !machine->block.meeting.mixed) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        threads[i].pc = machine->thread[i].pc;
        threads[i].state =
            machine->state[i] == THREAD_AT_BARRIER ? BARRIER_WAITING : BARRIER_EXITED;
    }
    return barrier_meet(&machine->result.findings, &machine->shape, &machine->block.place, threads);
}

// Lets the block pass its barrier: notifies the observers and wakes all threads.
static void barrier_pass(struct emu_machine *machine) {
    struct meeting *meeting = &machine->block.meeting;
    if (meeting->arrived == machine->shape.thread_count) {
        memset(machine->state, THREAD_READY, meeting->arrived);
    }
    for (uint32_t i = 0;
         meeting->arrived < machine->shape.thread_count && i < machine->shape.thread_count; i++) {
        if (machine->state[i] == THREAD_AT_BARRIER) {
            machine->state[i] = THREAD_READY;
        }
    }
    *meeting = (struct meeting){.sum = meeting->predicates};
    if (machine->checks) {
        race_barrier(machine->race);
        known_advance(&machine->known);
        async_barrier(machine->own.async);
    }
    if (machine->counts) {
        count_barrier(machine->count);
    }
    if (machine->tracing) {
        tracing_barrier(machine);
    }
}

// No thread can run: lets the block continue if possible, else stops the launch.  Returns false if
// another block of the cluster must run first.
static bool block_resolve(struct emu_machine *machine) {
    if (collectives_masks(machine) || mbarriers_try_again(machine)) {
        return true;
    }
    if (machine->cluster && cluster_waits(machine)) {
        if (cluster_meet(machine)) {
            return true;
        }
        if (!machine->cluster->stuck) {
            return false;
        }
    }
    bool by_warpgroup = machine->own.wgmma && collectives_warpgroup_stuck(machine);
    if ((!by_warpgroup && (mbarriers_deadlock(machine) || cluster_deadlock(machine))) ||
        collectives_deadlock(machine) || machine->block.meeting.arrived == 0 ||
        barrier_fails(machine)) {
        machine_stop(machine);
    }
    barrier_pass(machine);
    return true;
}

static void schedule_block_begin(struct emu_machine *machine) {
    machine->begun += machine->shape.thread_count;
    if (machine->patience.time_over || machine->begun > THREADS_OF_LAUNCH + machine->budget / 4) {
        time_limit(machine, 0);  // a huge grid of blocks that do nothing
    }
    if (is_given_up(machine)) {
        machine_stop(machine);
    }
    block_start(machine);
    machine->block.in_sample = sample_holds(&machine->sample, machine->block.place.linear);
    bool watched = machine->checks && (machine->sample.count == 0 || machine->block.in_sample);
    machine->block.only_counts = machine->counts && !machine->asked.maps && !watched;
    observers_block_begin(machine);
    if (machine->checks) {
        known_advance(&machine->known);
    }
}

// True if the block has not been set aside at this place.
static bool is_new_place(struct pauses *pauses, uint64_t pc) {
    for (uint32_t i = 0; i < pauses->count; i++) {
        if (pauses->pc[i] == pc) {
            return false;
        }
    }
    if (pauses->count == PAUSES_MAX) {
        return false;
    }
    pauses->pc[pauses->count++] = pc;
    return true;
}

// True for a word of an array that the kernel may change.
static bool is_shared_by_blocks(const struct memory *memory, uint64_t address) {
    return address - memory->arena < memory->arena_bytes &&
           !memory_is_input(memory->inputs, memory_global_array(memory, address));
}

void schedule_take_turns(struct emu_machine *machine, uint64_t address, uint64_t pc,
                         uint32_t operation) {
    if (!is_shared_by_blocks(&machine->memory, address)) {
        return;
    }
    if (operation == OPERATION_READ) {
        (void)is_new_place(&machine->asks, pc);
    } else {
        machine->hands_over = true;
    }
    if (machine->takes_turns && machine->paused < PAUSES_OF_LAUNCH &&
        is_new_place(&machine->block.pauses, pc) &&
        order_pauses(machine->order, machine->block.pauses.number, machine->block.pauses.count)) {
        machine->paused++;
        machine->round.pauses_now = true;
        schedule_away(machine);
    }
}

// A loop that asks only so many times must be able to end before others have run: where blocks take
// turns, the first ones that seem to wait go on.  Not for long, because most of them do wait.
static bool block_goes_on(struct emu_machine *machine, uint32_t rounds) {
    if (!machine->takes_turns || machine->order == ORDER_NEWEST || rounds > LONG_ROUNDS ||
        machine->budget < machine->long_floor) {
        return false;
    }
    machine->long_waits += rounds == schedule_rounds_max;
    return machine->long_waits <= LONG_WAITS_OF_LAUNCH;
}

// True if the block was set aside: its threads seem to wait for another block, or it must let the
// others run.
static bool block_waits(struct emu_machine *machine, uint32_t rounds) {
    bool pauses = machine->round.pauses_now;
    bool waits = rounds >= schedule_rounds_max || pauses;
    machine->round.pauses_now = false;
    if (!waits || !machine->round.others || (!pauses && block_goes_on(machine, rounds))) {
        return false;
    }
    if (++machine->waited > (machine->order == ORDER_NEWEST ? WAITS_OF_NEWEST : WAITS_OF_LAUNCH)) {
        settle(machine);
        machine->budget = 1;  // so that the launch ends at the next access of a thread that waits
        new_slice(machine);
    }
    if (machine->cluster) {
        return true;
    }
    if (!machine->follows) {
        return false;
    }
    bool put = block_save(machine, pauses);
    machine->round.crowded = machine->round.crowded || !put;
    return put;
}

// Continues the block.  Returns false if others have to run before its end.
static bool schedule_block_run(struct emu_machine *machine) {
    uint32_t rounds = 0;  // since the last barrier or strong store
    emu_block_index =
        (struct machine_index){machine->block.place.index[0], machine->block.place.index[1],
                               machine->block.place.index[2]};
    while (machine->block.alive > 0) {
        uint32_t first = ready_from(machine, (uint32_t)machine->turn.start);
        if (first == machine->shape.thread_count) {
            if (!block_resolve(machine)) {
                settle(machine);
                return false;
            }
            rounds = 0;
            continue;
        }
        become(machine, first);
        machine->in_kernel = true;
        fiber_switch(&machine->scheduler, &machine->thread[first].fiber);
        machine->round.moved = true;
        rounds = machine->round.goes_on ? 0 : rounds + 1;
        machine->round.goes_on = false;
        if (machine->block.alive > 0 && block_waits(machine, rounds)) {
            settle(machine);
            return false;
        }
    }
    return true;
}

static void schedule_block_end(struct emu_machine *machine) {
    if (machine->counts) {
        count_turn(machine->count, machine->current);
    }
    observers_block_end(machine);
    machine->grid.ended++;
}

static void number_threads(struct emu_machine *machine) {
    const uint32_t *block = machine->shape.block;
    uint32_t i = 0;
    for (uint32_t z = 0; z < block[2]; z++) {
        for (uint32_t y = 0; y < block[1]; y++) {
            for (uint32_t x = 0; x < block[0]; x++, i++) {
                machine->thread[i].index[0] = x;
                machine->thread[i].index[1] = y;
                machine->thread[i].index[2] = z;
            }
        }
    }
}

// A place that adds 0 asks for the value, unless it adds other numbers too, like the counts of a
// histogram.
static void asks_settle(struct emu_machine *machine) {
    for (uint32_t i = 0; machine->checks && i < machine->asks.count; i++) {
        uint32_t site = sites_number(machine->sites, machine->asks.pc[i]);
        bool asks = machine->race->site[site].operation == OPERATION_READ;
        machine->hands_over = machine->hands_over || asks;
    }
}

static void schedule_launch_begin(struct emu_machine *machine) {
    const uint32_t *grid = machine->shape.grid;
    const uint32_t *block = machine->shape.block;
    machine->turn = turn_of(machine->order, machine->shape.thread_count);
    machine->turn_step = (uint32_t)machine->turn.step;
    number_threads(machine);
    emu_block_extent = (struct machine_index){block[0], block[1], block[2]};
    emu_grid_extent = (struct machine_index){grid[0], grid[1], grid[2]};
    machine->clock = 0;
    machine->begun = 0;
    machine->waited = 0;
    machine->paused = 0;
    machine->resumed = 0;
    machine->asks.count = 0;
    machine->long_waits = 0;
    machine->long_floor = machine->budget - machine->budget / 4;
    machine->round.pauses_now = false;
    machine->waiting.most = machine->grid.exists ? BLOCKS_TOGETHER_MAX : BLOCKS_WAITING_MAX;
    machine->grid = (struct grid_barrier){.exists = machine->grid.exists};
    new_slice(machine);
}

void schedule_launch(struct emu_machine *machine) {
    const uint32_t *grid = machine->shape.grid;
    struct block_place *place = &machine->block.place;
    const struct sample *part = &machine->part;
    uint64_t blocks = part->count > 0 ? part->count : machine->block_end - machine->block_first;
    struct turn turn = turn_of(machine->order, blocks);
    schedule_launch_begin(machine);
    uint64_t at = turn.start;
    uint64_t begun = 0;
    while (begun < blocks || machine->waiting.count > 0) {
        if (begun < blocks && machine->waiting.count < machine->waiting.most) {
            place->linear = part->count > 0 ? part->block[at] : machine->block_first + at;
            place->index[0] = (uint32_t)(place->linear % grid[0]);
            place->index[1] = (uint32_t)(place->linear / grid[0] % grid[1]);
            place->index[2] = (uint32_t)(place->linear / grid[0] / grid[1]);
            schedule_block_begin(machine);
            machine->block.pauses = (struct pauses){.number = begun};
            begun++;
            at = turn_next(turn, blocks, at);
        } else {
            block_resume(machine);
        }
        machine->round.others = begun < blocks || machine->waiting.count > 0;
        machine->round.crowded =
            begun < blocks && machine->waiting.count + 1 >= machine->waiting.most;
        if (schedule_block_run(machine)) {
            schedule_block_end(machine);
        }
    }
    asks_settle(machine);
}

// Copies the shared arrays of the running block into the window, or back.
static void shared_copy(struct emu_machine *machine, bool back) {
    const struct memory *memory = &machine->memory;
    uint64_t window = machine->cluster->window + machine->cluster->rank * memory->shared_bytes;
    for (uint32_t s = 0; s < memory->slot_count; s++) {
        const struct memory_slot *slot = &memory->slot[s];
        if (memory_slot_begins(memory, s)) {
            void *live = (void *)(uintptr_t)slot->start;
            void *kept = (void *)(uintptr_t)(window + (slot->start - memory->shared));
            memcpy(back ? live : kept, back ? kept : live, slot->bytes);
        }
    }
}

static void block_enter(struct emu_machine *machine, uint32_t rank) {
    struct cluster_block *block = &machine->cluster->block[rank];
    cluster_become(machine, rank);
    if (machine->checks) {
        race_shadow_view(&machine->race->shadow[SPACE_SHARED], rank);
    }
    if (block->state == BLOCK_NEW) {
        machine->block.place = block->place;
        schedule_block_begin(machine);
    } else {
        shared_copy(machine, true);
        saved_block_restore(block->aside, machine);
        block->aside = NULL;
        cluster_wake(machine);
    }
    block->state = BLOCK_RUNS;
}

static void block_leave(struct emu_machine *machine) {
    struct cluster_block *block = cluster_running(machine);
    block->meets = cluster_first_waiting(machine) < THREADS_MAX;
    block->has_phase =
        memchr(machine->state, THREAD_AT_MBARRIER, machine->shape.thread_count) != NULL;
    block->lacks_bytes = block->has_phase ? mbarriers_lack_bytes(machine) : UINT32_MAX;
    block->absent_count = 0;
    for (uint32_t i = machine->shape.thread_count; i-- > 0;) {
        if (!block->exited[i] && block->arrivals[i] <= machine->cluster->phase) {
            block->absent_count++;
            block->absent_thread = i;
            block->absent_pc = machine->thread[i].pc;
        }
    }
    if (block->absent_count == 0) {
        cluster_tell(machine);
    }
    block->aside = saved_block_new(machine);
    if (!block->aside) {
        abort();  // out of memory: as in thread_clocks.c
    }
    shared_copy(machine, false);
    block->state = BLOCK_ASIDE;
}

static void block_end(struct emu_machine *machine) {
    struct cluster *cluster = machine->cluster;
    struct cluster_block *block = cluster_running(machine);
    schedule_block_end(machine);
    if (machine->checks) {
        race_barrier(machine->race);
        struct remote_end end = cluster_end_of(machine, cluster->rank);
        remote_block_end(cluster->remote, machine->race->follow, &end);
    }
    shared_copy(machine, false);
    block->absent_count = 0;
    block->state = BLOCK_ENDED;
}

// Lets each block run until it ends or waits.  Returns the number that have not ended.
static uint32_t round_run(struct emu_machine *machine, struct turn turn) {
    struct cluster *cluster = machine->cluster;
    uint32_t count = machine->shape.cluster_blocks;
    uint32_t left = 0;
    uint64_t rank = turn.start;
    for (uint32_t i = 0; i < count; i++, rank = turn_next(turn, count, rank)) {
        if (cluster->block[rank].state == BLOCK_ENDED) {
            continue;
        }
        block_enter(machine, (uint32_t)rank);
        if (schedule_block_run(machine)) {
            block_end(machine);
        } else {
            block_leave(machine);
            left++;
        }
    }
    return left;
}

// True if the bytes that this block lacks may belong to another block, which waits for arrivals and
// has not announced its own bytes of this phase either.
static bool waits_for_copies(const struct cluster *cluster, uint32_t rank, uint32_t count) {
    const struct cluster_block *block = &cluster->block[rank];
    for (uint32_t i = 0; i < count && block->lacks_bytes != UINT32_MAX; i++) {
        const struct cluster_block *other = &cluster->block[i];
        const struct mbarrier *here = &block->parts.mbarriers->at[block->lacks_bytes];
        const struct mbarrier *there = &other->parts.mbarriers->at[block->lacks_bytes];
        if (other->state == BLOCK_ASIDE && other->has_phase && other->lacks_bytes == UINT32_MAX &&
            there->live && there->pending > 0 && there->phase <= here->phase) {
            return true;
        }
    }
    return false;
}

// No thread of the cluster can run.  Chooses the block that reports the reason.  A block that waits
// for a phase of an mbarrier comes first, because the barrier of the cluster may lack its threads.
// Of these blocks, one that no other block keeps waiting is preferred.  If no block waits for a
// phase, a block that waits at the barrier is chosen.
static void stuck_run(struct emu_machine *machine) {
    struct cluster *cluster = machine->cluster;
    uint32_t chosen = 0;
    int best = -1;
    for (uint32_t i = 0; i < machine->shape.cluster_blocks; i++) {
        const struct cluster_block *block = &cluster->block[i];
        bool held = waits_for_copies(cluster, i, machine->shape.cluster_blocks);
        int good = block->has_phase ? 3 - held : block->meets ? 1 : 0;
        if (block->state == BLOCK_ASIDE && good > best) {
            best = good;
            chosen = i;
        }
    }
    cluster->stuck = true;
    block_enter(machine, chosen);
    (void)schedule_block_run(machine);
    abort();  // it has stopped the launch
}

static void places_set(struct emu_machine *machine, uint64_t number) {
    const struct launch_shape *shape = &machine->shape;
    const uint32_t *extent = shape->cluster;
    uint64_t wide = shape->grid[0] / extent[0];
    uint64_t high = shape->grid[1] / extent[1];
    uint64_t first[3] = {number % wide, number / wide % high, number / wide / high};
    for (uint32_t rank = 0; rank < shape->cluster_blocks; rank++) {
        uint32_t at[3] = {rank % extent[0], rank / extent[0] % extent[1],
                          rank / extent[0] / extent[1]};
        struct block_place *place = &machine->cluster->block[rank].place;
        for (int i = 0; i < 3; i++) {
            place->index[i] = (uint32_t)first[i] * extent[i] + at[i];
        }
        place->linear = place->index[0] + (uint64_t)place->index[1] * shape->grid[0] +
                        (uint64_t)place->index[2] * shape->grid[0] * shape->grid[1];
    }
}

static void cluster_begin(struct emu_machine *machine, uint64_t number) {
    struct cluster *cluster = machine->cluster;
    const uint32_t threads = machine->shape.thread_count;
    places_set(machine, number);
    cluster->phase = 0;
    cluster->stuck = false;
    follow_drop(&cluster->arriving);
    follow_drop(&cluster->complete);
    memory_block(&machine->memory);
    for (uint32_t rank = 0; rank < machine->shape.cluster_blocks; rank++) {
        struct cluster_block *block = &cluster->block[rank];
        block->state = BLOCK_NEW;
        memset(block->arrivals, 0, threads * sizeof block->arrivals[0]);
        memset(block->waits, 0, threads * sizeof block->waits[0]);
        memset(block->is_new, 0, threads * sizeof block->is_new[0]);
        memset(block->exited, 0, threads * sizeof block->exited[0]);
        if (machine->hands_on) {
            mbarriers_block_begin(block->parts.mbarriers, &block->place);
        }
        cluster->rank = rank;
        shared_copy(machine, false);
    }
    if (machine->checks) {
        race_cluster_begin(machine->race);
        remote_cluster_begin(cluster->remote);
    }
}

void cluster_run(struct emu_machine *machine) {
    uint32_t count = machine->shape.cluster_blocks;
    uint64_t clusters = (machine->block_end - machine->block_first) / count;
    struct turn turn = turn_of(machine->order, clusters);
    struct turn ranks = turn_of(machine->order, count);
    uint64_t number = turn.start;
    schedule_launch_begin(machine);
    machine->round.others = count > 1;
    machine->round.crowded = false;
    for (uint64_t begun = 0; begun < clusters; begun++) {
        cluster_begin(machine, number);
        machine->block.pauses = (struct pauses){.number = begun};
        machine->round.moved = true;
        for (uint32_t left = count; left > 0;) {
            if (!machine->round.moved) {
                stuck_run(machine);
            }
            machine->round.moved = false;
            left = round_run(machine, ranks);
        }
        if (machine->checks) {
            remote_cluster_end(machine->cluster->remote);
        }
        number = turn_next(turn, clusters, number);
    }
}
