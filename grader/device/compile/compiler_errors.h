// The errors that g++ and NVRTC report about a student's file, as a verdict and one sentence.
#ifndef DEVICE_COMPILE_COMPILER_ERRORS_H
#define DEVICE_COMPILE_COMPILER_ERRORS_H

#include "base/file.h"
#include "device/build_report.h"

// Judges g++'s output of a compilation that failed: sets fault, line and text of report.  exit_code
// is that of the box.
// Errors: STATUS_UNAVAILABLE: a part of the compiler is missing; STATUS_SYSTEM: a failure of this
// machine: a full disk, no memory, no descriptors, a killed process.
enum status diagnostics_judge(const char *output, const char *kernel, int exit_code,
                              struct build_report *report, struct error *err);

// The same for a file of a whole program.  ret_file: the file of report->line, as the message names
// it.
enum status program_errors_judge(const char *output, int exit_code, struct build_report *report,
                                 char ret_file[PATH_BYTES_MAX], struct error *err);

// The same for NVRTC's log of a refused source.
//
// source  the student's text; file its name in messages.
// A header of the toolkit that is missing here is BUILD_FAULT_NEEDS_GPU: not the student's fault.
void compile_log_judge(const char *log, const char *file, const char *source, const char *kernel,
                       struct build_report *report);

#endif
