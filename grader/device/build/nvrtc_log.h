// NVRTC's messages, read: what kind of refusal, on which line, in one sentence for the student.
#ifndef DEVICE_BUILD_NVRTC_LOG_H
#define DEVICE_BUILD_NVRTC_LOG_H

#include "device/source/fault.h"

// Fills fault, line and text of *report from the log of a source that was refused.
//
// source  the student's text; file its name in messages.
// A header of the toolkit that is missing here is BUILD_FAULT_NEEDS_GPU: not the student's fault.
void compile_log_judge(const char *log, const char *file, const char *source, const char *kernel,
                       struct build_report *report);

// The log as shown: the student's file by its own name, our headers without folder, no remarks or
// empty lines, at most 40 lines.  Errors: STATUS_NO_MEMORY.  Owns: the caller frees *ret_text.
enum status compile_log_show(const char *log, const char *kernel, const char *folder,
                             char **ret_text, struct error *err);

#endif
