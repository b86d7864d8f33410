// See tool_run.h.
#include "judge/nvidia/tool_run.h"

#include <string.h>

#include "judge/run/gpu_lease.h"
#include "sandbox/box.h"

static const struct box_limits limits = {
    .wall_ms = 120 * 1000,  // a tool slows a kernel down a thousand times
    .cpu_seconds = 300,
    .file_bytes = 1ull << 30,
    .output_bytes = 16ull << 20,
    .open_files = 1024,
};

// Where the driver, the toolkit and the tool's own files are.
static const char *const variables[] = {
    "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_HOME", "HOME", "LD_LIBRARY_PATH", NULL};

enum status tool_run(const struct build_step *step, const char *folder, struct gpu_lease *lease,
                     char **ret_output, struct error *err) {
    const struct box_command command = {.argument = (char *const *)step->argument,
                                        .folder = folder,
                                        .passed = variables,
                                        .limits = limits};
    struct box *box = NULL;
    enum box_end end = BOX_RUNNING;
    enum status status = gpu_lease_lock(lease, err);
    if (!status) {
        status = box_run(&command, &box, &end, err);
        gpu_lease_unlock(lease);
    }
    if (!status && (end == BOX_WALL_LIMIT || end == BOX_CPU_LIMIT)) {
        status = fail(err, STATUS_SYSTEM, "%s did not end in time", step->what);
    } else if (!status && end == BOX_OUTPUT_LIMIT) {
        status = fail(err, STATUS_SYSTEM, "%s printed more than anyone can read", step->what);
    }
    if (!status) {
        *ret_output = strdup(box_output(box));
        status = *ret_output ? STATUS_OK : fail(err, STATUS_NO_MEMORY, "no memory");
    }
    box_free(box);
    return status;
}
