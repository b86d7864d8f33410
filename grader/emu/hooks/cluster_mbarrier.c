// Arrivals at an mbarrier of another block of the cluster.
//
// A file of its own, because with hooks/bulk_calls.c a kernel has mbarriers.
#include "emu/hooks/bulk_calls.h"
#include "emu/hooks/place.h"
#include "emu/hooks/touch.h"
#include "emu/machine/cluster.h"
#include "emu/machine/mbarrier.h"

void emu_cluster_mbarrier_arrive(uint64_t *mbarrier, uint32_t rank);
void *emu_cluster_map(const void *address, uint32_t rank);

static void set(struct emu_machine *machine, struct mbarriers *mbarriers) {
    vault_seal(machine, MACHINE_SEALED_BYTES, false);
    machine->mbarriers = mbarriers;
    vault_seal(machine, MACHINE_SEALED_BYTES, true);
}

// The threads that wait are set aside: they try again when their block runs.
static void arrive(struct emu_machine *machine, const struct access *access,
                   struct mbarriers *there) {
    struct mbarriers *here = machine->mbarriers;
    uint32_t waiting = there->waiting;
    set(machine, there);
    there->waiting = 0;
    mbarrier_arrive(machine, mbarrier_live(machine, access), 1, access->pc);
    there->waiting = waiting;
    set(machine, here);
}

void emu_cluster_mbarrier_arrive(uint64_t *mbarrier, uint32_t rank) {
    struct emu_machine *machine = &machine_state;
    const struct cluster *cluster = machine->cluster;
    uint64_t pc = PLACE;
    if (!cluster || machine->tracing || rank == cluster->rank) {
        mbarrier_arrive(machine, bulk_mbarrier(mbarrier, pc), 1, pc);
        return;
    }
    schedule_step(machine, pc);
    struct access access =
        mbarrier_access(machine, (uint64_t)(uintptr_t)mbarrier, ACCESS_ATOMIC, pc);
    if (rank >= machine->shape.cluster_blocks) {
        machine_crash(machine, CRASH_CLUSTER_RANK, pc);
    }
    struct access there = access_copy(&access);
    there.address = cluster->window + rank * machine->memory.shared_bytes +
                    (access.address - machine->memory.shared);
    if (machine->checks) {
        race_atomic(machine->race, OPERATION_ADD, false);
    }
    (void)touch_remote(machine, &there);
    arrive(machine, &access, cluster->block[rank].mbarriers);
}
