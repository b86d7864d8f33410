// The kernels of one cubin, loaded into the current context, with their parameters checked.
#ifndef DEVICE_GPU_MODULE_H
#define DEVICE_GPU_MODULE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/limits.h"
#include "device/gpu/driver.h"

#define GPU_KERNEL_NAME_MAX (2 * NAME_BYTES_MAX)

// The parameters of the kernel and of its launch configuration, laid out as device code expects
// them.
struct kernel_parameters {
    cuda_address a, b, c;
    int32_t m, n, k;
    cuda_address workspace;  // used by kernels that take it
};
struct config_parameters {
    cuda_address launch;
    int32_t m, n, k;
};
// The size without the padding at the end.
#define KERNEL_PARAMETER_BYTES    (offsetof(struct kernel_parameters, k) + sizeof(int32_t))
#define WORKSPACE_PARAMETER_BYTES sizeof(struct kernel_parameters)
#define CONFIG_PARAMETER_BYTES    (offsetof(struct config_parameters, k) + sizeof(int32_t))

struct gpu_function {
    cuda_function_handle handle;
    size_t parameter_bytes;  // KERNEL_PARAMETER_BYTES or WORKSPACE_PARAMETER_BYTES
    uint64_t static_bytes;   // shared memory that the kernel declares
    uint64_t local_bytes;    // local memory of each thread
    uint32_t threads_max;    // the most that a block of this kernel may have
};

struct gpu_module {
    char *image;  // the bytes of the cubin
    char name[GPU_KERNEL_NAME_MAX];
    cuda_module_handle handle;   // NULL: not loaded
    struct gpu_function kernel;  // the exercise's own
    cuda_function_handle configure;
};

// Reads a cubin; nothing is loaded yet.  Errors: those of file_read; STATUS_BAD_USAGE: the name is
// too long.
enum status gpu_module_read(const char *path, const char *kernel, struct gpu_module *ret_module,
                            struct error *err);

// Loads it, again if it was loaded: static device data is then as in the file.
// Errors: STATUS_SYSTEM: the driver refuses it, or the kernel has other parameters;
// STATUS_NO_MEMORY.
enum status gpu_module_load(const struct cuda_driver *driver, struct gpu_module *module,
                            struct error *err);

// Finds a kernel by the name that LAUNCH has for it, or the exercise's own by its name.
//
// Returns  false if the file has no such kernel.
// Errors   STATUS_SYSTEM: its parameters are not those that matmul.cuh requires of a kernel.
enum status gpu_module_function(const struct cuda_driver *driver, const struct gpu_module *module,
                                const char *name, bool *ret_found,
                                struct gpu_function *ret_function, struct error *err);

// Unloads it (while the context lives), and frees what the host holds.
void gpu_module_unload(const struct cuda_driver *driver, struct gpu_module *module);
void gpu_module_done(struct gpu_module *module);

#endif
