// Thread block clusters, of <cooperative_groups.h> and ptx.cuh, and groups of a whole grid.
//
// The link takes this file only if the kernel file makes such a call: machine.c asks for
// emu_cluster_rank.  A trace shows one block, as if it were alone in its cluster; in a cooperative
// launch each is.
#include "emu/hooks/touch.h"
#include "emu/machine/cluster.h"
#include "emu/machine/schedule.h"
#include "emu/machine/stop.h"

uint32_t emu_cluster_rank(void);
uint32_t emu_cluster_extent(uint32_t axis);
void emu_cluster_arrive(void);
void emu_cluster_wait(void);
void emu_cluster_sync(void);
void *emu_cluster_map(const void *address, uint32_t rank);
void emu_grid_sync(void);
bool emu_grid_exists(void);

static bool is_alone(void) {
    return machine_state.tracing != NULL || machine_state.grid.exists;
}

static void wait(uint64_t pc) {
    struct emu_machine *machine = &machine_state;
    cluster_wait(machine, pc);
    while (!cluster_passed(machine)) {
        schedule_away(machine);
    }
}

uint32_t emu_cluster_rank(void) {
    return is_alone() ? 0 : machine_state.cluster->rank;
}

uint32_t emu_cluster_extent(uint32_t axis) {
    return is_alone() ? 1 : machine_state.shape.cluster[axis];
}

void emu_cluster_arrive(void) {
    struct emu_machine *machine = &machine_state;
    schedule_step(machine, PLACE);
    if (!is_alone()) {
        cluster_arrive(machine, false, PLACE);
    }
}

void emu_cluster_wait(void) {
    struct emu_machine *machine = &machine_state;
    schedule_step(machine, PLACE);
    if (is_alone()) {
        (void)schedule_barrier(machine, PLACE, false);
    } else {
        wait(PLACE);
    }
}

void emu_cluster_sync(void) {
    struct emu_machine *machine = &machine_state;
    schedule_step(machine, PLACE);
    if (is_alone()) {
        (void)schedule_barrier(machine, PLACE, false);
        return;
    }
    cluster_arrive(machine, true, PLACE);
    wait(PLACE);
}

void *emu_cluster_map(const void *address, uint32_t rank) {
    struct emu_machine *machine = &machine_state;
    const struct memory *memory = &machine->memory;
    uint64_t at = (uint64_t)(uintptr_t)address;
    if (is_alone()) {
        return (void *)at;
    }
    uint64_t offset = at - memory->shared;
    if (offset >= memory->shared_bytes) {
        offset = (at - machine->cluster->window) % memory->shared_bytes;
        if (at - machine->cluster->window >= machine->cluster->window_bytes) {
            machine_crash(machine, CRASH_NOT_SHARED, PLACE);
        }
    }
    if (rank >= machine->shape.cluster_blocks) {
        machine_refuse(machine, CRASH_CLUSTER_RANK, rank, machine->shape.cluster_blocks - 1, PLACE);
    }
    return (void *)(rank == machine->cluster->rank
                        ? memory->shared + offset
                        : machine->cluster->window + rank * memory->shared_bytes + offset);
}

// --- The barrier of a cooperative launch ---------------------------------------------------------

// A block waits for others that have ended.
static _Noreturn void grid_stuck(struct emu_machine *machine, uint64_t pc) {
    struct finding finding = machine_finding(machine, FINDING_BARRIER_DIVERGENCE, pc);
    finding.detail = GRID_LACKS_BLOCKS;
    finding.count_absent = (uint32_t)machine->grid.ended;
    findings_add(&machine->result.findings, &finding);
    machine_stop(machine);
}

// One thread meets those of the other blocks, which run while it waits.
static void grid_meet(struct emu_machine *machine, uint64_t pc) {
    struct grid_barrier *grid = &machine->grid;
    const uint32_t *extent = machine->shape.grid;
    const uint64_t blocks = (uint64_t)extent[0] * extent[1] * extent[2];
    const uint64_t phase = grid->phase;
    race_put(machine->race, machine->current, &grid->arriving);
    if (++grid->arrived == blocks) {
        follow_assign(&grid->complete, &grid->arriving);
        grid->arrived = 0;
        grid->phase++;
    }
    while (grid->phase == phase) {
        if (grid->arrived + grid->ended >= blocks) {
            grid_stuck(machine, pc);
        }
        schedule_step(machine, pc);
        machine->round.pauses_now = true;
        schedule_away(machine);
    }
    race_take(machine->race, machine->current, &grid->complete);
}

bool emu_grid_exists(void) {
    return machine_state.grid.exists;
}

void emu_grid_sync(void) {
    struct emu_machine *machine = &machine_state;
    const uint64_t pc = PLACE;
    if (!machine->grid.exists) {
        machine_crash(machine, CRASH_NOT_COOPERATIVE, pc);
    }
    (void)schedule_barrier(machine, pc, false);
    uint32_t first = 0;
    while (machine->state[first] == THREAD_EXITED) {
        first++;
    }
    if (machine->current == first) {
        grid_meet(machine, pc);
    }
    (void)schedule_barrier(machine, pc, false);
}
