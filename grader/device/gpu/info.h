// Which GPUs there are, found out by another process: the judge never loads CUDA.
#ifndef DEVICE_GPU_INFO_H
#define DEVICE_GPU_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "device/gpu/uuid.h"

#define GPUS_MAX     16
#define GPU_NAME_MAX 96  // bytes of a device's name, with the final NUL

struct gpu {
    int index;                // CUDA's device number
    char name[GPU_NAME_MAX];  // "NVIDIA H200"
    char uuid[GPU_UUID_MAX];
    char architecture[16];  // "sm_90"
    int multiprocessors;
    int clock_khz;  // highest clock of the SMs
    int64_t memory_bytes;
    int64_t l2_bytes;
    bool pageable_memory_access;  // device code can reach all memory of its process
};

struct gpu_info {
    int driver_version;  // the CUDA version that it supports: 13000 for 13.0; 0 without a driver
    char driver_reason[ERROR_TEXT_MAX];  // why there is no usable GPU; "" if there is one
    int nvrtc_major, nvrtc_minor;        // 0 if there is none
    char nvrtc_path[PATH_BYTES_MAX];
    char nvrtc_reason[ERROR_TEXT_MAX];  // why there is none; "" if there is one
    bool toolkit_headers;               // cuda_fp16.h and mma.h are there
    int gpu_count;
    struct gpu gpus[GPUS_MAX];
};

// Loads the driver and NVRTC and describes them as JSON.  A machine with neither is an ordinary
// answer. Call it in a process of its own (tilegrade-nvrtc --probe).  Errors: STATUS_NO_MEMORY.
// Owns: the caller frees *ret_text.
enum status gpu_info_probe(char **ret_text, struct error *err);

// Reads that JSON, which came from another process.  Errors: STATUS_SYSTEM: it is not what
// gpu_info_probe writes.
enum status gpu_info_parse(const char *json, struct gpu_info *ret_info, struct error *err);

#endif
