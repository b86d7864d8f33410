// Compiled in a folder of its own, which no student's compiler has seen, and copied from there.
#include "judge/speed/timed_helper.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "device/gpu/helper.h"
#include "sandbox/box.h"

#define SOURCE_NAME "inputs.cu"

static const struct box_limits limits = {
    .wall_ms = 60 * 1000,
    .cpu_seconds = 30,
    .memory_bytes = 2ull << 30,
    .file_bytes = 64ull << 20,
    .output_bytes = 64 << 10,
    .open_files = 64,
};

static enum status source_copy(const struct judge_machine *machine, const char *folder,
                               struct error *err) {
    char path[PATH_BYTES_MAX];
    char *text = NULL;
    enum status status =
        gpu_helper_source(machine->paths.include, "device/gpu/inputs.cu", &text, err);
    if (!status) {
        status = path_make(path, err, "%s/" SOURCE_NAME, folder);
    }
    if (!status) {
        status = file_write(path, text, strlen(text), err);
    }
    free(text);
    return status;
}

static enum status compile(const struct judge_machine *machine, const char *folder,
                           struct error *err) {
    char program[PATH_BYTES_MAX];
    struct box *box = NULL;
    enum box_end end = BOX_RUNNING;
    enum status status = path_make(program, err, "%s/tilegrade-nvrtc", machine->paths.programs);
    if (status) {
        return status;
    }
    char *arguments[] = {program,      "--own", SOURCE_NAME, (char *)machine->gpu.architecture,
                         BUILD_INPUTS, NULL};
    const struct box_command command = {.argument = arguments,
                                        .folder = folder,
                                        .passed = device_variables(DEVICE_GPU),
                                        .limits = limits,
                                        .sandbox = machine->sandbox,
                                        .profile = PROFILE_OWN};
    status = box_start(&command, &box, err);
    if (!status) {
        status = box_wait(box, &end, err);
    }
    if (!status && (end != BOX_EXITED || box_exit_code(box) != 0)) {
        status = fail(err, STATUS_SYSTEM, "the kernels that make inputs do not build: %.300s",
                      box_output(box));
    }
    box_free(box);
    return status;
}

static enum status cubin_copy(const char *folder, const struct run_program *const programs[],
                              int program_count, struct error *err) {
    char path[PATH_BYTES_MAX];
    char *cubin = NULL;
    size_t bytes = 0;
    enum status status = path_make(path, err, "%s/" BUILD_INPUTS, folder);
    if (!status) {
        status = file_read(path, FILE_BYTES_MAX, &cubin, &bytes, err);
    }
    for (int i = 0; i < program_count && !status; i++) {
        status = path_make(path, err, "%s/" BUILD_INPUTS, programs[i]->scratch);
        if (!status) {
            status = file_write(path, cubin, bytes, err);
        }
    }
    free(cubin);
    return status;
}

enum status timed_inputs_build(const struct judge_machine *machine,
                               const struct run_program *const programs[], int program_count,
                               struct error *err) {
    char folder[PATH_BYTES_MAX];
    enum status status = box_scratch_make(NULL, folder, err);
    if (status) {
        return status;
    }
    status = source_copy(machine, folder, err);
    if (!status) {
        status = compile(machine, folder, err);
    }
    if (!status) {
        status = cubin_copy(folder, programs, program_count, err);
    }
    (void)folder_remove(folder, NULL);
    return status;
}
