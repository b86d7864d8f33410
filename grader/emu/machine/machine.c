// The CPU device: opens it, sets up a launch and runs it; sends each finding as soon as it is kept,
// from the running thread. launches.c runs the launches of a product.
#include "emu/wire/finding.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "emu/check/address_checks.h"
#include "emu/check/uninit.h"
#include "emu/machine/cluster.h"
#include "emu/machine/machine_state.h"
#include "emu/machine/observers.h"
#include "emu/machine/saved_blocks.h"
#include "emu/machine/schedule.h"
#include "emu/machine/stop.h"

static bool is_of_one(const struct finding *finding) {
    return finding->kind != FINDING_RACE && finding->kind != FINDING_BARRIER_DIVERGENCE &&
           finding->kind != FINDING_EXITED_BEFORE_BARRIER;
}

// The first function that the kernel called, if the finding is of the running thread.
static void call_add(const struct emu_machine *machine, struct finding *finding) {
    const struct thread *thread = &machine->thread[machine->current];
    if (is_of_one(finding) && thread->depth > 1 && thread->depth <= CALLERS_MAX &&
        memcmp(thread->index, finding->thread, sizeof thread->index) == 0) {
        finding->call_pc = thread->caller[1];
    }
}

// The values noted last by the finding's thread, or by the thread that is not at the barrier.
static void values_add(const struct emu_machine *machine, struct finding *finding) {
    const uint32_t *block = machine->shape.block;
    const uint32_t *index =
        finding->kind == FINDING_BARRIER_DIVERGENCE ? finding->other_thread : finding->thread;
    uint32_t thread = (index[2] * block[1] + index[1]) * block[0] + index[0];
    if (finding->kind == FINDING_RACE || finding->kind == FINDING_EXITED_BEFORE_BARRIER ||
        thread >= THREADS_MAX) {
        return;
    }
    const struct noted *noted = &machine->noted[thread];
    if (noted->count > 0 && memcmp(noted->block, finding->block, sizeof noted->block) == 0) {
        finding->value_count = noted->count;
        memcpy(finding->value, noted->value, sizeof finding->value);
    }
}

