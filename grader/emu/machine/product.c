// Runs the launches of one product one after the other, in this process.  If there is only one
// launch, several processes share it; if that run is not clean, it is repeated here.
#include <string.h>

#include "emu/machine/blocks.h"
#include "emu/machine/machine.h"
#include "emu/machine/tracing.h"

static void copy_out(const struct emu_machine *machine, enum global_array array, float *to) {
    if (to) {
        memcpy(to, machine->kernel_argument[array], machine->memory.bytes[array]);
    }
}

// Prepares a product, up to its first launch.
static enum status product_begin(struct emu_machine *machine, const struct emu_request *request,
                                 struct error *err) {
    struct size size = request->size;
    const uint64_t bytes[GLOBAL_ARRAY_COUNT] = {
        [ARRAY_A] = size_elements_a(size) * sizeof(float),
        [ARRAY_B] = size_elements_b(size) * sizeof(float),
        [ARRAY_C] = size_elements_c(size) * sizeof(float),
        [ARRAY_WORKSPACE] = request->plan.workspace_bytes,
    };
    enum status status = machine_set_up(machine, bytes, err);
    if (status) {
        return status;
    }
    memcpy((void *)(uintptr_t)machine->memory.start[ARRAY_A], request->a, bytes[ARRAY_A]);
    memcpy((void *)(uintptr_t)machine->memory.start[ARRAY_B], request->b, bytes[ARRAY_B]);
    memcpy((void *)(uintptr_t)machine->memory.start[ARRAY_C], request->c, bytes[ARRAY_C]);
    if (bytes[ARRAY_WORKSPACE] > 0) {
        memset((void *)(uintptr_t)machine->memory.start[ARRAY_WORKSPACE], SHARED_JUNK,
               bytes[ARRAY_WORKSPACE]);
    }
    machine->c_before = request->c;
    machine->checks = request->observe & (EMU_CHECK | EMU_SAMPLE);
    machine->maps = request->observe & EMU_CHECK;
    // Fences order accesses only if all are followed.
    machine->samples = (request->observe & EMU_SAMPLE) && !machine->fences;
    machine->sample_draw = request->sample_draw;
    machine->junk = request->observe & EMU_JUNK;
    machine->counts = request->observe & EMU_COUNT;
    machine->configuring = false;
    machine->order = request->order;
    machine->race->wants_more = false;
    machine->kernel_size[0] = size.m;
    machine->kernel_size[1] = size.n;
    machine->kernel_size[2] = size.k;
    return STATUS_OK;
}

static void sum_up_coverage(struct emu_machine *machine, struct size size) {
    const uint32_t m = (uint32_t)size.m;
    const uint32_t n = (uint32_t)size.n;
    const uint32_t k = (uint32_t)size.k;
    const uint32_t extent[MATRIX_COUNT][2] = {
        [ARRAY_A] = {m, k}, [ARRAY_B] = {k, n}, [ARRAY_C] = {m, n}};
    coverage_map_sum(&machine->coverage, extent, &machine->result.coverage);
}

// Runs the only launch of a product without a workspace in several processes.  If *ret_clean is
// false, the product must start again.
static enum status spread_run(struct emu_machine *machine, const struct emu_request *request,
                              bool *ret_clean, struct error *err) {
    *ret_clean = false;
    if (request->plan.count > 1 || request->plan.workspace_bytes > 0 || request->processes <= 1) {
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

// Runs one block of the first launch for its trace.  C is not a complete product afterwards.
static enum status run_traced(struct emu_machine *machine, const struct emu_request *request,
                              struct emu_result *ret_result, struct error *err) {
    enum status status = product_begin(machine, request, err);
    if (!status) {
        status = machine_launch(machine, &request->plan.launch[0], err);
    }
    if (!status) {
        status = tracing_begin(machine, request->observe & EMU_FIRST, err);
    }
    if (status) {
        return status;
    }
    machine_run_blocks(machine, request->access_budget, request->cpu_ms_max);
    status = tracing_end(machine, &machine->result.trace, err);
    if (!status) {
        machine->result.processes = 1;
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
        sum_up_coverage(machine, request->size);
    }
    copy_out(machine, ARRAY_A, request->a_after);
    copy_out(machine, ARRAY_B, request->b_after);
    copy_out(machine, ARRAY_C, request->c);
    *ret_result = machine->result;
    return STATUS_OK;
}
