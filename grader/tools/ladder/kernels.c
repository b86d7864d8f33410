// Turns kernel files into kernels on the GPU.  They are the course's own, so nothing here is
// sandboxed.
#include "tools/ladder/bench.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "device/gpu/compile.h"

enum status bench_own(const struct bench *bench, const char *file, char **ret_cubin,
                      size_t *ret_bytes, struct error *err) {
    char architecture[64];
    const char *const options[] = {architecture, "-std=c++17"};
    struct nvrtc_output output = {.compiled = false};
    char *source = NULL;
    (void)snprintf(architecture, sizeof architecture, "--gpu-architecture=%s", bench->architecture);
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

static enum status kernel_compile(struct bench *bench, const char *path, const char *source,
                                  size_t bytes, struct bench_kernel *added, struct error *err) {
    struct gpu_module *module = &added->kernel.module;
    struct gpu_compile_result result = {.cubin = NULL};
    const struct gpu_compile_request request = {.source = source,
                                                .source_bytes = bytes,
                                                .kernel = module->name,
                                                .architecture = bench->architecture,
                                                .include = bench->places->device.include};
    enum status status = gpu_compile(&bench->nvrtc, &request, &result, err);
    if (!status && !result.cubin) {
        status = fail(err, STATUS_BAD_DATA, "%s:%d: %.400s", path, result.report.line,
                      result.report.text);
    }
    if (!status) {
        module->image = result.cubin;
        result.cubin = NULL;  // the module owns it now
        status = gpu_kernel_load(&bench->context, &added->kernel, err);
    }
    gpu_compile_done(&result);
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
    if (!status && !kernel_name(source, added->kernel.module.name)) {
        status = fail(err, STATUS_BAD_DATA, "%s: has no LAUNCH_CONFIG", path);
    }
    if (!status) {
        status = kernel_compile(bench, path, source, bytes, added, err);
    }
    if (!status) {
        (void)bench->context.driver.api.function_attribute(
            &added->registers, CUDA_FUNCTION_REGISTERS, added->kernel.module.kernel.handle);
        bench->kernel_count++;
    }
    free(source);
    return status;
}

void bench_kernels_done(struct bench *bench) {
    for (int i = 0; i < bench->kernel_count; i++) {
        if (bench->context.open && !bench->context.lost && !bench->kernel[i].is_cublas) {
            gpu_kernel_free(&bench->context, &bench->kernel[i].kernel);
        }
        gpu_module_done(&bench->kernel[i].kernel.module);
    }
    bench->kernel_count = 0;
}
