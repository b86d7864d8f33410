// Turns kernel files into kernels on the GPU.  They are the course's own, so nothing here is
// sandboxed.
#include "tools/ladder/bench.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "judge/build/program.h"

enum status bench_own(const struct bench *bench, const char *file, char **ret_cubin,
                      size_t *ret_bytes, struct error *err) {
    char architecture[64];
    const char *const options[] = {architecture, "-std=c++17"};
    struct nvrtc_output output = {.compiled = false};
    char *source = NULL;
    (void)snprintf(architecture, sizeof architecture, "--gpu-architecture=%s",
                   bench->machine.gpu.architecture);
    enum status status = gpu_helper_source(bench->places->device.include, file, &source, err);
    if (!status) {
        status = nvrtc_compile(&bench->nvrtc, source, file, options, 2, &output, err);
    }
    if (!status && !output.compiled) {
        status = fail(err, STATUS_SYSTEM, "%s does not compile: %.600s", file, output.log);
    }
    if (!status) {
        *ret_cubin = output.cubin;
        *ret_bytes = output.cubin_bytes;
        output.cubin = NULL;  // the caller owns it now
    }
    nvrtc_output_done(&output);
    free(source);
    return status;
}

// The name in "LAUNCH_CONFIG(name".
static bool kernel_name(const char *source, char name[GPU_KERNEL_NAME_MAX]) {
    static const char mark[] = "\nLAUNCH_CONFIG(";
    const char *at = strstr(source, mark);
    size_t length = 0;
    at = at ? at + strlen(mark) : "";
    while ((isalnum((unsigned char)at[length]) || at[length] == '_') &&
           length + 1 < GPU_KERNEL_NAME_MAX) {
        name[length] = at[length];
        length++;
    }
    name[length] = '\0';
    return length > 0;
}

// Builds the file as that of an exercise of the kernel's name.
static enum status kernel_build(struct bench *bench, const char *path, const char *source,
                                size_t bytes, struct bench_kernel *added, struct error *err) {
    static const char product[] = "matmul_";
    char cubin[PATH_BYTES_MAX];
    char kernel[GPU_KERNEL_NAME_MAX];
    struct run_program program = {.kind = DEVICE_GPU};
    bool is_product = bench->like.signature.is_product;
    if (!kernel_name(source, kernel)) {
        return fail(err, STATUS_BAD_DATA, "%s: has no LAUNCH_CONFIG", path);
    }
    if (is_product && !text_starts(kernel, product)) {
        return fail(err, STATUS_BAD_DATA, "%s: the kernel %s is not called %s…", path, kernel,
                    product);
    }
    (void)snprintf(bench->like.name, sizeof bench->like.name, "%.*s", NAME_BYTES_MAX - 1,
                   kernel + (is_product ? strlen(product) : 0));
    enum status status = run_build(&bench->machine, DEVICE_GPU, &bench->like,
                                   (struct text){source, bytes}, &program, err);
    if (!status && program.report.fault != BUILD_FAULT_NONE) {
        status = fail(err, STATUS_BAD_DATA, "%s:%d: %.400s", path, program.report.line,
                      program.report.text);
    }
    if (!status) {
        status = path_make(cubin, err, "%s/kernel.cubin", program.scratch);
    }
    if (!status) {
        status = gpu_module_read(cubin, kernel, &added->kernel.module, err);
    }
    if (!status) {
        added->registers = (int)program.report.registers;
        status = gpu_kernel_load(&bench->context, &added->kernel, err);
    }
    run_program_done(&program);
    return status;
}

enum status bench_add(struct bench *bench, const char *path, const char *name, const char *before,
                      struct error *err) {
    char *source = NULL;
    size_t bytes = 0;
    if (bench->kernel_count == BENCH_KERNELS_MAX) {
        return fail(err, STATUS_BAD_USAGE, "%s: more than %d kernels", path, BENCH_KERNELS_MAX);
    }
    struct bench_kernel *added = &bench->kernel[bench->kernel_count];
    memset(added, 0, sizeof *added);
    (void)snprintf(added->name, sizeof added->name, "%s", name);
    (void)snprintf(added->before, sizeof added->before, "%s", before);
    enum status status = file_read(path, SOURCE_BYTES_MAX, &source, &bytes, err);
    if (!status) {
        status = kernel_build(bench, path, source, bytes, added, err);
    }
    if (!status) {
        bench->kernel_count++;
    }
    free(source);
    return status;
}

void bench_kernels_done(struct bench *bench) {
    for (int i = 0; i < bench->kernel_count; i++) {
        if (bench->context.open && !bench->context.lost && bench->kernel[i].by == TIMED_BY_KERNEL) {
            gpu_kernel_free(&bench->context, &bench->kernel[i].kernel);
        }
        gpu_module_done(&bench->kernel[i].kernel.module);
    }
    bench->kernel_count = 0;
}
