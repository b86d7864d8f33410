// Runs a submission's LAUNCH_CONFIG, as a kernel of one thread; and the launches of one product,
// one after the other, in this process.  If there is only one launch, several processes share it;
// if that run is not clean, it is repeated here.
//
// A shared run counts only if it is perfectly clean: every share ended by itself, there is no
// finding of any severity, nothing depended on the order of blocks (printing, reading the clock),
// and no process touched an element of A, B or C that another one wrote.  Then no block can have
// observed another, and the order in which they ran does not matter.  Otherwise nothing of the run
// is kept, and the launch runs again in one process, which then gives all findings and counts.  See
// decisions/0006-blocks-over-processes.md.
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/basics.h"
#include "base/text.h"
#include "emu/machine/machine_state.h"
#include "emu/machine/mbarrier.h"
#include "emu/machine/tracing.h"

struct emu_machine;

#define PAGE_BYTES    4096u
#define WAIT_STEP_NS  100000
#define WAIT_FACTOR   4     // wall-clock time of a share, as a multiple of its processor time …
#define WAIT_SLACK_MS 2000  // … plus this, for a busy machine
#define PATIENCE      4     // a launch that needs more than this part of its limits is not shared

// The result of a child process.  The map of touched elements and C follow, each on a new page.
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
    uint32_t processes;  // this one too
    uint64_t budget;     // of the launch
    uint64_t cpu_ms;
    pid_t child[LAUNCH_SHARES_MAX];  // by share, from 1; 0 for none
};

