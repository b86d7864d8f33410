// Accesses of the shared memory of another block of the cluster.  They are counted as if it were
// the block's own.
#include "emu/hooks/touch.h"
#include "emu/machine/cluster.h"

void touch_there(struct emu_machine *machine, struct access *access, uint32_t rank) {
    struct cluster *cluster = machine->cluster;
    const struct cluster_block *target = &cluster->block[rank];
    struct race_shadow *shadow = &machine->race->shadow[SPACE_SHARED];
    access->site = sites_come(machine->sites, access->pc, machine->known.phase);
    if (target->state == BLOCK_ENDED) {
        struct remote_end end = cluster_end_of(machine, rank);
        remote_too_late(cluster->remote, &machine->place, access, &end);
        return;
    }
    if (machine->hands_on &&
        (bulk_access(target->parts.bulk, machine->race->follow, access) ||
         (machine->wgmma && wgmma_access(target->parts.wgmma, machine->race->follow, access)))) {
        return;
    }
    if (machine->hands_on && access->kind == ACCESS_WRITE) {
        mbarrier_store(machine, target->parts.mbarriers, access);
    }
    if (cluster->phase > 0) {
        target->parts.uninit->place = machine->place;
        (void)uninit_access(target->parts.uninit, access);
    }
    race_shadow_view(shadow, rank);
    race_access(machine->race, access);
    race_shadow_view(shadow, cluster->rank);
    remote_access(cluster->remote, cluster->rank, rank, &machine->place, access,
                  machine->race->epoch, cluster->phase == 0);
}

bool touch_remote(struct emu_machine *machine, const struct access *there) {
    const struct cluster *cluster = machine->cluster;
    uint64_t stride = machine->memory.shared_bytes;
    uint64_t at = there->address - cluster->window;
    if (at >= machine->shape.cluster_blocks * stride) {
        return false;
    }
    uint32_t rank = (uint32_t)(at / stride);
    if (rank == cluster->rank) {
        machine_crash(machine, CRASH_CLUSTER_POINTER, there->pc);
    }
    struct access access = access_copy(there);
    access.space = SPACE_SHARED;
    access.address = machine->memory.shared + at % stride;
    (void)memory_find_shared(&machine->memory, &access);
    access.address = there->address;
    access.in_bounds = memory_inside(&access);
    if (bounds_access(&machine->result.findings, &machine->shape, &machine->place, &access) ||
        align_access(&machine->result.findings, &machine->shape, &machine->place, &access)) {
        machine_stop(machine);
    }
    if (machine->counts) {
        access.site = sites_number(machine->count_sites, instruction_of(machine, access.pc));
        if (count_access(machine->count, &access)) {
            schedule_away(machine);
        }
    }
    if (machine->checks) {
        touch_there(machine, &access, rank);
    }
    return true;
}
