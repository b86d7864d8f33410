// Command lines as data; the judge runs them: see tool.h.
#include "device/nvidia/tool.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "device/build/steps.h"

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

// Adds arguments; NULL ends the list.
static enum status words_add(struct build_step *step, struct error *err, ...) {
    va_list words;
    enum status status = STATUS_OK;
    va_start(words, err);
    for (const char *word = va_arg(words, const char *); word && !status;
         word = va_arg(words, const char *)) {
        status = step_add(step, err, "%s", word);
    }
    va_end(words);
    return status;
}

static enum status launch_add(struct build_step *step, const struct tool_launch *launch,
                              struct error *err) {
    char size[SIZE_TEXT_MAX];
    size_format(launch->size, size);
    enum status status = step_add(step, err, "%s/tilegrade-gpu-once", launch->programs);
    status = status ? status : step_add(step, err, "%s/kernel.cubin", launch->scratch);
    status = status ? status : step_add(step, err, "%s", launch->kernel);
    status = status ? status : step_add(step, err, "%d", launch->gpu);
    return status ? status : step_add(step, err, "%s", size);
}

enum status sanitizer_command(const char *tool_path, const char *tool,
                              const struct tool_launch *launch, struct build_step *ret_step,
                              struct error *err) {
    struct build_step step = {.what = "compute-sanitizer"};
    enum status status = words_add(&step, err, tool_path, "--tool", tool, "--print-limit", "1000",
                                   "--show-backtrace", "no", NULL);
    if (!status && strcmp(tool, "memcheck") == 0) {
        // Room behind each matrix, so that an access just past its end lies in no other.
        status = words_add(&step, err, "--report-api-errors", "no", "--padding", "256", NULL);
    } else if (!status && strcmp(tool, "racecheck") == 0) {
        // Its default, the analysis alone, tells nothing of races that it lists as hazards.
        status = words_add(&step, err, "--racecheck-report", "all", NULL);
    }
    status = status ? status : launch_add(&step, launch, err);
    if (status) {
        build_step_done(&step);
        return status;
    }
    *ret_step = step;
    return STATUS_OK;
}

enum status ncu_command(const char *tool_path, const char *metrics,
                        const struct tool_launch *launch, struct build_step *ret_step,
                        struct error *err) {
    struct build_step step = {.what = "ncu"};
    enum status status =
        words_add(&step, err, tool_path, "--clock-control", "none", "--csv", "--page", "raw",
                  "--print-units", "base", "--metrics", metrics, NULL);
    status = status ? status : launch_add(&step, launch, err);
    if (status) {
        build_step_done(&step);
        return status;
    }
    *ret_step = step;
    return STATUS_OK;
}
