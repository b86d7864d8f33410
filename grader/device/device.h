// The two devices, and the names of a kernel on both.
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

enum device_kind { DEVICE_EMU, DEVICE_GPU, DEVICE_KIND_COUNT };
const char *device_kind_name(enum device_kind kind);  // "emu", "gpu"

// The environment variables that every program of a device inherits: the GPU to use, and the place
// of the toolkit.  The probe, the compiler and the worker must agree about both.  Ends in NULL.
const char *const *device_variables(enum device_kind kind);

// The name of the kernel of an exercise, and of the entry point that LAUNCH_CONFIG opens for it
// (matmul.cuh).
#define KERNEL_PREFIX        "matmul_"
#define LAUNCH_CONFIG_SUFFIX "_launch_config"

// The header that declares it: "matmul.cuh" for a product, "kernel.cuh" for any other.
const char *kernel_header(const char *kernel);

// The exercise in a kernel's name; the name itself if it has no such prefix.
const char *kernel_exercise(const char *kernel);

#endif
