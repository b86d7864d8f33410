// Command lines as data; the judge runs them: see tool.h.
#include "device/nvidia/tool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

enum status nvidia_tool_find(const char *name, char path[PATH_BYTES_MAX], struct error *err) {
    const char *home = getenv("CUDA_HOME");
    const char *paths = getenv("PATH");
    for (const char *at = paths ? paths : ""; *at != '\0';) {
        size_t length = strcspn(at, ":");
        if (length > 0 && !path_make(path, NULL, "%.*s/%s", (int)length, at, name) &&
            access(path, X_OK) == 0) {
            return STATUS_OK;
        }
        at += length + (at[length] == ':');
    }
    if (home && !path_make(path, NULL, "%s/bin/%s", home, name) && access(path, X_OK) == 0) {
        return STATUS_OK;
    }
    if (!path_make(path, NULL, "/usr/local/cuda/bin/%s", name) && access(path, X_OK) == 0) {
        return STATUS_OK;
    }
    return fail(err, STATUS_UNAVAILABLE,
                "%s was not found on PATH, in $CUDA_HOME/bin or in /usr/local/cuda/bin: it comes "
                "with the CUDA toolkit",
                name);
}

static void launch_add(struct build_step *step, const struct tool_launch *launch) {
    char size[SIZE_TEXT_MAX];
    size_format(launch->size, size);
    step_add(step, "%s/tilegrade-gpu-once", launch->programs);
    step_add(step, "%s/kernel.cubin", launch->scratch);
    step_add(step, "%s", launch->kernel);
    step_add(step, "%d", launch->gpu);
    step_add(step, "%s", size);
}

enum status sanitizer_command(const char *tool_path, const char *tool,
                              const struct tool_launch *launch, struct build_step *ret_step,
                              struct error *err) {
    struct build_step step = {.what = "compute-sanitizer"};
    step_add(&step, "%s", tool_path);
    step_add(&step, "--tool");
    step_add(&step, "%s", tool);
    step_add_words(&step, "--print-limit 1000 --show-backtrace no");
    if (strcmp(tool, "memcheck") == 0) {
        // Room after each matrix, so that an access just past its end is not inside another.
        step_add_words(&step, "--report-api-errors no --padding 256");
    } else if (strcmp(tool, "racecheck") == 0) {
        // The default, which is only the analysis, misses races that the list of hazards has.
        step_add_words(&step, "--racecheck-report all");
    }
    launch_add(&step, launch);
    return step_finish(&step, ret_step, err);
}

enum status ncu_command(const char *tool_path, const char *metrics,
                        const struct tool_launch *launch, struct build_step *ret_step,
                        struct error *err) {
    struct build_step step = {.what = "ncu"};
    step_add(&step, "%s", tool_path);
    step_add_words(&step, "--clock-control none --csv --page raw --print-units base --metrics");
    step_add(&step, "%s", metrics);
    launch_add(&step, launch);
    return step_finish(&step, ret_step, err);
}
