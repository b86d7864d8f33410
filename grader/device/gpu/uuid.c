// The first of the driver's two functions gives the UUID of the whole GPU, the second gives that of
// a MIG instance.
#include "device/gpu/uuid.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void uuid_format(const char *prefix, const struct cuda_uuid *uuid, char text[GPU_UUID_MAX]) {
    const unsigned char *b = uuid->bytes;
    (void)snprintf(text, GPU_UUID_MAX,
                   "%s-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
                   prefix, b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11],
                   b[12], b[13], b[14], b[15]);
}

void gpu_uuid_of(const struct cuda_driver *driver, cuda_device device, char text[GPU_UUID_MAX]) {
    struct cuda_uuid whole = {.bytes = {0}};
    struct cuda_uuid part = {.bytes = {0}};
    text[0] = '\0';
    if (driver->api.device_uuid(&whole, device) != CUDA_RESULT_SUCCESS) {
        return;
    }
    bool is_part = driver->api.device_uuid_of_part &&
                   driver->api.device_uuid_of_part(&part, device) == CUDA_RESULT_SUCCESS &&
                   memcmp(&whole, &part, sizeof whole) != 0;
    uuid_format(is_part ? "MIG" : "GPU", is_part ? &part : &whole, text);
}
