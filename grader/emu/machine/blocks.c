// Forks the processes of a launch, waits for them, and joins what they leave in shared memory.
//
// What a kernel writes stays private to its process: a child hands over its C, its map of touched
// elements and its counts, and the parent takes them only if all shares are clean.
#include "emu/machine/blocks.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/basics.h"
#include "emu/machine/machine.h"

#define PAGE_BYTES    4096u
#define WAIT_STEP_NS  100000
#define WAIT_FACTOR   4     // wall-clock time of a share, as a multiple of its processor time …
#define WAIT_SLACK_MS 2000  // … plus this, for a busy machine
#define PATIENCE      4     // a launch that needs more than this part of its limits is not shared

// The result of a child.  The map of touched elements and C follow, each on a new page.
struct share {
    uint32_t clean;  // written last
    uint64_t steps;
    struct counts counts;
};

// The memory that the processes of a launch share: a page for given_up, then the shares.
struct spread {
    uint8_t *memory;
    uint64_t bytes;
    uint64_t share_bytes;
    uint64_t map_at;  // offset in a share
    uint64_t c_at;
    pid_t child[LAUNCH_SHARES_MAX];  // by share, from 1; 0 for none
};

static uint64_t to_page(uint64_t bytes) {
    return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

static uint64_t block_count(const struct emu_machine *machine) {
    const uint32_t *grid = machine->shape.grid;
    return (uint64_t)grid[0] * grid[1] * grid[2];
}

uint32_t blocks_processes(const struct emu_machine *machine, uint32_t processes) {
    uint64_t blocks = block_count(machine);
    uint64_t most = blocks < processes ? blocks : processes;
    // What they order goes from block to block.
    most = machine->fences || machine->clusters ? 1 : most;
    most = most < LAUNCH_SHARES_MAX ? most : LAUNCH_SHARES_MAX;
    return most > 1 ? (uint32_t)most : 1;
}

static bool spread_open(struct spread *spread, const struct emu_machine *machine,
                        uint32_t processes) {
    memset(spread, 0, sizeof *spread);
    spread->map_at = to_page(sizeof(struct share));
    spread->c_at = spread->map_at + to_page(machine->coverage.bytes);
    spread->share_bytes = spread->c_at + to_page(machine->memory.bytes[machine->output]);
    spread->bytes = PAGE_BYTES + spread->share_bytes * (processes - 1);
    void *memory = mmap(NULL, spread->bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    spread->memory = memory == MAP_FAILED ? NULL : memory;
    return spread->memory != NULL;
}

static uint8_t *share_of(const struct spread *spread, uint32_t index) {
    return spread->memory + PAGE_BYTES + spread->share_bytes * (index - 1);
}

// Runs share `index` of `processes`: consecutive whole blocks.  Returns true if it is clean.
static bool share_run(struct emu_machine *machine, uint32_t index, uint32_t processes,
                      uint64_t budget, uint64_t cpu_ms) {
    uint64_t blocks = block_count(machine);
    machine->block_first = blocks * index / processes;
    machine->block_end = blocks * (index + 1) / processes;
    // A share that exceeds its part of the budget runs again in one process, which has the whole
    // budget.
    uint64_t parts = (uint64_t)processes * PATIENCE;
    machine_run_blocks(machine, budget / parts, cpu_ms / parts);
    bool clean = machine->result.end == EMU_FINISHED && machine->result.findings.count == 0 &&
                 !machine->race->wants_more;
    if (!clean) {
        __atomic_store_n(machine->given_up, 1, __ATOMIC_RELAXED);
    }
    return clean;
}

// What a child runs after the fork; it never returns.
static _Noreturn void share_main(struct emu_machine *machine, const struct spread *spread,
                                 uint32_t index, uint32_t processes, uint64_t budget,
                                 uint64_t cpu_ms, pid_t parent) {
    uint8_t *memory = share_of(spread, index);
    struct share *share = (struct share *)(void *)memory;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) {
        _exit(1);
    }
    coverage_map_move(&machine->coverage, memory + spread->map_at);
    if (!share_run(machine, index, processes, budget, cpu_ms)) {
        _exit(1);
    }
    memcpy(memory + spread->c_at, (const void *)(uintptr_t)machine->memory.start[machine->output],
           machine->memory.bytes[machine->output]);
    share->counts = machine->result.counts;
    share->steps = machine->result.steps;
    share->clean = 1;
    _exit(0);
}

static bool children_start(struct emu_machine *machine, struct spread *spread, uint32_t processes,
                           uint64_t budget, uint64_t cpu_ms) {
    pid_t parent = getpid();
    for (uint32_t i = 1; i < processes; i++) {
        pid_t child = fork();
        if (child == 0) {
            share_main(machine, spread, i, processes, budget, cpu_ms, parent);
        }
        if (child < 0) {
            return false;
        }
        spread->child[i] = child;
    }
    return true;
}

// Waits until a child has ended, at most until the deadline.  Returns true if it exited with 0.
static bool child_wait(pid_t *child, uint64_t deadline_ms) {
    const struct timespec step = {.tv_nsec = WAIT_STEP_NS};
    while (clock_ms() < deadline_ms) {
        int status = 0;
        pid_t ended = waitpid(*child, &status, WNOHANG);
        if (ended == *child) {
            *child = 0;
            return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        }
        if (ended < 0 && errno != EINTR) {
            return false;
        }
        (void)nanosleep(&step, NULL);
    }
    return false;
}

// Reaps the children that still run.  They are asked to end, not killed, because the sandbox does
// not let a worker send signals.  A child that ignores even its own timer is left behind; it dies
// with this process.
static void children_end(struct emu_machine *machine, struct spread *spread, uint64_t deadline_ms) {
    __atomic_store_n(machine->given_up, 1, __ATOMIC_RELAXED);
    for (uint32_t i = 1; i < LAUNCH_SHARES_MAX; i++) {
        if (spread->child[i] > 0) {
            (void)child_wait(&spread->child[i], deadline_ms);
        }
    }
}

// Merges the result of a child.  Returns false if it conflicts with the results merged before.
static bool share_join(struct emu_machine *machine, const struct spread *spread, uint32_t index) {
    const uint8_t *memory = share_of(spread, index);
    const struct share *share = (const struct share *)(const void *)memory;
    const uint8_t *map = memory + spread->map_at;
    if (!share->clean || !coverage_map_add(&machine->coverage, map)) {
        return false;
    }
    // An element that differs from before the launch was written by this child.  One that was
    // written and does not differ need not be copied.
    const uint32_t *before = (const uint32_t *)(const void *)machine->before;
    const uint32_t *from = (const uint32_t *)(const void *)(memory + spread->c_at);
    uint32_t *to = (uint32_t *)(uintptr_t)machine->memory.start[machine->output];
    for (uint64_t i = 0; i < machine->memory.bytes[machine->output] / sizeof *to; i++) {
        to[i] = from[i] != before[i] ? from[i] : to[i];
    }
    counts_add(&machine->result.counts, &share->counts);
    machine->result.steps += share->steps;
    return true;
}

bool blocks_run(struct emu_machine *machine, uint32_t processes, uint64_t budget, uint64_t cpu_ms) {
    struct spread spread;
    if (!spread_open(&spread, machine, processes)) {
        return false;
    }
    machine->given_up = (uint32_t *)(void *)spread.memory;
    bool clean = children_start(machine, &spread, processes, budget, cpu_ms) &&
                 share_run(machine, 0, processes, budget, cpu_ms);
    uint64_t deadline_ms = clock_ms() + cpu_ms * WAIT_FACTOR + WAIT_SLACK_MS;
    for (uint32_t i = 1; clean && i < processes; i++) {
        clean = child_wait(&spread.child[i], deadline_ms) && share_join(machine, &spread, i);
    }
    children_end(machine, &spread, deadline_ms);
    machine->given_up = NULL;
    (void)munmap(spread.memory, spread.bytes);
    return clean;
}
