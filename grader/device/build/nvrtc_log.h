// NVRTC's messages as a student reads them.
#ifndef DEVICE_BUILD_NVRTC_LOG_H
#define DEVICE_BUILD_NVRTC_LOG_H

#include "device/source/fault.h"

// The log as shown: the student's file by its own name, our headers without folder, no remarks or
// empty lines, at most 40 lines.  Errors: STATUS_NO_MEMORY.  Owns: the caller frees *ret_text.
enum status compile_log_show(const char *log, const char *kernel, const char *folder,
                             char **ret_text, struct error *err);

#endif
