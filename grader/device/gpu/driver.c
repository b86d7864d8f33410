// libcuda.so.1 comes with the driver, not with the toolkit; without it there is no GPU to use.
#include "device/gpu/driver.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/basics.h"
#include "base/file.h"

// Folders to look in after the loader's own list.  A leading $NAME is an environment variable; *
// matches names.
static const char *const library_folders[] = {
    "$CUDA_HOME/lib64",
    "$CUDA_PATH/lib64",
    "/usr/local/cuda/lib64",
    "/usr/local/cuda-*/lib64",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "$VIRTUAL_ENV/lib/python3*/site-packages/nvidia/*/lib",
    "$HOME/.local/lib/python3*/site-packages/nvidia/*/lib",
    "/usr/local/lib/python3*/*-packages/nvidia/*/lib",
    "/usr/lib/python3*/*-packages/nvidia/*/lib",
    "/opt/*/.venv/lib/python3*/site-packages/nvidia/*/lib",
};

bool library_symbol(void *library, const char *name, void *ret_function) {
    void *symbol = dlsym(library, name);
    memcpy(ret_function, &symbol, sizeof symbol);
    return symbol != NULL;
}

// Puts the value of a leading $NAME into pattern.  False if the variable is unset or the result
// too long.
static bool folder_expand(const char *folder, char pattern[PATH_BYTES_MAX]) {
    if (folder[0] != '$') {
        return path_make(pattern, NULL, "%s", folder) == STATUS_OK;
    }
    const char *rest = strchr(folder, '/');
    char name[32];
    (void)snprintf(name, sizeof name, "%.*s", (int)(rest - folder - 1), folder + 1);
    const char *value = getenv(name);
    return value && value[0] == '/' && path_make(pattern, NULL, "%s%s", value, rest) == STATUS_OK;
}

// Tries one file name in every folder that the pattern matches.
static void *load_from(const char *folder, const char *name) {
    char expanded[PATH_BYTES_MAX];
    char pattern[PATH_BYTES_MAX];
    glob_t found = {.gl_pathc = 0};
    void *library = NULL;
    if (!folder_expand(folder, expanded) ||
        path_make(pattern, NULL, "%s/%s", expanded, name) != STATUS_OK) {
        return NULL;
    }
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = found.gl_pathc; i > 0 && !library; i--) {  // the highest version first
            library = dlopen(found.gl_pathv[i - 1], RTLD_NOW | RTLD_LOCAL);
        }
    }
    globfree(&found);
    return library;
}

void *library_open(const char *const *names, size_t count) {
    size_t folders = COUNT(library_folders);
    void *library = NULL;
    for (size_t i = 0; i < count && !library; i++) {
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    }
    for (size_t i = 0; i < count && !library; i++) {
        for (size_t k = 0; k < folders && !library; k++) {
            library = load_from(library_folders[k], names[i]);
        }
    }
    return library;
}

// Where containers and distributions put the library if the loader's own list lacks it.
static const char *const driver_paths[] = {
    "libcuda.so.1",
    "/usr/lib/x86_64-linux-gnu/libcuda.so.1",
    "/usr/lib/aarch64-linux-gnu/libcuda.so.1",
    "/usr/lib64/libcuda.so.1",
    "/usr/local/nvidia/lib64/libcuda.so.1",
    "/usr/lib/wsl/lib/libcuda.so.1",
};

static void *driver_load(void) {
    for (size_t i = 0; i < COUNT(driver_paths); i++) {
        void *library = dlopen(driver_paths[i], RTLD_NOW | RTLD_LOCAL);
        if (library) {
            return library;
        }
    }
    return NULL;
}

// ISO C has no conversion from an object pointer to a function pointer; POSIX promises that the
// bytes agree.
static bool symbol_find(void *library, const char *name, void *ret_function) {
    void *symbol = dlsym(library, name);
    memcpy(ret_function, &symbol, sizeof symbol);
    return symbol != NULL;
}

// The name of the first function that is missing, or NULL.
static const char *api_fill(void *library, struct cuda_api *api) {
#define CUDA_FIND(member, name, parameters)                                                        \
    if (!symbol_find(library, name, &api->member)) {                                               \
        return name;                                                                               \
    }
    CUDA_FUNCTIONS(CUDA_FIND)
#undef CUDA_FIND
#define CUDA_FIND_OPTIONAL(member, name, parameters) (void)symbol_find(library, name, &api->member);
    CUDA_OPTIONAL_FUNCTIONS(CUDA_FIND_OPTIONAL)
#undef CUDA_FIND_OPTIONAL
    return NULL;
}

enum status cuda_driver_open(struct cuda_driver *ret_driver, struct error *err) {
    struct cuda_driver driver = {.library = driver_load()};
    if (!driver.library) {
        return fail(
            err, STATUS_UNAVAILABLE,
            "no NVIDIA driver: libcuda.so.1 was not found; install the driver to use a GPU");
    }
    const char *missing = api_fill(driver.library, &driver.api);
    if (missing) {
        return fail(err, STATUS_UNAVAILABLE,
                    "the NVIDIA driver is too old: it has no %s; install one for CUDA 11 or newer",
                    missing);
    }
    cuda_result result = driver.api.init(0);
    if (result != CUDA_RESULT_SUCCESS) {
        return fail(err, STATUS_UNAVAILABLE, "the NVIDIA driver finds no usable GPU: %s (%s)",
                    cuda_error_text(&driver, result), cuda_error_name(&driver, result));
    }
    if (driver.api.driver_version(&driver.version) != CUDA_RESULT_SUCCESS) {
        driver.version = 0;
    }
    *ret_driver = driver;
    return STATUS_OK;
}

const char *cuda_error_name(const struct cuda_driver *driver, cuda_result result) {
    const char *text = NULL;
    if (driver->api.error_name(result, &text) != CUDA_RESULT_SUCCESS || !text) {
        return "unknown CUDA error";
    }
    return text;
}

const char *cuda_error_text(const struct cuda_driver *driver, cuda_result result) {
    const char *text = NULL;
    if (driver->api.error_text(result, &text) != CUDA_RESULT_SUCCESS || !text) {
        return "unknown CUDA error";
    }
    return text;
}

enum status cuda_fail(const struct cuda_driver *driver, cuda_result result, const char *what,
                      struct error *err) {
    enum status status = result == CUDA_RESULT_OUT_OF_MEMORY ? STATUS_NO_MEMORY : STATUS_SYSTEM;
    return fail(err, status, "%s: %s (%s)", what, cuda_error_text(driver, result),
                cuda_error_name(driver, result));
}

static void uuid_format(const char *prefix, const struct cuda_uuid *uuid, char text[GPU_UUID_MAX]) {
    const unsigned char *b = uuid->bytes;
    (void)snprintf(text, GPU_UUID_MAX,
                   "%s-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
                   prefix, b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11],
                   b[12], b[13], b[14], b[15]);
}

void gpu_uuid_of(const struct cuda_driver *driver, cuda_device device, char text[GPU_UUID_MAX]) {
    struct cuda_uuid whole = {.bytes = {0}};
    struct cuda_uuid part = {.bytes = {0}};
    text[0] = '\0';
    if (driver->api.device_uuid(&whole, device) != CUDA_RESULT_SUCCESS) {
        return;
    }
    bool is_part = driver->api.device_uuid_of_part &&
                   driver->api.device_uuid_of_part(&part, device) == CUDA_RESULT_SUCCESS &&
                   memcmp(&whole, &part, sizeof whole) != 0;
    uuid_format(is_part ? "MIG" : "GPU", is_part ? &part : &whole, text);
}
