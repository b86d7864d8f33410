// A cubin comes from the compile box, so each kernel loaded from it is checked before it is
// launched.
#include "device/gpu/module.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "device/build/kind.h"

struct parameter {
    size_t offset, bytes;
};
#define PARAMETER(type, field)                                                                     \
    { offsetof(struct type, field), sizeof(((struct type *)NULL)->field) }

static const struct parameter kernel_list[] = {
    PARAMETER(kernel_parameters, a),        PARAMETER(kernel_parameters, b),
    PARAMETER(kernel_parameters, c),        PARAMETER(kernel_parameters, m),
    PARAMETER(kernel_parameters, n),        PARAMETER(kernel_parameters, k),
    PARAMETER(kernel_parameters, workspace)};
static const struct parameter config_list[] = {
    PARAMETER(config_parameters, launch), PARAMETER(config_parameters, m),
    PARAMETER(config_parameters, n), PARAMETER(config_parameters, k)};
#define KERNEL_PARAMETERS    6
#define WORKSPACE_PARAMETERS 7
#define CONFIG_PARAMETERS    4

// Has the function exactly these parameters?  cuFuncGetParamInfo fails after the last one.  Older
// drivers cannot say; with them, a parameter block of the exact size keeps a longer list from
// reading our memory.
static bool parameters_check(const struct cuda_driver *driver, cuda_function_handle function,
                             const struct parameter *list, size_t count) {
    if (!driver->api.function_parameter) {
        return true;
    }
    for (size_t i = 0; i <= count; i++) {
        struct parameter got = {0, 0};
        cuda_result result = driver->api.function_parameter(function, i, &got.offset, &got.bytes);
        if (i == count) {
            return result != CUDA_RESULT_SUCCESS;
        }
        if (result != CUDA_RESULT_SUCCESS || got.offset != list[i].offset ||
            got.bytes != list[i].bytes) {
            return false;
        }
    }
    return false;
}

// *ret_takes is false for a function of other parameters.
static enum status function_check(const struct cuda_driver *driver, struct gpu_function *function,
                                  bool *ret_takes, struct error *err) {
    int threads = 0;
    int bytes = 0;
    int local = 0;
    bool workspace = function->parameter_bytes == WORKSPACE_PARAMETER_BYTES;
    *ret_takes = parameters_check(driver, function->handle, kernel_list,
                                  workspace ? WORKSPACE_PARAMETERS : KERNEL_PARAMETERS);
    cuda_result result =
        driver->api.function_attribute(&threads, CUDA_FUNCTION_THREADS_MAX, function->handle);
    if (result == CUDA_RESULT_SUCCESS) {
        result =
            driver->api.function_attribute(&bytes, CUDA_FUNCTION_SHARED_BYTES, function->handle);
    }
    if (result == CUDA_RESULT_SUCCESS) {
        result =
            driver->api.function_attribute(&local, CUDA_FUNCTION_LOCAL_BYTES, function->handle);
    }
    if (result != CUDA_RESULT_SUCCESS || threads < 0 || bytes < 0 || local < 0) {
        return cuda_fail(driver, result, "asking for the kernel's attributes", err);
    }
    function->threads_max = (uint32_t)threads;
    function->static_bytes = (uint64_t)bytes;
    function->local_bytes = (uint64_t)local;
    return STATUS_OK;
}

enum status gpu_module_function(const struct cuda_driver *driver, const struct gpu_module *module,
                                const char *name, bool *ret_found,
                                struct gpu_function *ret_function, struct error *err) {
    // The exercise's own kernel is extern "C".  Mangled names of others encode their parameters.
    // Source: Itanium C++ ABI, 5.1 "External Names (a.k.a. Mangling)".
    static const struct {
        const char *parameters;
        size_t bytes;
    } spelling[] = {{"PKfS0_PfiiiS1_", WORKSPACE_PARAMETER_BYTES},
                    {"PKfS0_Pfiii", KERNEL_PARAMETER_BYTES}};
    struct gpu_function function = {.handle = NULL};
    *ret_found = false;
    if (name[0] == '\0' || strcmp(name, module->name) == 0) {
        *ret_found = true;
        *ret_function = module->kernel;
        return STATUS_OK;
    }
    for (size_t i = 0; i < COUNT(spelling); i++) {
        char symbol[2 * GPU_KERNEL_NAME_MAX];
        (void)snprintf(symbol, sizeof symbol, "_Z%zu%s%s", strlen(name), name,
                       spelling[i].parameters);
        function.parameter_bytes = spelling[i].bytes;
        if (driver->api.module_function(&function.handle, module->handle, symbol) ==
            CUDA_RESULT_SUCCESS) {
            // A file can give one of these names to a function with other parameters.
            bool takes = false;
            enum status status = function_check(driver, &function, &takes, err);
            if (!status && takes) {
                *ret_found = true;
                *ret_function = function;
            }
            return status;
        }
    }
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
    module->kernel = (struct gpu_function){.parameter_bytes = KERNEL_PARAMETER_BYTES};
    result = driver->api.module_function(&module->kernel.handle, module->handle, module->name);
    if (result == CUDA_RESULT_SUCCESS) {
        result = driver->api.module_function(&module->configure, module->handle, config);
    }
    if (result != CUDA_RESULT_SUCCESS) {
        return cuda_fail(driver, result, "finding the kernel in the cubin", err);
    }
    bool takes = false;
    enum status status = function_check(driver, &module->kernel, &takes, err);
    if (!status &&
        (!takes || !parameters_check(driver, module->configure, config_list, CONFIG_PARAMETERS))) {
        // The compile box has checked the parameters of both.
        status = fail(err, STATUS_SYSTEM,
                      "%s: the cubin's parameters are not those of the contract", module->name);
    }
    return status;
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
