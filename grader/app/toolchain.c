// The runtime depends on gcc's way of instrumenting (decisions/0001-sanitizer-callbacks.md), so any
// other compiler is refused before it can make a right kernel look wrong.
//
// The probe loads the driver of the machine, so it gets time but no other rights.
#include "app/toolchain.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/basics.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/words.h"
#include "sandbox/box.h"

#define ANSWER_WALL_MS 20000
#define ANSWER_BYTES   (64 << 10)

static const char *const usual[] = {"/usr/bin/g++", "/usr/bin/g++-14", "/usr/bin/g++-13",
                                    "/usr/bin/g++-12", "/usr/bin/g++-11"};

static const char *chosen(void) {
    const char *name = getenv(COMPILER_VARIABLE);
    return name && name[0] != '\0' ? name : NULL;
}

bool compiler_is_chosen(void) {
    return chosen() != NULL;
}

// Looks for a name in the folders of PATH, as a shell does.
static bool path_search(const char *name, char ret_path[PATH_BYTES_MAX]) {
    const char *folders = getenv("PATH");
    for (const char *at = folders ? folders : ""; *at != '\0';) {
        int length = (int)strcspn(at, ":");
        char found[PATH_BYTES_MAX];
        if (length > 0 && !path_make(found, NULL, "%.*s/%s", length, at, name) &&
            access(found, X_OK) == 0) {
            memcpy(ret_path, found, sizeof found);
            return true;
        }
        at += length + (at[length] == ':');
    }
    return false;
}

void compiler_find(char ret_path[PATH_BYTES_MAX]) {
    const char *name = chosen();
    char real[PATH_MAX];
    if (name) {
        // A build runs in another folder.
        bool found = strchr(name, '/')
                         ? realpath(name, real) && !path_make(ret_path, NULL, "%s", real)
                         : path_search(name, ret_path);
        if (!found) {
            (void)snprintf(ret_path, PATH_BYTES_MAX, "%s", name);
        }
        return;
    }
    for (size_t i = 0; i < COUNT(usual); i++) {
        if (access(usual[i], X_OK) == 0) {
            (void)snprintf(ret_path, PATH_BYTES_MAX, "%s", usual[i]);
            return;
        }
    }
    (void)snprintf(ret_path, PATH_BYTES_MAX, "%s", usual[0]);
}

// Runs `path option`; false if it does not answer.
static bool ask(const char *path, const char *option, const char *option_2, char *ret_line) {
    char *const words[] = {(char *)path, (char *)option, (char *)option_2, NULL};
    const struct box_command command = {
        .argument = words,
        .folder = "/tmp",
        .limits = {.wall_ms = ANSWER_WALL_MS, .output_bytes = ANSWER_BYTES, .open_files = 64}};
    struct box *box = NULL;
    enum box_end end = BOX_RUNNING;
    bool answered =
        !box_run(&command, &box, &end, NULL) && end == BOX_EXITED && box_exit_code(box) == 0;
    if (answered) {
        const char *output = box_output(box);
        (void)snprintf(ret_line, COMPILER_LINE_BYTES, "%.*s", (int)strcspn(output, "\n"), output);
    }
    box_free(box);
    return answered;
}

enum status compiler_ask(const char *path, char ret_line[COMPILER_LINE_BYTES], struct error *err) {
    char line[COMPILER_LINE_BYTES] = "";
    char number[COMPILER_LINE_BYTES] = "";
    if (access(path, X_OK) != 0 || !ask(path, "--version", NULL, line) ||
        !ask(path, "-dumpfullversion", "-dumpversion", number)) {
        return chosen() ? fail(err, STATUS_UNAVAILABLE,
                               "%s: this C++ compiler is missing or does not answer: name another "
                               "in TILEGRADE_CXX, or run `make setup` (package g++)",
                               path)
                        : fail(err, STATUS_UNAVAILABLE,
                               "%s: the C++ compiler is missing or does not answer: run `make "
                               "setup` (package g++)",
                               path);
    }
    long version = strtol(number, NULL, 10);
    if (strstr(line, "clang") || version < COMPILER_OLDEST) {
        return fail(
            err, STATUS_UNAVAILABLE,
            "%s: %.100s: kernels for the CPU device need g++ (not clang), version %d or newer",
            path, line, COMPILER_OLDEST);
    }
    memcpy(ret_line, line, sizeof line);
    return STATUS_OK;
}

int compiler_version(const char *path) {
    char number[COMPILER_LINE_BYTES] = "";
    if (access(path, X_OK) != 0 || !ask(path, "-dumpversion", NULL, number)) {
        return 0;
    }
    long version = strtol(number, NULL, 10);
    return version > 0 && version < 1000 ? (int)version : 0;
}

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
        *ret_output = xstrdup(box_output(box));
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
                       _("this copy of tilegrade has only the CPU device"));
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
