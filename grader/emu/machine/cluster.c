// The state of the blocks of a cluster, and their barrier.
#include "emu/machine/cluster.h"

#include <string.h>

#include "emu/machine/mbarrier.h"
#include "emu/machine/observers.h"
#include "emu/machine/saved_blocks.h"
#include "emu/machine/stop.h"
#include "emu/memory/vault.h"

// --- Opening and launches ------------------------------------------------------------------------

enum status clusters_new(struct emu_machine *machine, struct error *err) {
    struct cluster *cluster = NULL;
    enum status status = vault_need(&cluster, sizeof *cluster, err);
    if (status) {
        return status;
    }
    machine->clusters = cluster;
    cluster->block[0].parts = machine->own;
    status = remote_new(&cluster->remote, err);
    for (uint32_t i = 1; i < CLUSTER_BLOCKS_MAX && !status; i++) {
        status = observers_need(machine, &cluster->block[i].parts, i, err);
    }
    return status;
}

static enum status window_need(struct cluster *cluster, uint64_t bytes, struct error *err) {
    void *window = (void *)(uintptr_t)cluster->window;
    enum status status = vault_need(&window, bytes, err);
    cluster->window = (uint64_t)(uintptr_t)window;
    cluster->window_bytes = bytes > cluster->window_bytes ? bytes : cluster->window_bytes;
    return status;
}

enum status cluster_launch_begin(struct emu_machine *machine, struct error *err) {
    struct cluster *cluster = machine->cluster;
    uint32_t count = machine->shape.cluster_blocks;
    enum status status = window_need(cluster, count * machine->memory.shared_bytes, err);
    for (uint32_t i = 1; i < count && !status; i++) {
        status = observers_launch_begin(machine, &cluster->block[i].parts, err);
    }
    remote_launch_begin(cluster->remote, &machine->shape, &machine->result.findings);
    return status;
}

void cluster_become(struct emu_machine *machine, uint32_t rank) {
    machine->cluster->rank = rank;
    block_set_become(machine, &machine->cluster->block[rank].parts);
}

struct cluster_loan cluster_lend(struct emu_machine *machine, uint32_t rank) {
    struct cluster_loan loan = {.rank = machine->cluster->rank};
    cluster_become(machine, rank);
    loan.waiting = machine->own.mbarriers->waiting;
    machine->own.mbarriers->waiting = 0;
    return loan;
}

void cluster_return(struct emu_machine *machine, struct cluster_loan loan) {
    machine->own.mbarriers->waiting = loan.waiting;
    cluster_become(machine, loan.rank);
}

uint64_t cluster_address(const struct emu_machine *machine, uint64_t address, uint32_t rank) {
    const struct memory *memory = &machine->memory;
    return machine->cluster->window + rank * memory->shared_bytes + (address - memory->shared);
}

void cluster_launch_end(struct emu_machine *machine) {
    struct cluster *cluster = machine->cluster;
    cluster->rank = 0;
    machine->own = cluster->block[0].parts;
    for (uint32_t i = 0; i < machine->shape.cluster_blocks; i++) {
        struct cluster_block *block = &cluster->block[i];
        saved_block_free(block->aside);
        block->aside = NULL;
    }
    follow_drop(&cluster->arriving);
    follow_drop(&cluster->complete);
}

// --- The barrier ---------------------------------------------------------------------------------

void cluster_arrive(struct emu_machine *machine, bool syncs, uint64_t pc) {
    struct cluster_block *block = cluster_running(machine);
    uint32_t thread = machine->current;
    if (block->arrivals[thread] != block->waits[thread]) {
        machine_crash(machine, CRASH_CLUSTER_PAIR, pc);
    }
    block->arrivals[thread]++;
    block->is_new[thread] = syncs;
    if (!syncs && machine->checks) {
        race_put(machine->race, thread, &machine->cluster->arriving);
    }
}

void cluster_wait(struct emu_machine *machine, uint64_t pc) {
    struct cluster_block *block = cluster_running(machine);
    uint32_t thread = machine->current;
    if (block->arrivals[thread] == block->waits[thread]) {
        machine_crash(machine, CRASH_CLUSTER_PAIR, pc);
    }
    block->waits[thread]++;
    machine->thread[thread].pc = pc;
}

bool cluster_passed(struct emu_machine *machine) {
    uint32_t thread = machine->current;
    if (machine->cluster->phase < cluster_running(machine)->waits[thread]) {
        machine->state[thread] = THREAD_AT_CLUSTER;
        return false;
    }
    if (machine->checks) {
        race_take(machine->race, thread, &machine->cluster->complete);
    }
    return true;
}

void cluster_exit(struct emu_machine *machine) {
    struct cluster_block *block = cluster_running(machine);
    block->exited[machine->current] = true;
    block->last_thread = machine->current;
    block->exit_pc[machine->current] = machine->thread[machine->current].pc;
}

bool cluster_waits(const struct emu_machine *machine) {
    uint32_t count = machine->shape.thread_count;
    return memchr(machine->state, THREAD_AT_CLUSTER, count) != NULL ||
           memchr(machine->state, THREAD_AT_MBARRIER, count) != NULL;
}

// If all threads have arrived, they have passed a barrier of the block too.
void cluster_tell(struct emu_machine *machine) {
    struct cluster_block *block = cluster_running(machine);
    uint32_t count = machine->shape.thread_count;
    uint32_t met = 0;
    for (uint32_t i = 0; i < count; i++) {
        met += block->exited[i] || block->is_new[i];
    }
    if (met == count && machine->checks) {
        race_barrier(machine->race);
        async_barrier(machine->own.async);
        follow_put_block(machine->race->follow, &machine->cluster->arriving);
    }
    if (met == count && machine->counts) {
        count_barrier(machine->count);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (block->is_new[i] && met < count && machine->checks) {
            race_put(machine->race, i, &machine->cluster->arriving);
        }
        block->is_new[i] = false;
    }
}

