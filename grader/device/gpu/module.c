// A cubin comes from the compile box, so each kernel loaded from it is checked before it is
// launched.
#include "device/gpu/module.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/file.h"
#include "device/device.h"

struct gpu_parameters gpu_parameters_of(const struct arguments *arguments, bool workspace) {
    struct gpu_parameters list = {.count = 0};
    for (uint32_t i = 0; i < arguments->count + workspace; i++) {
        const struct argument *argument = &arguments->list[i];
        bool is_pointer = i == arguments->count || argument->kind == ARGUMENT_ARRAY;
        if (i < arguments->count && argument->kind == ARGUMENT_CONSTANT) {
            continue;
        }
        size_t bytes = is_pointer ? sizeof(cuda_address) : argument->one_bytes;
        list.one[list.count].offset = (list.bytes + bytes - 1) / bytes * bytes;
        list.one[list.count].bytes = bytes;
        list.bytes = list.one[list.count].offset + bytes;
        list.count++;
    }
    return list;
}

// Does the function have exactly these parameters?  cuFuncGetParamInfo fails after the last one.
// Older drivers lack it; with them, a parameter block of the exact size keeps a longer list from
// reading our memory.
static bool parameters_check(const struct cuda_driver *driver, cuda_function_handle function,
                             const struct gpu_parameters *list) {
    if (!driver->api.function_parameter) {
        return true;
    }
    for (size_t i = 0; i <= list->count; i++) {
        size_t offset = 0;
        size_t bytes = 0;
        cuda_result result = driver->api.function_parameter(function, i, &offset, &bytes);
        if (i == list->count) {
            return result != CUDA_RESULT_SUCCESS;
        }
        if (result != CUDA_RESULT_SUCCESS || offset != list->one[i].offset ||
            bytes != list->one[i].bytes) {
            return false;
        }
    }
    return false;
}

// Does it have these parameters and, after them, tensor maps?  The offset of the maps depends on
// the GPU, because their address in constant memory is a multiple of 64.  Older drivers cannot
// report it.
static bool tensors_find(const struct cuda_driver *driver, struct gpu_function *function,
                         const struct gpu_parameters *list) {
    size_t offset = 0;
    size_t bytes = 0;
    if (!driver->api.function_parameter) {
        return false;
    }
    for (size_t i = 0; i <= list->count; i++) {
        bool maps = i == list->count;
        cuda_result result = driver->api.function_parameter(function->handle, i, &offset, &bytes);
        if (result != CUDA_RESULT_SUCCESS ||
            bytes != (maps ? GPU_TENSORS_BYTES : list->one[i].bytes) ||
            (maps ? offset < list->bytes || offset - list->bytes >= GPU_TENSORS_ALIGNMENT
                  : offset != list->one[i].offset)) {
            return false;
        }
    }
    function->tensors_offset = offset;
    function->parameter_bytes = offset + bytes;
    return driver->api.function_parameter(function->handle, list->count + 1, &offset, &bytes) !=
           CUDA_RESULT_SUCCESS;
}

// A configuration takes the address of its output, and the sizes.
static struct gpu_parameters config_list_of(struct size size) {
    struct gpu_parameters list = {.count = 1 + (uint32_t)size_rank(size)};
    list.one[0].bytes = sizeof(cuda_address);
    for (uint32_t i = 1; i < list.count; i++) {
        list.one[i].offset = sizeof(cuda_address) + (i - 1) * sizeof(int32_t);
        list.one[i].bytes = sizeof(int32_t);
    }
    return list;
}

