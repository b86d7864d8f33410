// Names of the two devices and of their kernels: see device.h.
#include "device/device.h"

#include <stdbool.h>
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

static bool is_of_product(const char *kernel) {
    return strncmp(kernel, KERNEL_PREFIX, strlen(KERNEL_PREFIX)) == 0;
}

const char *kernel_header(const char *kernel) {
    return is_of_product(kernel) ? "matmul.cuh" : "kernel.cuh";
}

const char *kernel_exercise(const char *kernel) {
    return is_of_product(kernel) ? kernel + strlen(KERNEL_PREFIX) : kernel;
}
