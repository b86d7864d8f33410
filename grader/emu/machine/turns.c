// A block that leaves is set aside, and its shared memory goes into the window of its cluster.
#include "emu/machine/turns.h"

#include <stdlib.h>
#include <string.h>

#include "emu/machine/aside.h"
#include "emu/machine/cluster.h"
#include "emu/machine/mbarrier.h"
#include "emu/machine/schedule.h"

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
        machine->place = block->place;
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
        abort();  // there is no memory: as in clock.c
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

// Lets each block run until it ends or waits.  Returns how many have not ended.
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

// True if the bytes that this block lacks may be those of another one: that waits for arrivals, and
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

// No thread of the cluster can run.  A block says why: if there is one, one that waits for a phase
// of an mbarrier, as the barrier of the cluster may lack its threads, and best one that no other
// block keeps waiting; else one that waits there.
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
            mbarriers_block_begin(block->parts.mbarriers);
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
    machine->others = count > 1;
    machine->crowded = false;
    for (uint64_t begun = 0; begun < clusters; begun++) {
        cluster_begin(machine, number);
        machine->pauses = (struct pauses){.number = begun};
        machine->moved = true;
        for (uint32_t left = count; left > 0;) {
            if (!machine->moved) {
                stuck_run(machine);
            }
            machine->moved = false;
            left = round_run(machine, ranks);
        }
        if (machine->checks) {
            remote_cluster_end(machine->cluster->remote);
        }
        number = turn_next(turn, clusters, number);
    }
}
