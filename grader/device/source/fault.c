// Words for a fault, and its place in a report: see fault.h.
#include "device/source/fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compose.h"

const char *build_fault_name(enum build_fault fault) {
    static const char *const names[BUILD_FAULT_COUNT] = {
        [BUILD_FAULT_NONE] = "none",
        [BUILD_FAULT_ERROR] = "error",
        [BUILD_FAULT_NOT_ALLOWED] = "not_allowed",
        [BUILD_FAULT_NO_KERNEL] = "no_kernel",
        [BUILD_FAULT_BAD_SIGNATURE] = "bad_signature",
        [BUILD_FAULT_BAD_CONFIG] = "bad_config",
        [BUILD_FAULT_NO_CONFIG] = "no_config",
        [BUILD_FAULT_NEEDS_GPU] = "needs_gpu",
        [BUILD_FAULT_MEMORY] = "memory",
    };
    return (unsigned)fault < BUILD_FAULT_COUNT ? names[fault] : "unknown";
}

void build_report_done(struct build_report *report) {
    free(report->diagnostics);
    report->diagnostics = NULL;
}

void build_report_fault(struct build_report *report, enum build_fault fault, int line,
                        const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    words_vwrite(report->text, sizeof report->text, format, arguments);
    va_end(arguments);
    words_clean(report->text);
    report->fault = fault;
    report->line = line;
}
