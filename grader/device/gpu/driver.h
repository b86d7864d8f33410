// NVIDIA's libraries, found at run time, in particular CUDA's driver.
#ifndef DEVICE_GPU_DRIVER_H
#define DEVICE_GPU_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "device/gpu/cuda_api.h"

// Loads the first of the names that is found: by plain name, then from $CUDA_HOME, $CUDA_PATH,
// /usr/local/cuda*, the distribution's folder and Python's nvidia packages.
// Returns  NULL if there is none.
void *library_open(const char *const *names, size_t count);

// Puts the function of that name into *ret_function, a pointer to one.  False if there is none.
bool library_symbol(void *library, const char *name, void *ret_function);

struct cuda_driver {
    void *library;
    int version;  // the CUDA version that the driver supports: 13000 for 13.0
    struct cuda_api api;
};

// Loads libcuda.so.1 and initialises it.  Never call it in the judge: CUDA maps huge ranges and
// starts threads.
//
// Errors  STATUS_UNAVAILABLE: no driver, a driver older than CUDA 11, or a driver without a GPU;
// the text says which.
enum status cuda_driver_open(struct cuda_driver *ret_driver, struct error *err);

// Nothing is unloaded: the driver has threads of its own, so its code must stay mapped until the
// process ends. There is therefore no close.

// "CUDA_ERROR_ILLEGAL_ADDRESS" and the like; "unknown CUDA error" for a number that the driver does
// not know.
const char *cuda_error_name(const struct cuda_driver *driver, cuda_result result);

// The driver's sentence for a result: "an illegal memory access was encountered".
const char *cuda_error_text(const struct cuda_driver *driver, cuda_result result);

// Fills err with "what: sentence (name)".  Returns STATUS_NO_MEMORY for a lack of GPU memory, else
// STATUS_SYSTEM.
enum status cuda_fail(const struct cuda_driver *driver, cuda_result result, const char *what,
                      struct error *err);

#define GPU_UUID_MAX 48  // "GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx" and the final NUL

// "GPU-…", or "MIG-…" for a MIG instance; "" if the driver does not report it.
void gpu_uuid_of(const struct cuda_driver *driver, cuda_device device, char text[GPU_UUID_MAX]);

#endif
