// Is there a GPU that can be used?  Asked of build/tilegrade-nvrtc in the sandbox, because CUDA starts threads and maps huge
// ranges, which the judge must not have.
#ifndef APP_GPU_FIND_H
#define APP_GPU_FIND_H

#include <stdbool.h>

#include "device/build.h"

struct gpu_found {
    bool usable;           // a driver, a GPU and NVRTC
    char why[256];         // what is missing, if not usable
    int number;            // device number
    char name[128];        // "NVIDIA H200"
    char architecture[16]; // "sm_90"
    char driver[256];      // for doctor: "found: CUDA 13.0" or what is missing
    char compiler[256];    // the same of NVRTC
};

// Errors: STATUS_SYSTEM, STATUS_NO_MEMORY: the question could not be asked.  A machine without a GPU is no error.
enum status gpu_find(const struct device_paths *paths, struct gpu_found *ret_found, struct error *err);

#endif
