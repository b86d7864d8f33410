// NVRTC's messages, read: what kind of refusal, on which line, in one sentence for the student.
#ifndef DEVICE_COMPILE_LOG_H
#define DEVICE_COMPILE_LOG_H

#include "device/build.h"

// Fills fault, line and text of *report from the log of a source that was refused.
//
// source  the student's text; file its name in messages.
// Errors  STATUS_UNAVAILABLE: a header of the toolkit is missing, which is not the student's fault.
enum status compile_log_judge(const char *log, const char *file, const char *source, const char *kernel,
                              struct build_report *report, struct error *err);

// The log for students: without folder (the place of our headers), remarks and empty lines, at most 40 lines, valid UTF-8.
// Owns: the caller frees it.  NULL: no memory.
char *compile_log_clean(const char *log, const char *folder);

// A copy of text in which bytes that are no UTF-8 are '?'.  NULL: no memory.
char *text_utf8(const char *text);

#endif