static enum status attributes_read(const struct cuda_driver *driver, struct gpu_function *function,
                                   struct error *err) {
    int threads = 0;
    int bytes = 0;
    int local = 0;
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

// The parameters of a mangled name.  A repeated type is written as its number.
// Source: Itanium C++ ABI, 5.1 "External Names (a.k.a. Mangling)".
struct mangling {
    char text[2 * GPU_KERNEL_NAME_MAX];
    char known[3 * (ARGUMENTS_MAX + 1)][ARGUMENT_TYPE_BYTES + 2];  // "PK" and a type
    int known_count;
};

static void text_add(struct mangling *mangling, const char *text) {
    size_t used = strlen(mangling->text);
    (void)snprintf(mangling->text + used, sizeof mangling->text - used, "%s", text);
}

// Writes the number of a type that has occurred before; false if it has not.
static bool known_add(struct mangling *mangling, const char *type) {
    for (int i = 0; i < mangling->known_count; i++) {
        if (strcmp(mangling->known[i], type) == 0) {
            char number[16] = "S_";
            if (i > 0) {
                (void)snprintf(number, sizeof number, "S%d_", i - 1);
            }
            text_add(mangling, number);
            return true;
        }
    }
    return false;
}

// Writes "PKf": each prefix forms a type of its own, known once the type that it points to is
// known.
static void type_add(struct mangling *mangling, const char *type) {
    bool is_builtin = type[1] == '\0';
    if (!is_builtin && known_add(mangling, type)) {
        return;
    }
    if (type[0] == 'P' || type[0] == 'K') {
        text_add(mangling, (const char[]){type[0], '\0'});
        type_add(mangling, type + 1);
    } else {
        text_add(mangling, type);
    }
    if (!is_builtin) {
        (void)snprintf(mangling->known[mangling->known_count++], sizeof mangling->known[0], "%s",
                       type);
    }
}

// "_Z3addPKfS0_Pfi" of add; with a workspace, "_Z3addPKfS0_PfiS1_"; with tensor maps after it,
// "_Z3addPKfS0_PfiS1_11tensor_maps".
static void symbol_write(const struct arguments *arguments, const char *name, bool workspace,
                         bool tensors, struct mangling *mangling) {
    memset(mangling, 0, sizeof *mangling);
    (void)snprintf(mangling->text, sizeof mangling->text, "_Z%zu%s", strlen(name), name);
    for (uint32_t i = 0; i < arguments->count; i++) {
        const struct argument *argument = &arguments->list[i];
        bool is_array = argument->kind == ARGUMENT_ARRAY;
        char type[ARGUMENT_TYPE_BYTES + 2];
        (void)snprintf(type, sizeof type, "%s%s",
                       !is_array            ? ""
                       : argument->is_input ? "PK"
                                            : "P",
                       argument->type);
        if (argument->kind != ARGUMENT_CONSTANT) {
            type_add(mangling, type);
        }
    }
    if (workspace) {
        type_add(mangling, "Pf");
    }
    if (tensors) {
        text_add(mangling, "11tensor_maps");
    }
}

enum status gpu_module_function(const struct cuda_driver *driver, const struct gpu_module *module,
                                const struct arguments *arguments, const char *name,
                                struct gpu_function *ret_function, struct error *err) {
    *ret_function = (struct gpu_function){.handle = NULL};
    // The exercise's own kernel is extern "C".
    if (name[0] == '\0' || strcmp(name, module->name) == 0) {
        *ret_function = module->kernel;
        return STATUS_OK;
    }
    for (int more = 2; more >= 0; more--) {
        struct mangling symbol;
        struct gpu_function function = {.handle = NULL};
        bool tensors = more == 2;
        struct gpu_parameters list = gpu_parameters_of(arguments, more > 0);
        symbol_write(arguments, name, more > 0, tensors, &symbol);
        function.parameter_bytes = list.bytes;
        if (driver->api.module_function(&function.handle, module->handle, symbol.text) ==
            CUDA_RESULT_SUCCESS) {
            // A file can give one of these names to a function with other parameters.
            enum status status = attributes_read(driver, &function, err);
            if (!status && (tensors ? tensors_find(driver, &function, &list)
                                    : parameters_check(driver, function.handle, &list))) {
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
    module->kernel = (struct gpu_function){.handle = NULL};
    result = driver->api.module_function(&module->kernel.handle, module->handle, module->name);
    if (result == CUDA_RESULT_SUCCESS) {
        result = driver->api.module_function(&module->configure, module->handle, config);
    }
    return result == CUDA_RESULT_SUCCESS
               ? attributes_read(driver, &module->kernel, err)
               : cuda_fail(driver, result, "finding the kernel in the cubin", err);
}

enum status gpu_module_check(const struct cuda_driver *driver, struct gpu_module *module,
                             const struct arguments *arguments, struct size size,
                             struct error *err) {
    const struct gpu_parameters config = config_list_of(size);
    bool fits = false;
    // The compile box has checked the parameters of both.  With a driver that cannot report them, a
    // kernel gets no workspace.
    for (int workspace = 0; workspace <= 1 && !fits; workspace++) {
        const struct gpu_parameters list = gpu_parameters_of(arguments, workspace);
        fits = parameters_check(driver, module->kernel.handle, &list);
        module->kernel.parameter_bytes = list.bytes;
    }
    return fits && parameters_check(driver, module->configure, &config)
               ? STATUS_OK
               : fail(err, STATUS_SYSTEM,
                      "%s: the cubin's parameters are not those of the contract", module->name);
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
