// The permanent name of a GPU: CUDA's numbers change with the environment, this name does not.
#ifndef DEVICE_GPU_UUID_H
#define DEVICE_GPU_UUID_H

#include "device/gpu/driver.h"

#define GPU_UUID_MAX 48  // "GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx" and the final NUL

// "GPU-…", or "MIG-…" for a part of a GPU that is cut into several; "" if the driver does not say.
void gpu_uuid_of(const struct cuda_driver *driver, cuda_device device, char text[GPU_UUID_MAX]);

#endif
