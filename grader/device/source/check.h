// The first look at a submitted file, by the judge, before any compiler sees it.
#ifndef DEVICE_SOURCE_CHECK_H
#define DEVICE_SOURCE_CHECK_H

#include <stddef.h>

#include "device/source/fault.h"
#include "device/source/foreign.h"

// Checks the bytes of a kernel file and makes the copy that compilers get: without a byte order
// mark, which NVRTC refuses, with a final newline, and without blanks between a backslash and the
// end of its line.
//
// Returns  STATUS_OK; report->fault is NONE if the file may be compiled, and only then *ret_copy is
//          not NULL.
//          A fault is the student's: too large, empty, not text (NUL bytes, UTF-16), an #include of
//          a path.  Latin-1 bytes and CRLF are fine.
// Errors   STATUS_NO_MEMORY.
// Owns     the caller frees *ret_copy.  report has no diagnostics.
enum status source_prepare(const char *bytes, size_t count, char **ret_copy, size_t *ret_copy_count,
                           struct build_report *ret_report, struct error *err);

// Reports what source_foreign or source_made_foreign found; nothing for SOURCE_FINE.
void source_refuse(enum source_problem problem, int line, const char *word,
                   struct build_report *report);

#endif
