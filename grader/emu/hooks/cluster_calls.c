// Thread block clusters, of <cooperative_groups.h> and ptx.cuh.
//
// The link takes this file only if the kernel file makes such a call: machine.c asks for
// emu_cluster_rank.  A trace shows one block, as if it were alone in its cluster.
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

static bool is_alone(void) {
    return machine_state.tracing != NULL;
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
