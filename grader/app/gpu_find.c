// The probe loads the driver of the machine, so it gets time but no other rights.
#include "app/gpu_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/translate.h"
#include "sandbox/box.h"

#define PROBE_WALL_MS      30000  // a driver that sleeps needs seconds to wake
#define PROBE_OUTPUT_BYTES (256 << 10)
#define PROBE_FILES        256

static enum status probe_run(const char *program, const struct sandbox *sandbox, char **ret_output,
                             struct error *err) {
    char *arguments[] = {(char *)program, "--probe", NULL};
    struct box_command command = {.argument = arguments,
                                  .folder = "/tmp",
                                  .passed = device_variables(DEVICE_GPU),
                                  .limits = {.wall_ms = PROBE_WALL_MS,
                                             .cpu_seconds = PROBE_WALL_MS / 1000,
                                             .output_bytes = PROBE_OUTPUT_BYTES,
                                             .open_files = PROBE_FILES},
                                  .sandbox = sandbox,
                                  .profile = PROFILE_GPU};
    struct box *box = NULL;
    enum box_end end = BOX_RUNNING;
    enum status status = box_run(&command, &box, &end, err);
    if (!status && (end != BOX_EXITED || box_exit_code(box) != 0)) {
        status = fail(err, STATUS_SYSTEM, "%s --probe failed: %.200s", program, box_output(box));
    }
    if (!status) {
        *ret_output = strdup(box_output(box));
        status = *ret_output ? STATUS_OK : fail(err, STATUS_NO_MEMORY, "no memory");
    }
    box_free(box);
    return status;
}

enum status gpu_find(const struct device_paths *paths, const struct sandbox *sandbox,
                     struct gpu_info *ret_info, struct error *err) {
    char program[PATH_BYTES_MAX];
    char *output = NULL;
    enum status status = path_make(program, err, "%s/tilegrade-nvrtc", paths->programs);
    if (!status && paths->is_released) {
        *ret_info = (struct gpu_info){.gpu_count = 0};
        (void)snprintf(ret_info->driver_reason, sizeof ret_info->driver_reason, "%s",
                       _("this copy of tilegrade has the CPU device alone"));
        (void)snprintf(ret_info->nvrtc_reason, sizeof ret_info->nvrtc_reason, "%s",
                       ret_info->driver_reason);
        return STATUS_OK;
    }
    if (!status) {
        status = probe_run(program, sandbox, &output, err);
    }
    if (!status) {
        status = gpu_info_parse(output, ret_info, err);
    }
    free(output);
    return status;
}

const char *gpu_missing(const struct gpu_info *info) {
    if (info->gpu_count == 0) {
        return info->driver_reason[0] != '\0' ? info->driver_reason : _("no GPU");
    }
    return info->nvrtc_major == 0 ? info->nvrtc_reason : NULL;
}
