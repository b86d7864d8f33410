// Arrivals at an mbarrier of another block of the cluster.
//
// A file of its own, because with hooks/bulk_calls.c a kernel has mbarriers.
#include "emu/hooks/bulk_calls.h"
#include "emu/hooks/place.h"
#include "emu/hooks/touch.h"
#include "emu/machine/cluster.h"
#include "emu/machine/mbarrier.h"

void emu_cluster_mbarrier_arrive(uint64_t *mbarrier, uint32_t rank, bool relaxed);
void *emu_cluster_map(const void *address, uint32_t rank);

static void arrive(struct mbarrier *at, bool relaxed, enum follow_scope scope, uint64_t pc) {
    if (relaxed) {
        mbarrier_arrive_relaxed(&machine_state, at, scope, pc);
    } else {
        mbarrier_arrive(&machine_state, at, 1, pc);
    }
}

void emu_cluster_mbarrier_arrive(uint64_t *mbarrier, uint32_t rank, bool relaxed) {
    struct emu_machine *machine = &machine_state;
    const struct cluster *cluster = machine->cluster;
    uint64_t pc = PLACE;
    if (!cluster || machine->tracing || rank == cluster->rank) {
        arrive(bulk_mbarrier(mbarrier, pc), relaxed, FOLLOW_BLOCK, pc);
        return;
    }
    schedule_step(machine, pc);
    struct access access =
        mbarrier_access(machine, (uint64_t)(uintptr_t)mbarrier, ACCESS_ATOMIC, pc);
    if (rank >= machine->shape.cluster_blocks) {
        machine_refuse(machine, CRASH_CLUSTER_RANK, rank, machine->shape.cluster_blocks - 1, pc);
    }
    struct access there = access_copy(&access);
    there.address = cluster_address(machine, access.address, rank);
    if (machine->checks) {
        race_atomic(machine->race, OPERATION_ADD, false);
    }
    (void)touch_remote(machine, &there);
    struct cluster_loan loan = cluster_lend(machine, rank);
    struct mbarrier *at = mbarrier_live(machine, &access, true);
    at->remote = true;
    arrive(at, relaxed, FOLLOW_ALL, pc);
    cluster_return(machine, loan);
}
