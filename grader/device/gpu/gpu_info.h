// The GPUs of this machine: a list of them, and the state of one.
#ifndef DEVICE_GPU_GPU_INFO_H
#define DEVICE_GPU_GPU_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "device/channel/protocol.h"
#include "device/gpu/driver.h"

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
    bool toolkit_headers;               // cuda_fp16.h and mma.h were found
    int gpu_count;
    struct gpu gpus[GPUS_MAX];
};

// Loads the driver and NVRTC and describes them as JSON.  A machine with neither is an ordinary
// answer. Call it in a process of its own (tilegrade-nvrtc --probe).  Errors: STATUS_NO_MEMORY.
// Owns: the caller frees *ret_text.
enum status gpu_info_probe(char **ret_text, struct error *err);

// Reads that JSON, which came from another process.  Errors: STATUS_SYSTEM: it is not the output of
// gpu_info_probe.
enum status gpu_info_parse(const char *json, struct gpu_info *ret_info, struct error *err);

typedef struct nvml_device *nvml_handle;

// The functions that are used; 0 is success.  Numbers of clocks, sensors and reasons are NVML's.
// Source: NVIDIA Management Library, API reference, releases 450 to 580.
struct nvml_api {
    int (*init)(void);
    int (*device_by_uuid)(const char *uuid, nvml_handle *device);
    int (*device_of_part)(nvml_handle part, nvml_handle *device);  // NULL: an older release
    int (*clock)(nvml_handle device, int domain, unsigned *mhz);
    int (*reasons)(nvml_handle device, unsigned long long *reasons);
    int (*temperature)(nvml_handle device, int sensor, unsigned *celsius);
    int (*power)(nvml_handle device, unsigned *milliwatts);
};

struct gpu_clocks {
    struct nvml_api api;
    nvml_handle device;  // NULL: nothing is known
};

// Loads NVML and finds the GPU with this UUID.  A missing library is not an error.
void gpu_clocks_open(const char *uuid, struct gpu_clocks *clocks);

// The same with functions from the caller.
void gpu_clocks_use(const struct nvml_api *api, const char *uuid, struct gpu_clocks *clocks);

struct gpu_state gpu_clocks_read(const struct gpu_clocks *clocks);

#endif
