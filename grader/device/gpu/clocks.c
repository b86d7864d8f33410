// A GPU that is split into MIG instances has clocks only as a whole, so they are read from the
// parent device of the instance.
#include "device/gpu/clocks.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

#define CLOCK_SM           1
#define CLOCK_MEMORY       2
#define SENSOR_GPU         0
#define UUID_START_OF_PART "MIG-"

static bool symbol_find(void *library, const char *name, void *ret_function) {
    void *symbol = dlsym(library, name);
    memcpy(ret_function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static bool api_fill(void *library, struct nvml_api *api) {
    (void)symbol_find(library, "nvmlDeviceGetDeviceHandleFromMigDeviceHandle",
                      &api->device_of_part);
    // The newer name of the clocks' reasons leads to the same function as the older one.
    return symbol_find(library, "nvmlInit_v2", &api->init) &&
           symbol_find(library, "nvmlDeviceGetHandleByUUID", &api->device_by_uuid) &&
           symbol_find(library, "nvmlDeviceGetClockInfo", &api->clock) &&
           symbol_find(library, "nvmlDeviceGetTemperature", &api->temperature) &&
           symbol_find(library, "nvmlDeviceGetPowerUsage", &api->power) &&
           (symbol_find(library, "nvmlDeviceGetCurrentClocksEventReasons", &api->reasons) ||
            symbol_find(library, "nvmlDeviceGetCurrentClocksThrottleReasons", &api->reasons));
}

void gpu_clocks_open(const char *uuid, struct gpu_clocks *clocks) {
    static const char *const paths[] = {
        "libnvidia-ml.so.1",
        "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1",
        "/usr/lib64/libnvidia-ml.so.1",
        "/usr/local/nvidia/lib64/libnvidia-ml.so.1",
        "/usr/lib/wsl/lib/libnvidia-ml.so.1",
    };
    struct nvml_api api = {.init = NULL};
    void *library = NULL;
    *clocks = (struct gpu_clocks){.device = NULL};
    for (size_t i = 0; i < COUNT(paths) && !library; i++) {
        library = dlopen(paths[i], RTLD_NOW | RTLD_LOCAL);
    }
    if (library && api_fill(library, &api)) {
        gpu_clocks_use(&api, uuid, clocks);
    }
}

void gpu_clocks_use(const struct nvml_api *api, const char *uuid, struct gpu_clocks *clocks) {
    nvml_handle device = NULL;
    nvml_handle whole = NULL;
    *clocks = (struct gpu_clocks){.api = *api};
    if (api->init() != 0 || api->device_by_uuid(uuid, &device) != 0) {
        return;
    }
    if (text_starts(uuid, UUID_START_OF_PART)) {
        if (!api->device_of_part || api->device_of_part(device, &whole) != 0) {
            return;
        }
        device = whole;
    }
    clocks->device = device;
}

struct gpu_state gpu_clocks_read(const struct gpu_clocks *clocks) {
    struct gpu_state state = {.known = 0};
    const struct nvml_api *api = &clocks->api;
    unsigned sm = 0;
    unsigned memory = 0;
    unsigned celsius = 0;
    unsigned milliwatts = 0;
    unsigned long long reasons = 0;
    if (!clocks->device) {
        return state;
    }
    if (api->clock(clocks->device, CLOCK_SM, &sm) == 0 &&
        api->clock(clocks->device, CLOCK_MEMORY, &memory) == 0) {
        state.known |= GPU_STATE_CLOCKS;
        state.sm_mhz = sm;
        state.memory_mhz = memory;
    }
    if (api->reasons(clocks->device, &reasons) == 0) {
        state.known |= GPU_STATE_REASONS;
        state.reasons = (uint32_t)reasons;
    }
    if (api->temperature(clocks->device, SENSOR_GPU, &celsius) == 0) {
        state.known |= GPU_STATE_HEAT;
        state.celsius = celsius;
    }
    if (api->power(clocks->device, &milliwatts) == 0) {
        state.known |= GPU_STATE_POWER;
        state.milliwatts = milliwatts;
    }
    return state;
}