// Reports threads that have ended without coming to the barrier.  Returns true if that is an error,
// which it is unless they left by a `return`.
static bool leaves_out(struct emu_machine *machine, uint32_t first, const uint32_t absent[2],
                       const uint32_t absent_first[2]) {
    struct cluster *cluster = machine->cluster;
    bool returned = absent[0] == 0;
    uint32_t who = absent_first[returned];
    const struct cluster_block *block = &cluster->block[who / THREADS_MAX];
    machine->current = first;
    struct finding finding = machine_finding(
        machine, returned ? FINDING_EXITED_BEFORE_BARRIER : FINDING_BARRIER_DIVERGENCE,
        machine->thread[first].pc);
    uint32_t waiting = 0;  // of the running block; the finding has those of the block of `who`
    for (uint32_t i = 0; i < machine->shape.thread_count; i++) {
        bool arrived = block->arrivals[i] > cluster->phase;
        waiting += cluster_running(machine)->arrivals[i] > cluster->phase;
        finding.count_waiting += arrived;
        finding.count_absent += !arrived && (block->exit_pc[i] != 0) == returned;
    }
    finding.count_waiting = finding.count_waiting > 0 ? finding.count_waiting : waiting;
    finding.severity = returned ? SEVERITY_WARNING : SEVERITY_ERROR;
    finding.detail = returned ? 0 : CLUSTER_LACKS_THREADS;
    finding.other_pc = block->exit_pc[who % THREADS_MAX];
    memcpy(finding.block, block->place.index, sizeof finding.block);
    memcpy(finding.other_block, block->place.index, sizeof finding.other_block);
    findings_thread(machine->shape.block, who % THREADS_MAX, finding.other_thread);
    findings_add(&machine->result.findings, &finding);
    return !returned;
}

uint32_t cluster_first_waiting(const struct emu_machine *machine) {
    const uint8_t *found = memchr(machine->state, THREAD_AT_CLUSTER, machine->shape.thread_count);
    return found ? (uint32_t)(found - machine->state) : THREADS_MAX;
}

void cluster_wake(struct emu_machine *machine) {
    for (uint32_t i = 0; i < machine->shape.thread_count; i++) {
        if (machine->state[i] == THREAD_AT_CLUSTER &&
            cluster_running(machine)->waits[i] <= machine->cluster->phase) {
            machine->state[i] = THREAD_READY;
        }
    }
}

bool cluster_meet(struct emu_machine *machine) {
    struct cluster *cluster = machine->cluster;
    uint32_t first = cluster_first_waiting(machine);
    uint32_t absent[2] = {0};  // threads that ended without a `return`, and with one
    uint32_t absent_first[2] = {0};
    cluster_tell(machine);
    if (first == THREADS_MAX) {
        return false;
    }
    for (uint32_t rank = 0; rank < machine->shape.cluster_blocks; rank++) {
        const struct cluster_block *block = &cluster->block[rank];
        for (uint32_t i = 0; i < machine->shape.thread_count; i++) {
            bool returned = block->exit_pc[i] != 0;
            if (block->arrivals[i] > cluster->phase) {
                continue;
            }
            if (block->state == BLOCK_NEW || !block->exited[i]) {
                return false;
            }
            absent_first[returned] =
                absent[returned]++ == 0 ? rank * THREADS_MAX + i : absent_first[returned];
        }
    }
    if (absent[0] + absent[1] > 0 && leaves_out(machine, first, absent, absent_first)) {
        machine_stop(machine);
    }
    cluster->phase++;
    if (machine->checks) {
        follow_assign(&cluster->complete, &cluster->arriving);
    }
    cluster_wake(machine);
    machine->round.moved = true;
    return true;
}

bool cluster_deadlock(struct emu_machine *machine) {
    uint32_t first = machine->cluster ? cluster_first_waiting(machine) : THREADS_MAX;
    if (first == THREADS_MAX) {
        return false;
    }
    struct cluster *cluster = machine->cluster;
    machine->current = first;
    struct finding finding =
        machine_finding(machine, FINDING_BARRIER_DIVERGENCE, machine->thread[first].pc);
    finding.detail = CLUSTER_LACKS_THREADS;
    for (uint32_t i = 0; i < machine->shape.thread_count; i++) {
        finding.count_waiting += machine->state[i] == THREAD_AT_CLUSTER;
    }
    for (uint32_t i = 0; i < machine->shape.cluster_blocks; i++) {
        const struct cluster_block *block = &cluster->block[i];
        if (block->absent_count > 0) {
            finding.other_pc = block->absent_pc;
            finding.count_absent = block->absent_count;
            memcpy(finding.other_block, block->place.index, sizeof finding.other_block);
            findings_thread(machine->shape.block, block->absent_thread, finding.other_thread);
            break;
        }
    }
    findings_add(&machine->result.findings, &finding);
    return true;
}

struct remote_end cluster_end_of(const struct emu_machine *machine, uint32_t rank) {
    const struct cluster_block *block = &machine->cluster->block[rank];
    return (struct remote_end){.rank = rank,
                               .place = &block->place,
                               .thread = block->last_thread,
                               .pc = block->exit_pc[block->last_thread]};
}
