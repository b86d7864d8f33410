// Runs a submission's LAUNCH_CONFIG, as a kernel of one thread.
#include <string.h>

#include "emu/machine.h"

#define CONFIG_BUDGET 1000000u  // accesses that a LAUNCH_CONFIG may make
#define CONFIG_CPU_MS 100u      // some looks at a loop without accesses come on top (crash.c)

// struct launch_config of matmul.cuh, as the kernel file lays it out.
struct config_bytes {
    uint32_t grid[3];
    uint32_t block[3];
    uint64_t shared_bytes;
};

// LAUNCH_CONFIG gets what lies in C's place, as an array of one: findings are to say that, not name
// C.
static void config_findings(struct emu_result *result) {
    for (uint32_t i = 0; i < result->findings.count; i++) {
        struct finding *finding = &result->findings.list[i];
        if (finding->kind == FINDING_OUT_OF_BOUNDS && finding->space == SPACE_GLOBAL) {
            int64_t bytes = sizeof(struct config_bytes);
            int64_t before = finding->offset < 0 ? bytes - 1 : 0;  // division rounds towards 0
            finding->offset = (finding->offset - before) / bytes;
            finding->array_bytes = 1;
            finding->flags = FINDING_INNER_ROW;
            finding->space = SPACE_NONE;
            finding->array = ARRAY_NONE;
        }
    }
    if (result->findings.count > 0) {
        result->end = EMU_STOPPED;
    }
}

enum status emu_configure(struct emu_machine *machine, struct size size,
                          struct emu_config *ret_config, struct emu_result *ret_result,
                          struct error *err) {
    const struct emu_config one = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    const uint64_t bytes[GLOBAL_ARRAY_COUNT] = {[ARRAY_C] = sizeof(struct config_bytes)};
    struct config_bytes config;
    enum status status = machine_set_up(machine, &one, bytes, err);
    if (status) {
        return status;
    }
    machine->checks = false;
    machine->counts = false;
    machine->configuring = true;
    machine->kernel_size[0] = size.m;
    machine->kernel_size[1] = size.n;
    machine->kernel_size[2] = size.k;
    status = machine_observe(machine, err);
    if (status) {
        return status;
    }
    machine_run_blocks(machine, CONFIG_BUDGET, CONFIG_CPU_MS);
    config_findings(&machine->result);
    memcpy(&config, machine->kernel_argument[ARRAY_C], sizeof config);
    memset(ret_config, 0, sizeof *ret_config);
    memcpy(ret_config->grid, config.grid, sizeof config.grid);
    memcpy(ret_config->block, config.block, sizeof config.block);
    ret_config->shared_bytes = config.shared_bytes;
    *ret_result = machine->result;
    return STATUS_OK;
}
