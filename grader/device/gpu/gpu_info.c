// Both halves of one format: the probe, which loads CUDA, writes it; the judge reads it.
//
// A GPU that is split into MIG instances has clocks only as a whole, so they are read from the
// parent device of the instance.
#include "device/gpu/gpu_info.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/basics.h"
#include "base/text.h"
#include "base/words.h"
#include "device/gpu/driver.h"
#include "device/gpu/nvrtc_api.h"

#define PROBE_BYTES_MAX (1u << 20)

static int attribute_of(const struct cuda_driver *driver, cuda_device device, int attribute) {
    int value = 0;
    return driver->api.device_attribute(&value, attribute, device) == CUDA_RESULT_SUCCESS ? value
                                                                                          : 0;
}

// One device as JSON; NULL: no memory, or the driver does not know it.
static json_t *device_describe(const struct cuda_driver *driver, int index) {
    cuda_device device = 0;
    char name[GPU_NAME_MAX] = "";
    char uuid_text[GPU_UUID_MAX] = "";
    char architecture[16];
    size_t memory = 0;
    if (driver->api.device_get(&device, index) != CUDA_RESULT_SUCCESS ||
        driver->api.device_name(name, (int)sizeof name - 1, device) != CUDA_RESULT_SUCCESS ||
        driver->api.device_memory(&memory, device) != CUDA_RESULT_SUCCESS) {
        return NULL;
    }
    gpu_uuid_of(driver, device, uuid_text);
    (void)snprintf(architecture, sizeof architecture, "sm_%d%d",
                   attribute_of(driver, device, CUDA_DEVICE_CAPABILITY_MAJOR),
                   attribute_of(driver, device, CUDA_DEVICE_CAPABILITY_MINOR));
    return json_pack("{s:i, s:s, s:s, s:s, s:i, s:i, s:I, s:I, s:b}", "index", index, "name", name,
                     "uuid", uuid_text, "architecture", architecture, "multiprocessors",
                     attribute_of(driver, device, CUDA_DEVICE_MULTIPROCESSORS), "clock_khz",
                     attribute_of(driver, device, CUDA_DEVICE_CLOCK_KHZ), "memory_bytes",
                     (json_int_t)memory, "l2_bytes",
                     (json_int_t)attribute_of(driver, device, CUDA_DEVICE_L2_BYTES),
                     "pageable_memory_access",
                     attribute_of(driver, device, CUDA_DEVICE_PAGEABLE_MEMORY_ACCESS) != 0);
}

// The driver's part.  Returns the list of GPUs, empty if there is none; the reason is "" if
// there is one.
static json_t *driver_probe(int *ret_version, char reason[ERROR_TEXT_MAX]) {
    struct cuda_driver driver;
    struct error err = {.text = ""};
    int count = 0;
    json_t *gpus = json_array();
    *ret_version = 0;
    reason[0] = '\0';
    if (cuda_driver_open(&driver, &err)) {
        (void)snprintf(reason, ERROR_TEXT_MAX, "%s", err.text);
        return gpus;
    }
    *ret_version = driver.version;
    cuda_result result = driver.api.device_count(&count);
    for (int i = 0; result == CUDA_RESULT_SUCCESS && i < count && i < GPUS_MAX; i++) {
        json_t *gpu = device_describe(&driver, i);
        if (gpu) {
            (void)json_array_append_new(gpus, gpu);
        }
    }
    if (json_array_size(gpus) == 0) {
        (void)snprintf(reason, ERROR_TEXT_MAX, _("the NVIDIA driver lists no GPU that answers"));
    }
    return gpus;
}

enum status gpu_info_probe(char **ret_text, struct error *err) {
    int version = 0;
    char reason[ERROR_TEXT_MAX];
    struct error nvrtc_err = {.text = ""};
    struct nvrtc *nvrtc = calloc(1, sizeof *nvrtc);
    if (!nvrtc) {
        return fail(err, STATUS_NO_MEMORY, "no memory to describe the GPUs");
    }
    bool has_nvrtc = nvrtc_open(nvrtc, &nvrtc_err) == STATUS_OK;
    json_t *gpus = driver_probe(&version, reason);
    // "o" takes over the list, even if packing fails.
    json_t *root =
        json_pack("{s:i, s:s, s:i, s:i, s:s, s:s, s:b, s:o}", "driver_version", version,
                  "driver_reason", reason, "nvrtc_major", nvrtc->major, "nvrtc_minor", nvrtc->minor,
                  "nvrtc_path", nvrtc->path, "nvrtc_reason", has_nvrtc ? "" : nvrtc_err.text,
                  "toolkit_headers", nvrtc->toolkit[0] != '\0', "gpus", gpus);
    char *text = root ? json_dumps(root, JSON_INDENT(2)) : NULL;
    json_decref(root);
    free(nvrtc);
    if (!text) {
        return fail(err, STATUS_NO_MEMORY, "no memory to describe the GPUs");
    }
    *ret_text = text;
    return STATUS_OK;
}