void findings_kept(struct finding *finding) {
    const struct emu_machine *machine = &machine_state;
    struct announcement message;
    ssize_t sent = -1;
    if (machine->grid.exists && finding->detail == RACE_TOO_EARLY &&
        finding->kind == FINDING_RACE) {
        finding->detail = RACE_UNORDERED;  // what was waited for is a barrier of the grid
    }
    call_add(machine, finding);
    values_add(machine, finding);
    if (machine->is_program) {
        host_array_describe(finding);
    }
    if (machine->channel_fd == 0) {
        return;
    }
    memset(&message, 0, sizeof message);
    message.magic = ANNOUNCEMENT_MAGIC;
    message.run = machine->configuring ? ANNOUNCED_IN_CONFIG
                  : machine->given_up  ? ANNOUNCED_IN_SHARE
                                       : ANNOUNCED_ALONE;
    message.nonce = machine->nonce;
    message.finding = *finding;
    message.finding.count = finding->count ? finding->count : 1;
    do {
        sent = send(machine->channel_fd, &message, sizeof message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    if (sent != (ssize_t)sizeof message) {
        _exit(1);  // a finding that cannot be announced must not be lost: no answer is sent
    }
}

void emu_announce(struct emu_machine *machine, int channel_fd, uint64_t nonce) {
    machine->channel_fd = channel_fd;
    machine->nonce = nonce;
}

#define NO_BUDGET (1ull << 62)

// Global, because a kernel reads its indices by name.
// Where a kernel may read them: see memory_find_elsewhere.
#define READABLE __attribute__((section("emu_readable")))
READABLE struct machine_index emu_thread_index, emu_block_index, emu_block_extent, emu_grid_extent;

enum status emu_open(const struct shared_array_table *shared, struct emu_machine **ret_machine,
                     struct error *err) {
    struct emu_machine *machine = &machine_state;
    enum status status = vault_new_at(machine, sizeof *machine, err);
    if (status) {
        return status;
    }
    status = memory_open(shared, &machine->memory, err);
    status = status ? status : fiber_stacks_open(&machine->stacks, err);
    status = status ? status : sites_new(&machine->sites, err);
    status = status ? status : sites_new(&machine->count_sites, err);
    status = status ? status : observers_need(machine, &machine->own, 0, err);
    status = status || !emu_cluster_rank ? status : clusters_new(machine, err);
    status = status ? status : crash_install(err);
    if (status) {
        emu_close(machine);
        return status;
    }
    machine->fences = emu_fence != NULL;
    machine->hands_on = emu_mbarrier_init != NULL;
    machine->race->sites = machine->sites;
    machine->workspace.sees_memory = true;
    machine->waiting.set[0] = machine->own;
    machine->waiting.used = 1;
    *ret_machine = machine;
    return STATUS_OK;
}

void emu_close(struct emu_machine *machine) {
    if (!machine) {
        return;
    }
    fiber_stacks_close(&machine->stacks);
    memory_close(&machine->memory);
    vaults_free();
}

enum status machine_set_up(struct emu_machine *machine, const uint64_t bytes[GLOBAL_ARRAY_COUNT],
                           struct error *err) {
    enum status status = memory_global(&machine->memory, bytes, err);
    if (!status) {
        status = coverage_map_begin(&machine->coverage, bytes, err);
    }
    if (!status) {
        status = workspace_begin(&machine->workspace, bytes[ARRAY_WORKSPACE], err);
    }
    if (status) {
        return status;
    }
    machine->printed_bytes = 0;
    sites_clear(machine->sites);
    sites_clear(machine->count_sites);
    memset(&machine->result.counts, 0, sizeof machine->result.counts);
    machine->result.steps = 0;
    memset(&machine->result.coverage, 0, sizeof machine->result.coverage);
    machine->result.trace.phases = 0;
    findings_clear(&machine->result.findings);
    return STATUS_OK;
}

static enum status known_begin(struct emu_machine *machine, struct error *err) {
    known_off(&machine->known);
    return machine->checks && !machine->counts && !machine->race->more  // else all accesses must be
                                                                        // seen
               ? known_launch_begin(&machine->known, machine->memory.shared_bytes,
                                    machine->asked.part_blocks > 0 || machine->variables > 0
                                        ? 0
                                        : machine->memory.arena_bytes,
                                    err)
               : STATUS_OK;
}

enum status machine_launch(struct emu_machine *machine, const struct plan_launch *launch,
                           struct error *err) {
    struct launch_shape *shape = &machine->shape;
    memory_launch(&machine->memory, launch->shared_bytes);
    memset(shape, 0, sizeof *shape);
    for (int i = 0; i < 3; i++) {
        shape->grid[i] = launch->grid[i];
        shape->block[i] = launch->block[i];
    }
    shape->thread_count = launch->block[0] * launch->block[1] * launch->block[2];
    machine->cluster = machine->configuring || machine->grid.exists ? NULL : machine->clusters;
    if (machine->cluster) {
        emu_cluster_shape(launch->address, shape->cluster);
        shape->cluster_blocks = shape->cluster[0] * shape->cluster[1] * shape->cluster[2];
    }
    shape->shared_bytes = launch->shared_bytes;
    shape->shared = &machine->memory.table;
    shape->alignment = emu_alignment;
    shape->inputs = machine->memory.inputs;
    shape->dependent = launch->dependent != 0;
    shape->follow = machine->race->follow;
    shape->array_count = machine->memory.array_count;
    memcpy(shape->global_bytes, machine->memory.bytes,
           shape->array_count * sizeof *shape->global_bytes);
    workspace_launch_begin(&machine->workspace);
    machine->kernel_address = launch->address;
    machine->sample = machine->asked.samples ? sample_of(machine->asked.sample_draw, launch->grid)
                                             : (struct sample){.count = 0};
    machine->part =
        machine->asked.part_blocks > 0
            ? part_of(machine->asked.sample_draw, launch->grid, machine->asked.part_blocks)
            : (struct sample){.count = 0};
    machine->block_first = 0;
    machine->block_end = (uint64_t)shape->grid[0] * shape->grid[1] * shape->grid[2];
    machine->current = 0;
    machine->local_bytes = machine->own.wgmma && machine->checks ? 0 : FIBER_STACK_BYTES;
    enum status status = fiber_stacks_need(&machine->stacks, shape->thread_count, err);
    status = status ? status : known_begin(machine, err);
    status = status ? status : observers_launch_begin(machine, &machine->own, err);
    return status || !machine->cluster ? status : cluster_launch_begin(machine, err);
}

static void launch_end(struct emu_machine *machine) {
    if (machine->cluster) {
        cluster_launch_end(machine);
    }
    if (machine->checks) {
        race_launch_end(machine->race);
    }
    if (machine->counts) {
        const struct counts earlier = machine->result.counts;
        count_launch_end(machine->count, &machine->result.counts);
        counts_add(&machine->result.counts, &earlier);
    }
}

void machine_run_blocks(struct emu_machine *machine, uint64_t budget, uint64_t cpu_ms) {
    machine->budget = budget ? budget : NO_BUDGET;
    crash_timer_start(cpu_ms);
    if (sigsetjmp(machine->stop, 1) == 0) {
        vault_seal(machine, MACHINE_SEALED_BYTES, true);
        if (machine->cluster && !machine->tracing) {
            cluster_run(machine);
        } else {
            schedule_launch(machine);
        }
        machine->result.end = EMU_FINISHED;
    } else {
        machine->result.end = EMU_STOPPED;
    }
    crash_timer_stop();
    vault_seal(machine, MACHINE_SEALED_BYTES, false);
    machine->in_kernel = false;
    machine->result.steps += schedule_steps(machine);
    blocks_forget(machine);
    launch_end(machine);
    if (!vaults_intact()) {
        _exit(1);  // no answer: the kernel has overwritten our memory
    }
}
