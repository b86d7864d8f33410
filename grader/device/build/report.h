// The result of a build, as report.json: written by the inspector and the NVRTC program in the
// sandbox, read by the judge, which checks every field.
//
//   {"fault": "not_allowed", "line": 12, "text": "…", "diagnostics": "…",
//    "threads_max": 256, "bounds_line": 12, "registers": 40,
//    "local_bytes": 96, "local_name": "acc", "registers_max": 128, "waits_line": 0,
//    "shared": [{"name": "As", "offset": 0, "bytes": 1024, "element_bytes": 4, "extent": [16, 16],
//    "dynamic": false}], "constants": [{"name": "filter", "address": 4210688, "bytes": 36}]}
#ifndef DEVICE_BUILD_REPORT_H
#define DEVICE_BUILD_REPORT_H

#include <stddef.h>

#include "device/source/fault.h"

#define BUILD_REPORT           "report.json"  // in the scratch folder
#define BUILD_REPORT_BYTES_MAX (1 << 20)

// Writes the report.  Errors: STATUS_SYSTEM, STATUS_NO_MEMORY.
enum status build_report_write(const char *path, const struct build_report *report,
                               struct error *err);

// Reads the text of a report.  Errors: STATUS_SYSTEM "…: field 'x' …"; STATUS_NO_MEMORY.
// Owns: the caller ends *ret_report with build_report_done.
enum status build_report_parse(const char *text, size_t bytes, struct build_report *ret_report,
                               struct error *err);

#endif
