// libcuda.so.1 comes with the driver, not with the toolkit; without it there is no GPU to
// use.
#include "device/gpu/driver.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "base/array.h"

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
