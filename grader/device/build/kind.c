// Names of devices and kernels: see kind.h.
#include "device/build/kind.h"

#include <stddef.h>
#include <string.h>

const char *device_kind_name(enum device_kind kind) {
    return kind == DEVICE_EMU ? "emu" : "gpu";
}

const char *const *device_variables(enum device_kind kind) {
    static const char *const none[] = {NULL};
    static const char *const cuda[] = {"CUDA_VISIBLE_DEVICES",
                                       "CUDA_DEVICE_ORDER",
                                       "CUDA_HOME",
                                       "CUDA_PATH",
                                       "LD_LIBRARY_PATH",
                                       NULL};
    return kind == DEVICE_GPU ? cuda : none;
}

const char *kernel_exercise(const char *kernel) {
    size_t length = strlen(KERNEL_PREFIX);
    return strncmp(kernel, KERNEL_PREFIX, length) == 0 ? kernel + length : kernel;
}
