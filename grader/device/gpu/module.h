// The kernels of one cubin, loaded into the current context, with their parameters checked.
#ifndef DEVICE_GPU_MODULE_H
#define DEVICE_GPU_MODULE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/limits.h"
#include "base/size.h"
#include "device/gpu/driver.h"
#include "emu/wire/launch_plan.h"

#define GPU_KERNEL_NAME_MAX (2 * NAME_BYTES_MAX)

#define GPU_TENSORS_BYTES     (PLAN_TENSORS_MAX * CUDA_TENSOR_MAP_BYTES)
#define GPU_TENSORS_ALIGNMENT 64
#define GPU_PARAMETER_BYTES_MAX                                                                    \
    ((ARGUMENTS_MAX + 1) * 8 + GPU_TENSORS_ALIGNMENT + GPU_TENSORS_BYTES)

// The parameters of a kernel, laid out as device code expects them.
struct gpu_parameters {
    uint32_t count;
    struct {
        size_t offset, bytes;
    } one[ARGUMENTS_MAX + 1];
    size_t bytes;  // without the padding at the end
};
struct gpu_parameters gpu_parameters_of(const struct arguments *arguments, bool workspace);

// The parameters of a launch configuration.
struct config_parameters {
    cuda_address launch;
    int32_t size[SIZE_RANK_MAX];
};
static inline size_t gpu_config_bytes(struct size size) {
    return offsetof(struct config_parameters, size) + (size_t)size_rank(size) * sizeof(int32_t);
}

struct gpu_function {
    cuda_function_handle handle;
    size_t parameter_bytes;  // of its parameters, once these are checked
    size_t tensors_offset;   // offset of its tensor maps among them; 0: it takes none
    uint64_t static_bytes;   // shared memory that the kernel declares
    uint64_t local_bytes;    // local memory of each thread
    uint32_t threads_max;    // maximum for a block of this kernel
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

// Loads it, again if it was loaded: static device data then has its initial values.
// Errors: STATUS_SYSTEM: the driver refuses it; STATUS_NO_MEMORY.
enum status gpu_module_load(const struct cuda_driver *driver, struct gpu_module *module,
                            struct error *err);

// Checks the parameters of the exercise's kernel and of its configuration.
// Errors: STATUS_SYSTEM: the parameters differ.
enum status gpu_module_check(const struct cuda_driver *driver, struct gpu_module *module,
                             const struct arguments *arguments, struct size size,
                             struct error *err);

// Finds a kernel by its name in LAUNCH, or the exercise's own kernel by its name.
//
// Returns  a function without handle if the file has no such kernel with the parameters of the
//          exercise, or these and a workspace.
enum status gpu_module_function(const struct cuda_driver *driver, const struct gpu_module *module,
                                const struct arguments *arguments, const char *name,
                                struct gpu_function *ret_function, struct error *err);

// Unloads it (while the context lives), and frees its host memory.
void gpu_module_unload(const struct cuda_driver *driver, struct gpu_module *module);
void gpu_module_done(struct gpu_module *module);

#endif
