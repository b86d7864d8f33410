// What NVML reports about the GPU: clocks, why they are low, heat and power.  NVML comes with the
// driver; if it is absent or cannot say, the state is recorded as unknown.
#ifndef DEVICE_GPU_CLOCKS_H
#define DEVICE_GPU_CLOCKS_H

#include "device/gpu/uuid.h"
#include "device/channel/timed.h"

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

// Loads NVML and finds the GPU of that UUID.  A missing library is not an error.
void gpu_clocks_open(const char *uuid, struct gpu_clocks *clocks);

// The same with functions that the caller has.
void gpu_clocks_use(const struct nvml_api *api, const char *uuid, struct gpu_clocks *clocks);

struct gpu_state gpu_clocks_read(const struct gpu_clocks *clocks);

#endif
