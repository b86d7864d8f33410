// Which GPU can be used?  Asked of build/tilegrade-nvrtc in the sandbox: CUDA starts threads and
// maps huge ranges, which the judge must not have.
#ifndef APP_GPU_FIND_H
#define APP_GPU_FIND_H

#include "device/build/build.h"
#include "device/gpu/info.h"
#include "sandbox/sandbox.h"

// sandbox: the one that workers will run in, so that a GPU they may not use does not count.
// Errors: STATUS_SYSTEM, STATUS_NO_MEMORY: the probe could not run.  A machine without a GPU is not
// an error.
enum status gpu_find(const struct device_paths *paths, const struct sandbox *sandbox,
                     struct gpu_info *ret_info, struct error *err);

// Why no GPU can be used; NULL if one can.
const char *gpu_missing(const struct gpu_info *info);

#endif
