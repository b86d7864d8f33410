// See gpu_rig.h.
#include "gpu_rig.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"

#define PROBE_BYTES (1 << 20)

void rig_check(enum status status, const struct error *err) {
    if (status) {
        fprintf(stderr, "gpu_check: %s\n", err->text);
        exit(3);
    }
}

static void probe(const char *programs, struct gpu_info *info) {
    static char output[PROBE_BYTES];
    char command[PATH_BYTES_MAX];
    struct error err = {.text = ""};
    rig_driver_choose();
    rig_check(path_make(command, &err, "'%s/tilegrade-nvrtc' --probe", programs), &err);
    FILE *stream = popen(command, "r");
    size_t got = stream ? fread(output, 1, sizeof output - 1, stream) : 0;
    output[got] = '\0';
    if (stream) {
        (void)pclose(stream);
    }
    rig_check(gpu_info_parse(output, info, &err), &err);
}

bool rig_open(struct rig *rig, const char *programs, const char *include, const char *reference) {
    static struct gpu_info info;
    struct error err = {.text = ""};
    struct judge_machine *machine = &rig->machine;
    probe(programs, &info);
    printf("CUDA %d, NVRTC %d.%d %s %s%s\n", info.driver_version, info.nvrtc_major,
           info.nvrtc_minor, info.nvrtc_path, info.driver_reason, info.nvrtc_reason);
    if (info.gpu_count == 0 || info.nvrtc_major == 0) {
        return false;
    }
    const struct gpu *gpu = &info.gpus[0];
    printf("%s %s, %d SMs, %d kHz, %s, pageable memory access %d\n", gpu->name, gpu->architecture,
           gpu->multiprocessors, gpu->clock_khz, gpu->uuid, gpu->pageable_memory_access);
    rig->reference = reference;
    (void)snprintf(machine->paths.programs, sizeof machine->paths.programs, "%s", programs);
    (void)snprintf(machine->paths.include, sizeof machine->paths.include, "%s", include);
    machine->paths.compiler_version = __GNUC__;  // g++ is about as old as what built this
    char shim[PATH_BYTES_MAX];
    rig_check(path_make(shim, &err, "%s/../emu/shim", include), &err);
    char *whole = realpath(shim, NULL);
    rig_check(path_make(machine->paths.shim, &err, "%s", whole ? whole : shim), &err);
    free(whole);
    machine->gpu = *gpu;
    return true;
}

void rig_row(struct rig *rig, bool good, const char *format, ...) {
    va_list arguments;
    rig->failures += !good;
    printf("%s ", good ? "ok  " : "FAIL");
    va_start(arguments, format);
    (void)vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
}

char *rig_reference(const struct rig *rig, const char *exercise) {
    char path[PATH_BYTES_MAX];
    struct error err = {.text = ""};
    char *text = NULL;
    size_t bytes = 0;
    rig_check(path_make(path, &err, "%s/%s.cu", rig->reference, exercise), &err);
    rig_check(file_read(path, SOURCE_BYTES_MAX, &text, &bytes, &err), &err);
    return text;
}

bool rig_build(struct rig *rig, const char *exercise, const char *text,
               struct run_program *ret_program) {
    return rig_build_for(rig, DEVICE_GPU, PRECISION_FP32, exercise, text, ret_program);
}

bool rig_build_for(struct rig *rig, enum device_kind device, enum precision precision,
                   const char *exercise, const char *text, struct run_program *ret_program) {
    struct error err = {.text = ""};
    static struct exercise built;  // the program keeps a pointer to it; all of them are products
    built.signature = *signature_of_matmul();
    built.precision = precision;
    (void)snprintf(built.name, sizeof built.name, "%s", exercise);
    if (getenv("GPU_CHECK_DRIVER")) {
        (void)unsetenv("LD_LIBRARY_PATH");
    }
    rig_check(run_build(&rig->machine, device, &built, (struct text){text, strlen(text)},
                        ret_program, &err),
              &err);
    if (ret_program->report.fault != BUILD_FAULT_NONE) {
        rig_row(rig, false, "%s: build: line %d %s", exercise, ret_program->report.line,
                ret_program->report.text);
        run_program_done(ret_program);
        return false;
    }
    return true;
}

void rig_driver_choose(void) {
    const char *folder = getenv("GPU_CHECK_DRIVER");
    if (folder) {
        (void)setenv("LD_LIBRARY_PATH", folder, 1);
    }
}

double rig_now_ms(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}
