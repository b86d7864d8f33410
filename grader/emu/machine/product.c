// Runs the launches of one product one after the other, in this process.  If there is only one
// launch, several processes share it; if that run is not clean, it is repeated here.
#include <string.h>

#include "emu/machine/blocks.h"
#include "emu/machine/machine.h"
#include "emu/machine/tracing.h"
#include "emu/machine/mbarrier.h"

static bool is_array(const struct emu_request *request, uint32_t i) {
    return i < request->arguments->count && request->arguments->list[i].kind == ARGUMENT_ARRAY;
}

// What the kernel is called with, and which arrays it may only read.
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

// Whether launches of the product may run at the same time, which is watched with all checks.
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
    machine->memory.zeros = request->observe & EMU_ZEROS;
    if (bytes[ARRAY_WORKSPACE] > 0) {
        memset((void *)(uintptr_t)machine->memory.start[ARRAY_WORKSPACE],
               memory_fresh(&machine->memory), bytes[ARRAY_WORKSPACE]);
    }
    call_make(machine, request);
    tensors_make(machine, &request->plan);
    machine->checks = request->observe & (EMU_CHECK | EMU_SAMPLE);
    machine->maps = request->observe & EMU_CHECK;
    // Fences order accesses only if all are followed.
    machine->samples = (request->observe & EMU_SAMPLE) && !machine->fences && !machine->clusters;
    machine->sample_draw = request->sample_draw;
    machine->junk = request->observe & EMU_JUNK;
    machine->lanes = request->observe & EMU_LANES;
    machine->olds = request->observe & EMU_OLDS;
    machine->counts = request->observe & EMU_COUNT;
    machine->configuring = false;
    machine->order = request->order;
    machine->race->wants_more = false;
    machine->race->lane_arrived = machine->hands_on ? mbarrier_lane_arrived : NULL;
    machine->race->asked = machine;
    // The usual order shows whether blocks hand anything over; a drawn one comes after it.
    machine->hands_over = machine->hands_over && request->order != ORDER_FORWARD;
    machine->takes_turns = machine->hands_over && machine->maps && order_is_drawn(request->order);
    status = overlap_make(machine, request, err);
    machine->follows = machine->fences || machine->hands_on || machine->clusters ||
                       machine->takes_turns || machine->overlap;
    return status ? status : race_follow(machine->race, machine->follows, err);
}

// Several processes can share a launch that writes one array: what each has written there is then
// known from its words.
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
        return STATUS_OK;  // a later launch needs all that the earlier ones wrote, in one process
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

// Runs a product once more, and keeps all accesses to a word: lanes have met in parts of a warp.
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

// Runs the first launches of the plan.  Returns which of them had most steps in *ret_busiest.
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

// Runs one block for its trace, of the launch that does most.  The results are not complete
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

enum status emu_run(struct emu_machine *machine, const struct emu_request *request,
                    struct emu_result *ret_result, struct error *err) {
    bool clean = false;
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
    if ((request->observe & EMU_CHECK) && machine->result.end == EMU_FINISHED) {
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
