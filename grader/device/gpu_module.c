// A cubin comes out of the compile box; what is loaded from it must be exactly what is launched.
#include "device/gpu_module.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "device/gpu_compile.h"

#define KERNEL_PARAMETERS 6

// Has the function exactly these parameters?  cuFuncGetParamInfo fails behind the last one.  Older
// drivers cannot say, and there the parameter block of exact size keeps a longer list from reading
// our memory.
static bool parameters_check(const struct cuda_driver *driver, cuda_function_handle function,
                             const size_t *offsets, size_t count, size_t total) {
    if (!driver->api.function_parameter) {
        return true;
    }
    for (size_t i = 0; i <= count; i++) {
        size_t offset = 0;
        size_t bytes = 0;
        cuda_result result = driver->api.function_parameter(function, i, &offset, &bytes);
        if (i == count) {
            return result != CUDA_RESULT_SUCCESS;
        }
        size_t next = i + 1 < count ? offsets[i + 1] : total;
        if (result != CUDA_RESULT_SUCCESS || offset != offsets[i] || bytes != next - offsets[i]) {
            return false;
        }
    }
    return false;
}

static enum status functions_check(const struct cuda_driver *driver, struct gpu_module *module,
                                   struct error *err) {
    static const size_t kernel_offsets[KERNEL_PARAMETERS] = {
        offsetof(struct kernel_parameters, a), offsetof(struct kernel_parameters, b),
        offsetof(struct kernel_parameters, c), offsetof(struct kernel_parameters, m),
        offsetof(struct kernel_parameters, n), offsetof(struct kernel_parameters, k)};
    static const size_t config_offsets[] = {
        offsetof(struct config_parameters, launch), offsetof(struct config_parameters, m),
        offsetof(struct config_parameters, n), offsetof(struct config_parameters, k)};
    int threads = 0;
    int bytes = 0;
    int local = 0;
    if (!parameters_check(driver, module->kernel, kernel_offsets, KERNEL_PARAMETERS,
                          KERNEL_PARAMETER_BYTES) ||
        !parameters_check(driver, module->configure, config_offsets,
                          sizeof config_offsets / sizeof *config_offsets, CONFIG_PARAMETER_BYTES)) {
        return fail(err, STATUS_SYSTEM, "%s: the cubin's parameters are not those of the contract",
                    module->name);
    }
    cuda_result result =
        driver->api.function_attribute(&threads, CUDA_FUNCTION_THREADS_MAX, module->kernel);
    if (result == CUDA_RESULT_SUCCESS) {
        result = driver->api.function_attribute(&bytes, CUDA_FUNCTION_SHARED_BYTES, module->kernel);
    }
    if (result == CUDA_RESULT_SUCCESS) {
        result = driver->api.function_attribute(&local, CUDA_FUNCTION_LOCAL_BYTES, module->kernel);
    }
    if (result != CUDA_RESULT_SUCCESS || threads < 0 || bytes < 0 || local < 0) {
        return cuda_fail(driver, result, "asking for the kernel's attributes", err);
    }
    module->threads_max = (uint32_t)threads;
    module->static_bytes = (uint64_t)bytes;
    module->local_bytes = (uint64_t)local;
    return STATUS_OK;
}

enum status gpu_module_read(const char *path, const char *kernel, struct gpu_module *ret_module,
                            struct error *err) {
    struct gpu_module module = {.image = NULL};
    size_t bytes = 0;
    if (strlen(kernel) >= sizeof module.name) {
        return fail(err, STATUS_BAD_USAGE, "'%.60s…': the kernel's name is too long", kernel);
    }
    (void)snprintf(module.name, sizeof module.name, "%s", kernel);
    enum status status = file_read(path, FILE_BYTES_MAX, &module.image, &bytes, err);
    if (!status) {
        *ret_module = module;
    }
    return status;
}

enum status gpu_module_load(const struct cuda_driver *driver, struct gpu_module *module,
                            struct error *err) {
    char config[GPU_KERNEL_NAME_MAX + sizeof LAUNCH_CONFIG_SUFFIX];
    (void)snprintf(config, sizeof config, "%s" LAUNCH_CONFIG_SUFFIX, module->name);
    gpu_module_unload(driver, module);
    cuda_result result = driver->api.module_load(&module->handle, module->image);
    if (result != CUDA_RESULT_SUCCESS) {
        module->handle = NULL;
        return cuda_fail(driver, result, "loading the cubin", err);
    }
    result = driver->api.module_function(&module->kernel, module->handle, module->name);
    if (result == CUDA_RESULT_SUCCESS) {
        result = driver->api.module_function(&module->configure, module->handle, config);
    }
    if (result != CUDA_RESULT_SUCCESS) {
        return cuda_fail(driver, result, "finding the kernel in the cubin", err);
    }
    return functions_check(driver, module, err);
}

void gpu_module_unload(const struct cuda_driver *driver, struct gpu_module *module) {
    if (module->handle) {
        (void)driver->api.module_unload(module->handle);
    }
    module->handle = NULL;
}

void gpu_module_done(struct gpu_module *module) {
    free(module->image);
    module->image = NULL;
}