static uint64_t to_page(uint64_t bytes) {
    return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

static uint64_t block_count(const struct emu_machine *machine) {
    const uint32_t *grid = machine->shape.grid;
    return (uint64_t)grid[0] * grid[1] * grid[2];
}

// The number of `processes` that have a block to run; at least 1.
static uint32_t blocks_processes(const struct emu_machine *machine, uint32_t processes) {
    uint64_t blocks = block_count(machine);
    uint64_t most = blocks < processes ? blocks : processes;
    // The order that they create goes from block to block.
    most = machine->fences || machine->clusters ? 1 : most;
    most = most < LAUNCH_SHARES_MAX ? most : LAUNCH_SHARES_MAX;
    return most > 1 ? (uint32_t)most : 1;
}

static bool spread_open(struct spread *spread, const struct emu_machine *machine) {
    spread->map_at = to_page(sizeof(struct share));
    spread->c_at = spread->map_at + to_page(machine->coverage.bytes);
    spread->share_bytes = spread->c_at + to_page(machine->memory.bytes[machine->output]);
    spread->bytes = PAGE_BYTES + spread->share_bytes * (spread->processes - 1);
    void *memory = mmap(NULL, spread->bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    spread->memory = memory == MAP_FAILED ? NULL : memory;
    return spread->memory != NULL;
}

static uint8_t *share_of(const struct spread *spread, uint32_t index) {
    return spread->memory + PAGE_BYTES + spread->share_bytes * (index - 1);
}

// Runs share number `index`, which is consecutive whole blocks.  Returns true if it is clean.
static bool share_run(struct emu_machine *machine, const struct spread *spread, uint32_t index) {
    uint64_t blocks = block_count(machine);
    machine->block_first = blocks * index / spread->processes;
    machine->block_end = blocks * (index + 1) / spread->processes;
    // A share that exceeds its part of the budget runs again in one process, which has the whole
    // budget.
    uint64_t parts = (uint64_t)spread->processes * PATIENCE;
    machine_run_blocks(machine, spread->budget / parts, spread->cpu_ms / parts);
    bool clean = machine->result.end == EMU_FINISHED && machine->result.findings.count == 0 &&
                 !machine->race->wants_more;
    if (!clean) {
        __atomic_store_n(machine->given_up, 1, __ATOMIC_RELAXED);
    }
    return clean;
}

// The code that a child runs after the fork; it never returns.
static _Noreturn void share_main(struct emu_machine *machine, const struct spread *spread,
                                 uint32_t index, pid_t parent) {
    uint8_t *memory = share_of(spread, index);
    struct share *share = (struct share *)(void *)memory;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) {
        _exit(1);
    }
    coverage_map_move(&machine->coverage, memory + spread->map_at);
    if (!share_run(machine, spread, index)) {
        _exit(1);
    }
    memcpy(memory + spread->c_at, (const void *)(uintptr_t)machine->memory.start[machine->output],
           machine->memory.bytes[machine->output]);
    share->counts = machine->result.counts;
    share->steps = machine->result.steps;
    share->clean = 1;
    _exit(0);
}

static bool children_start(struct emu_machine *machine, struct spread *spread) {
    pid_t parent = getpid();
    for (uint32_t i = 1; i < spread->processes; i++) {
        pid_t child = fork();
        if (child == 0) {
            share_main(machine, spread, i, parent);
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
    // An element that differs from before the launch was written by this child.  An element that
    // was written but does not differ need not be copied.
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

// Runs the launch, which is set up with its observers begun, in `processes` processes including
// this one.
//
// Returns  true if the run is clean: memory, counts and coverage are those of the whole launch.
//          False if it is not, or if the system cannot start a process: set the launch up again.
static bool blocks_run(struct emu_machine *machine, uint32_t processes, uint64_t budget,
                       uint64_t cpu_ms) {
    struct spread spread = {.processes = processes, .budget = budget, .cpu_ms = cpu_ms};
    if (!spread_open(&spread, machine)) {
        return false;
    }
    machine->given_up = (uint32_t *)(void *)spread.memory;
    bool clean = children_start(machine, &spread) && share_run(machine, &spread, 0);
    uint64_t deadline_ms = clock_ms() + cpu_ms * WAIT_FACTOR + WAIT_SLACK_MS;
    for (uint32_t i = 1; clean && i < processes; i++) {
        clean = child_wait(&spread.child[i], deadline_ms) && share_join(machine, &spread, i);
    }
    children_end(machine, &spread, deadline_ms);
    machine->given_up = NULL;
    (void)munmap(spread.memory, spread.bytes);
    return clean;
}

#define CONFIG_BUDGET 1000000u  // accesses that a LAUNCH_CONFIG may make
#define CONFIG_CPU_MS 100u      // plus some samples of a loop without accesses (stop.c)

// The kernels whose address the file takes, as LAUNCH does, listed by device/assembly/rewrite.c.
struct listed_kernel {
    uint64_t address;
    const char *symbol;
};
extern const struct listed_kernel __start_emu_kernels[] __attribute__((weak));
extern const struct listed_kernel __stop_emu_kernels[] __attribute__((weak));

// The kernels that have __cluster_dims__, listed by device/assembly/rewrite.c.
struct listed_cluster {
    uint64_t address;
    uint64_t shape[3];  // blocks; 0 x 0 x 0: too many
};
extern const struct listed_cluster __start_emu_clusters[] __attribute__((weak));
extern const struct listed_cluster __stop_emu_clusters[] __attribute__((weak));

// While LAUNCH_CONFIG runs, the launch configuration takes the place of C, as an array of one
// element.  Findings must not call it C.
static void config_findings(struct emu_result *result) {
    for (uint32_t i = 0; i < result->findings.count; i++) {
        struct finding *finding = &result->findings.list[i];
        if (finding->kind == FINDING_OUT_OF_BOUNDS && finding->space == SPACE_GLOBAL) {
            int64_t bytes = sizeof(struct launch_config);
            int64_t before = finding->offset < 0 ? bytes - 1 : 0;  // division rounds towards 0
            finding->offset = (finding->offset - before) / bytes;
            finding->array_bytes = 1;
            finding->detail = OUTSIDE_ROW;
            finding->space = SPACE_NONE;
            finding->array = ARRAY_NONE;
        }
    }
    if (result->findings.count > 0) {
        result->end = EMU_STOPPED;
    }
}

#if defined(__x86_64__)
// True for "name", "_Z4namePKfS0_Pfiii" and, if it is static, "_ZL4namePKfS0_Pfiii"; LAUNCH has
// checked the parameters.
static bool symbol_has_name(const char *symbol, const char *name) {
    char mangled[KERNEL_NAME_MAX + 16];
    (void)snprintf(mangled, sizeof mangled, "%zu%s", strlen(name), name);
    bool is_mangled = strncmp(symbol, "_Z", 2) == 0;
    const char *rest = symbol + (is_mangled ? 2 + (symbol[2] == 'L') : 0);
    return strcmp(symbol, name) == 0 || (is_mangled && text_starts(rest, mangled));
}
#endif

bool emu_may_launch(uint64_t address, const char *name) {
#if defined(__x86_64__)
    for (const struct listed_kernel *kernel = __start_emu_kernels; kernel != __stop_emu_kernels;
         kernel++) {
        if (kernel->address == address) {
            return symbol_has_name(kernel->symbol, name);
        }
    }
    return address == 0 && name[0] == '\0';
#else
    return address != 0 || name[0] == '\0';
#endif
}

bool emu_is_own_kernel(uint64_t address) {
    return address == 0 || address == (uint64_t)(uintptr_t)emu_kernel;
}

bool emu_cluster_shape(uint64_t address, uint32_t ret_shape[3]) {
    uint64_t wanted = address == 0 ? (uint64_t)(uintptr_t)emu_kernel : address;
    ret_shape[0] = ret_shape[1] = ret_shape[2] = 1;
    for (const struct listed_cluster *listed = __start_emu_clusters; listed != __stop_emu_clusters;
         listed++) {
        for (int i = 0; listed->address == wanted && i < 3; i++) {
            ret_shape[i] = (uint32_t)listed->shape[i];
        }
    }
    return ret_shape[0] > 0;
}

enum status emu_configure(struct emu_machine *machine, struct size size,
                          struct launch_config *ret_config, struct emu_result *ret_result,
                          struct error *err) {
    const struct plan_launch one = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    const uint64_t bytes[GLOBAL_ARRAY_COUNT] = {[ARRAY_C] = sizeof(struct launch_config)};
    enum status status = machine_set_up(machine, bytes, err);
    if (status) {
        return status;
    }
    const struct launch_config start = LAUNCH_CONFIG_START;
    memcpy((void *)(uintptr_t)machine->memory.start[ARRAY_C], &start, sizeof start);
    machine->checks = false;
    machine->asked.samples = false;
    machine->asked.junk = false;
    machine->asked.olds = false;
    machine->counts = false;
    machine->configuring = true;
    machine->order = ORDER_FORWARD;
    machine->memory.inputs = machine->memory.unwatched = 0;
    machine->size = size;
    status = machine_launch(machine, &one, err);
    if (status) {
        return status;
    }
    machine_run_blocks(machine, CONFIG_BUDGET, CONFIG_CPU_MS);
    config_findings(&machine->result);
    memcpy(ret_config, (const void *)(uintptr_t)machine->memory.start[ARRAY_C], sizeof *ret_config);
    *ret_result = machine->result;
    return STATUS_OK;
}

static bool is_array(const struct emu_request *request, uint32_t i) {
    return i < request->arguments->count && request->arguments->list[i].kind == ARGUMENT_ARRAY;
}

// The arguments of the kernel, and the arrays that it may only read.
static void call_make(struct emu_machine *machine, const struct emu_request *request) {
    struct call call = {.integer = {0}};
    uint32_t integers = 0;
    uint32_t reals = 0;
    machine->memory.inputs = 0;
    for (uint32_t i = 0; i < request->arguments->count; i++) {
        const struct argument *argument = &request->arguments->list[i];
        if (argument->kind == ARGUMENT_REAL) {
            memcpy(&call.real[reals++], &argument->value, sizeof argument->value);
        } else if (argument->kind != ARGUMENT_CONSTANT) {
            call.integer[integers++] =
                is_array(request, i) ? machine->memory.start[i] : argument->value;
        }
        if (is_array(request, i) && argument->is_input) {
            machine->memory.inputs |= 1u << i;
        }
    }
    if (request->plan.workspace_bytes > 0) {
        call.integer[integers] = machine->memory.start[ARRAY_WORKSPACE];
    }
    call.integer[integers + 1] = (uint64_t)(uintptr_t)machine->tensor;
    machine->call = call;
}

// The plan's tensor maps, of the arrays of this product.
static void tensors_make(struct emu_machine *machine, const struct launch_plan *plan) {
    for (uint32_t i = 0; i < PLAN_TENSORS_MAX; i++) {
        const struct plan_tensor *layout = &plan->tensor[i];
        uint32_t array =
            layout->parameter == TENSOR_WORKSPACE ? ARRAY_WORKSPACE : layout->parameter;
        uint64_t start = layout->rank > 0 ? machine->memory.start[array] + layout->offset : 0;
        machine->tensor[i] = (struct machine_tensor){.layout = *layout, .start = start};
    }
}

// Whether launches of the product may run at the same time; this is watched only with all checks.
static enum status overlap_make(struct emu_machine *machine, const struct emu_request *request,
                                struct error *err) {
    bool dependent = false;
    machine->overlap = NULL;
    for (uint32_t i = 0; i < request->plan.count; i++) {
        dependent = dependent || request->plan.launch[i].dependent;
    }
    if (!dependent || !(request->observe & EMU_CHECK)) {
        return STATUS_OK;
    }
    enum status status = overlap_begin(&machine->overlap_memory, machine->memory.arena,
                                       machine->memory.arena_bytes, err);
    machine->overlap = status ? NULL : machine->overlap_memory;
    return status;
}

static enum status arrays_map(struct emu_machine *machine, const struct emu_request *request,
                              struct error *err) {
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < request->arguments->count && !status; i++) {
        const struct argument *argument = &request->arguments->list[i];
        const struct memory_file file = {request->arrays_fd, argument->at, argument->period};
        status = is_array(request, i) ? memory_map(&machine->memory, i, &file, err) : STATUS_OK;
    }
    return status;
}

// Prepares a product, up to its first launch.
static enum status product_begin(struct emu_machine *machine, const struct emu_request *request,
                                 struct error *err) {
    uint64_t bytes[GLOBAL_ARRAY_COUNT] = {[ARRAY_WORKSPACE] = request->plan.workspace_bytes};
    for (uint32_t i = 0; i < ARGUMENTS_MAX; i++) {
        bytes[i] = arguments_global_bytes(request->arguments, i);
    }
    enum status status = machine_set_up(machine, bytes, err);
    if (status) {
        return status;
    }
    for (uint32_t i = 0; i < request->arguments->count; i++) {
        const struct argument *argument = &request->arguments->list[i];
        bool unused = argument->kind == ARGUMENT_CONSTANT && argument->value == 0;
        uint64_t to =
            argument->kind == ARGUMENT_CONSTANT ? argument->value : machine->memory.start[i];
        if (request->array[i] && !unused) {
            memcpy((void *)(uintptr_t)to, request->array[i], argument->bytes);
        }
    }
    if (request->observe & EMU_PART) {
        status = arrays_map(machine, request, err);
    }
    if (status) {
        return status;
    }
    machine->memory.zeros = request->observe & EMU_ZEROS;
    if (bytes[ARRAY_WORKSPACE] > 0) {
        memset((void *)(uintptr_t)machine->memory.start[ARRAY_WORKSPACE],
               memory_fresh(&machine->memory), bytes[ARRAY_WORKSPACE]);
    }
    call_make(machine, request);
    machine->memory.unwatched =
        request->observe & (EMU_PART | EMU_INPUTS) ? machine->memory.inputs : 0;
    tensors_make(machine, &request->plan);
    machine->checks = request->observe & (EMU_CHECK | EMU_SAMPLE);
    machine->asked.maps = request->observe & EMU_CHECK;
    // The order from fences is known only if all of them are followed.
    machine->asked.samples =
        (request->observe & EMU_SAMPLE) && !machine->fences && !machine->clusters;
    machine->asked.sample_draw = request->sample_draw;
    machine->asked.part_blocks = request->observe & EMU_PART ? request->part_blocks : 0;
    machine->asked.junk = request->observe & EMU_JUNK;
    machine->asked.lanes = request->observe & EMU_LANES;
    machine->asked.olds = request->observe & EMU_OLDS;
    machine->counts = request->observe & EMU_COUNT;
    machine->configuring = false;
    machine->order = request->order;
    machine->race->wants_more = false;
    machine->race->unordered = request->order != ORDER_FORWARD;
    machine->race->lane_arrived = machine->hands_on ? mbarrier_lane_arrived : NULL;
    machine->race->asked = machine;
    // The usual order, which runs before any drawn one, shows whether blocks hand anything over.
    machine->hands_over = machine->hands_over && request->order != ORDER_FORWARD;
    machine->takes_turns =
        machine->hands_over && machine->asked.maps && order_is_drawn(request->order);
    status = overlap_make(machine, request, err);
    machine->follows = machine->fences || machine->hands_on || machine->clusters ||
                       machine->takes_turns || machine->overlap;
    return status ? status : race_follow(machine->race, machine->follows, err);
}

// Several processes can share a launch that writes one array: the words of the array then show what
// each process has written.
static bool may_spread(struct emu_machine *machine, const struct emu_request *request) {
    uint32_t outputs = 0;
    for (uint32_t i = 0; i < request->arguments->count; i++) {
        if (is_array(request, i) && !request->arguments->list[i].is_input) {
            outputs++;
            machine->output = i;
            machine->before = request->array[i];
        }
    }
    return outputs == 1 && request->arguments->list[machine->output].bytes % 4 == 0;
}

// Runs the only launch of a product without a workspace in several processes.  If *ret_clean is
// false, the product must start again.
static enum status spread_run(struct emu_machine *machine, const struct emu_request *request,
                              bool *ret_clean, struct error *err) {
    *ret_clean = false;
    if (request->plan.count > 1 || request->plan.workspace_bytes > 0 || request->processes <= 1 ||
        !may_spread(machine, request)) {
        return STATUS_OK;  // a later launch needs all results of the earlier ones, in one process
    }
    enum status status = product_begin(machine, request, err);
    if (!status) {
        status = machine_launch(machine, &request->plan.launch[0], err);
    }
    if (status) {
        return status;
    }
    uint32_t processes = blocks_processes(machine, request->processes);
    if (processes > 1) {
        *ret_clean = blocks_run(machine, processes, request->access_budget, request->cpu_ms_max);
    }
    machine->result.processes = *ret_clean ? processes : 1;
    return STATUS_OK;
}

static enum status plan_run(struct emu_machine *machine, const struct emu_request *request,
                            struct error *err) {
    uint64_t budget = request->access_budget;
    enum status status = product_begin(machine, request, err);
    machine->result.end = EMU_FINISHED;
    machine->result.processes = 1;
    for (uint32_t i = 0; i < request->plan.count && !status; i++) {
        status = machine_launch(machine, &request->plan.launch[i], err);
        if (status || machine->result.end != EMU_FINISHED) {
            break;
        }
        machine_run_blocks(machine, budget, request->cpu_ms_max);
        if (machine->result.end != EMU_FINISHED) {
            break;
        }
        budget = request->access_budget == 0 ? 0 : machine->budget > 0 ? machine->budget : 1;
    }
    return status;
}

// Runs a product once more, and keeps all accesses to each word, because lanes have met in parts of
// a warp.
static enum status run_with_more(struct emu_machine *machine, const struct emu_request *request,
                                 struct error *err) {
    enum status status = race_keep_all(machine->race, err);
    machine->printed_before = machine->printed_bytes;
    if (!status) {
        status = plan_run(machine, request, err);
    }
    machine->printed_before = 0;
    return status;
}

// Runs the first launches of the plan. *ret_busiest is the launch with the most steps.
static enum status first_run(struct emu_machine *machine, const struct emu_request *request,
                             uint32_t count, uint32_t *ret_busiest, struct error *err) {
    uint64_t most = 0;
    enum status status = product_begin(machine, request, err);
    machine->result.end = EMU_FINISHED;
    for (uint32_t i = 0; i < count && !status && machine->result.end == EMU_FINISHED; i++) {
        uint64_t before = machine->result.steps;
        status = machine_launch(machine, &request->plan.launch[i], err);
        if (!status) {
            machine_run_blocks(machine, request->access_budget, request->cpu_ms_max);
        }
        if (machine->result.steps - before > most) {
            most = machine->result.steps - before;
            *ret_busiest = i;
        }
    }
    return status;
}

// Runs one block for its trace, from the launch that does most work.  The results are not complete
// afterwards.
static enum status run_traced(struct emu_machine *machine, const struct emu_request *request,
                              struct emu_result *ret_result, struct error *err) {
    uint32_t traced = 0;
    uint32_t unused = 0;
    enum status status = STATUS_OK;
    if (request->plan.count > 1) {
        status = first_run(machine, request, request->plan.count, &traced, err);
    }
    if (!status) {
        status = first_run(machine, request, traced, &unused, err);
    }
    if (!status) {
        status = machine_launch(machine, &request->plan.launch[traced], err);
    }
    if (!status) {
        status = tracing_begin(machine, request->observe, err);
    }
    if (status) {
        return status;
    }
    machine_run_blocks(machine, request->access_budget, request->cpu_ms_max);
    status = tracing_end(machine, &machine->result.trace, err);
    if (!status) {
        machine->result.processes = 1;
        machine->result.traced = traced;
        *ret_result = machine->result;
    }
    return status;
}

// Runs a part of the blocks of a product that one launch makes, if no block needs another: there
// are no fences, no clusters, and no atomic operations on outputs.
static enum status part_run(struct emu_machine *machine, const struct emu_request *request,
                            struct emu_result *ret_result, struct error *err) {
    const struct launch_plan *plan = &request->plan;
    enum status status = STATUS_OK;
    machine->result.end = EMU_FINISHED;
    machine->result.is_apart =
        plan->count == 1 && plan->workspace_bytes == 0 && !machine->fences && !machine->clusters;
    if (machine->result.is_apart) {
        status = plan_run(machine, request, err);
        machine->result.is_apart = !machine->hands_over && machine->asks.count == 0;
        memory_close(&machine->memory);
    }
    *ret_result = machine->result;
    return status;
}

enum status emu_run(struct emu_machine *machine, const struct emu_request *request,
                    struct emu_result *ret_result, struct error *err) {
    bool clean = false;
    if (request->observe & EMU_PART) {
        return part_run(machine, request, ret_result, err);
    }
    if (request->observe & EMU_TRACE) {
        return run_traced(machine, request, ret_result, err);
    }
    enum status status = spread_run(machine, request, &clean, err);
    if (!status && !clean) {
        status = plan_run(machine, request, err);
    }
    if (!status && machine->race->wants_more) {
        status = run_with_more(machine, request, err);
    }
    if (status) {
        return status;
    }
    machine->result.hands_over = machine->hands_over;
    if ((request->observe & EMU_CHECK) && !machine->memory.unwatched &&
        machine->result.end == EMU_FINISHED) {
        coverage_map_sum(&machine->coverage, request->arguments->extent, &machine->result.coverage);
    }
    for (uint32_t i = 0; i < request->arguments->count; i++) {
        if (is_array(request, i)) {
            memcpy(request->array[i], (const void *)(uintptr_t)machine->memory.start[i],
                   machine->memory.bytes[i]);
        }
    }
    *ret_result = machine->result;
    return STATUS_OK;
}
