// Builds as data: which commands make a kernel file into something that a worker can run.  Nothing
// is run here.
#include "device/build/build.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "device/build/report.h"
#include "device/build/steps.h"
#include "device/build/compiler_messages.h"

// --- Plans ------------------------------------------------------------------------------

enum status build_plan_allow_tensor_cores(enum device_kind kind, struct build_plan *plan,
                                          struct error *err) {
    enum status status = STATUS_OK;
    int steps = kind == DEVICE_EMU ? EMU_STEPS_OF_COMPILER : 1;
    for (int i = 0; i < steps && !status; i++) {
        step_add(&plan->step[i], kind == DEVICE_EMU ? EMU_TENSOR_CORES : BUILD_TENSOR_CORES);
        status = step_check(&plan->step[i], err);
    }
    return status;
}

enum status build_plan_contract(enum device_kind kind, const struct build_contract *contract,
                                struct build_plan *plan, struct error *err) {
    enum status status = STATUS_OK;
    int steps = kind == DEVICE_EMU ? EMU_STEPS_OF_COMPILER : 1;
    for (int i = 0; i < steps && !status; i++) {
        struct build_step *step = &plan->step[i];
        if (contract->parameters) {
            step_add(step, "-DKERNEL_PARAMETERS=%s", contract->parameters);
            step_add(step, "-DKERNEL_SIZES=%s", contract->sizes);
        }
        if (contract->uses_workspace) {
            step_add(step, "-DKERNEL_USES_WORKSPACE");
        }
        if (contract->uses_half) {
            step_add(step, "-DKERNEL_USES_HALF");
        }
        if (contract->uses_bf16) {
            step_add(step, "-DKERNEL_USES_BF16");
        }
        if (contract->uses_stdint) {
            step_add(step, "-DKERNEL_USES_STDINT");
        }
        if (kind == DEVICE_GPU) {
            step_add(step, BUILD_TAKES "%s", contract->takes);
        }
        status = step_check(step, err);
    }
    return status;
}

enum status build_plan_make(enum device_kind kind, const struct device_paths *paths,
                            const char *kernel, const char *architecture,
                            struct build_plan *ret_plan, struct error *err) {
    enum status status = STATUS_OK;
    struct build_plan plan = {.step_count = 0};
    if (kind == DEVICE_EMU) {
        status = build_emu_plan(paths, kernel, &plan, err);
    } else {
        build_gpu_plan(paths, kernel, architecture, &plan);
    }
    for (int i = 0; i < plan.step_count && !status; i++) {
        status = step_check(&plan.step[i], err);
    }
    if (status) {
        build_plan_done(&plan);
        return status;
    }
    *ret_plan = plan;
    return STATUS_OK;
}

enum status build_worker_command(enum device_kind kind, const struct device_paths *paths,
                                 const char *scratch, const char *kernel, int gpu,
                                 struct build_step *ret_step, struct error *err) {
    struct build_step step = {.what = "worker"};
    if (kind == DEVICE_EMU) {
        build_emu_worker(scratch, &step);
    } else {
        build_gpu_worker(paths, scratch, kernel, gpu, &step);
    }
    return step_finish(&step, ret_step, err);
}

// --- Reports ----------------------------------------------------------------------------

// The inspector's exit code if it refused and gave the reason in the report.
#define EXIT_REFUSED 1

// The report that a step left in scratch.
static enum status report_load(const char *scratch, struct build_report *ret_report,
                               struct error *err) {
    char path[PATH_BYTES_MAX];
    char *text = NULL;
    size_t bytes = 0;
    enum status status = path_make(path, err, "%s/%s", scratch, BUILD_REPORT);
    if (!status) {
        status = file_read(path, BUILD_REPORT_BYTES_MAX, &text, &bytes, err);
    }
    if (!status) {
        status = build_report_parse(text, bytes, ret_report, err);
    }
    free(text);
    return status ? STATUS_SYSTEM : STATUS_OK;
}

enum status build_report_read(enum device_kind kind, const char *scratch, const char *kernel,
                              const int *exit_codes, char *const *outputs, int steps_run,
                              struct build_report *ret_report, struct error *err) {
    assert(steps_run >= 1 && steps_run <= BUILD_STEPS_MAX);
    int last = steps_run - 1;
    struct build_report report;
    memset(&report, 0, sizeof report);
    enum status status = STATUS_OK;
    if (exit_codes[last] != 0) {
        status = kind == DEVICE_EMU
                     ? build_emu_failed(kernel, last, exit_codes[last], outputs[last], &report, err)
                     : build_gpu_failed(exit_codes[last], outputs[last], &report, err);
    }
    // One of our steps refused, or all steps are done: the report says the rest.
    if (!status && report.fault == BUILD_FAULT_NONE) {
        status = report_load(scratch, &report, err);
        if (!status && exit_codes[last] == EXIT_REFUSED && report.fault == BUILD_FAULT_NONE) {
            status = fail(err, STATUS_SYSTEM, "%s: refused without a reason", BUILD_REPORT);
        }
    }
    // Step 0 of the CPU device is the compiler.  Its messages help if it refuses the file, and if
    // the file compiles, they are warnings.  For the other faults one sentence says everything, and
    // the messages may quote files that are not the student's.
    bool helps = report.fault == BUILD_FAULT_NONE || report.fault == BUILD_FAULT_ERROR ||
                 report.fault == BUILD_FAULT_BAD_SIGNATURE;
    if (!status && kind == DEVICE_EMU && helps) {
        free(report.diagnostics);
        report.diagnostics = NULL;
        status = diagnostics_show(outputs[0] ? outputs[0] : "", kernel, &report.diagnostics, err);
    }
    if (!status && !report.diagnostics) {
        report.diagnostics = strdup("");
        status = report.diagnostics ? STATUS_OK : fail(err, STATUS_NO_MEMORY, "no memory");
    }
    if (status) {
        build_report_done(&report);
        return status;
    }
    *ret_report = report;
    return STATUS_OK;
}

// --- Places -----------------------------------------------------------------------------

enum status build_locate_command(const struct device_paths *paths, const char *scratch,
                                 const uint64_t *addresses, int address_count,
                                 struct build_step *ret_step, struct error *err) {
    struct build_step step = {.what = "locate"};
    step_add(&step, "%s/tilegrade-inspect", paths->programs);
    step_add(&step, "locate");
    step_add(&step, "%s/worker", scratch);
    for (int i = 0; i < address_count; i++) {
        step_add(&step, "0x%" PRIx64, addresses[i]);
    }
    return step_finish(&step, ret_step, err);
}

void build_locate_parse(const char *output, int address_count, struct build_place *ret_places) {
    const char *at = output;
    for (int i = 0; i < address_count; i++) {
        unsigned line = 0;
        unsigned column = 0;
        int used = 0;
        if (at && sscanf(at, "%9u %9u %n", &line, &column, &used) == 2 && used > 0) {
            at += used;
        } else {
            at = NULL;  // what follows no longer matches the addresses
            line = column = 0;
        }
        ret_places[i] = (struct build_place){.line = line, .column = line > 0 ? column : 0};
    }
}