// Copies a text that must fit.
static bool text_take(const char *from, char *to, size_t bytes) {
    size_t length = strlen(from);
    if (length >= bytes) {
        return false;
    }
    memcpy(to, from, length + 1);
    return true;
}

// "sm_90", "sm_120": it becomes an option of the compiler.
static bool architecture_check(const char *text) {
    size_t digits = text_starts(text, "sm_") ? strspn(text + 3, "0123456789") : 0;
    return digits >= 2 && digits <= 3 && text[3 + digits] == '\0';
}

static bool gpu_read(json_t *value, struct gpu *gpu) {
    const char *name = "";
    const char *uuid = "";
    const char *architecture = "";
    json_int_t memory = 0;
    json_int_t l2 = 0;
    int pageable = 0;
    if (json_unpack(value, "{s:i, s:s, s:s, s:s, s:i, s:i, s:I, s:I, s:b}", "index", &gpu->index,
                    "name", &name, "uuid", &uuid, "architecture", &architecture, "multiprocessors",
                    &gpu->multiprocessors, "clock_khz", &gpu->clock_khz, "memory_bytes", &memory,
                    "l2_bytes", &l2, "pageable_memory_access", &pageable) != 0) {
        return false;
    }
    gpu->memory_bytes = memory;
    gpu->l2_bytes = l2;
    gpu->pageable_memory_access = pageable != 0;
    return gpu->index >= 0 && gpu->multiprocessors >= 0 && gpu->clock_khz >= 0 && memory >= 0 &&
           l2 >= 0 && architecture_check(architecture) &&
           text_take(name, gpu->name, sizeof gpu->name) &&
           text_take(uuid, gpu->uuid, sizeof gpu->uuid) &&
           text_take(architecture, gpu->architecture, sizeof gpu->architecture);
}

static bool info_read(json_t *root, struct gpu_info *info) {
    const char *driver_reason = "";
    const char *nvrtc_path = "";
    const char *nvrtc_reason = "";
    int headers = 0;
    json_t *gpus = NULL;
    if (json_unpack(root, "{s:i, s:s, s:i, s:i, s:s, s:s, s:b, s:o}", "driver_version",
                    &info->driver_version, "driver_reason", &driver_reason, "nvrtc_major",
                    &info->nvrtc_major, "nvrtc_minor", &info->nvrtc_minor, "nvrtc_path",
                    &nvrtc_path, "nvrtc_reason", &nvrtc_reason, "toolkit_headers", &headers, "gpus",
                    &gpus) != 0 ||
        !json_is_array(gpus) || json_array_size(gpus) > GPUS_MAX) {
        return false;
    }
    info->toolkit_headers = headers != 0;
    info->gpu_count = (int)json_array_size(gpus);
    for (int i = 0; i < info->gpu_count; i++) {
        if (!gpu_read(json_array_get(gpus, (size_t)i), &info->gpus[i])) {
            return false;
        }
    }
    return text_take(driver_reason, info->driver_reason, sizeof info->driver_reason) &&
           text_take(nvrtc_path, info->nvrtc_path, sizeof info->nvrtc_path) &&
           text_take(nvrtc_reason, info->nvrtc_reason, sizeof info->nvrtc_reason);
}

enum status gpu_info_parse(const char *json, struct gpu_info *ret_info, struct error *err) {
    json_error_t where;
    json_t *root = strnlen(json, PROBE_BYTES_MAX) < PROBE_BYTES_MAX
                       ? json_loads(json, JSON_REJECT_DUPLICATES, &where)
                       : NULL;
    struct gpu_info *info = calloc(1, sizeof *info);
    bool good = root && info && info_read(root, info);
    if (good) {
        *ret_info = *info;
    }
    json_decref(root);
    bool memory = info != NULL;
    free(info);
    if (!memory) {
        return fail(err, STATUS_NO_MEMORY, "no memory for the list of GPUs");
    }
    if (!good) {
        return fail(err, STATUS_SYSTEM, "tilegrade-nvrtc --probe did not describe the GPUs");
    }
    return STATUS_OK;
}

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
