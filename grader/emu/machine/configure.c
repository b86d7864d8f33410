// Runs a submission's LAUNCH_CONFIG, as a kernel of one thread.
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "emu/machine/machine.h"

#define CONFIG_BUDGET 1000000u  // accesses that a LAUNCH_CONFIG may make
#define CONFIG_CPU_MS 100u      // plus some looks at a loop without accesses (crash.c)

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
            finding->flags = FINDING_INNER_ROW;
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
    machine->samples = false;
    machine->junk = false;
    machine->olds = false;
    machine->counts = false;
    machine->configuring = true;
    machine->order = ORDER_FORWARD;
    machine->memory.inputs = 0;
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
