// The output of compute-sanitizer, as findings.  Pure.
//
// Source: NVIDIA Compute Sanitizer 2025.3 (CUDA 13.0) on an H200, and the examples of its
// documentation; recorded outputs are in tests/unit/device/test_nvidia_text.c.
#ifndef DEVICE_NVIDIA_SANITIZER_H
#define DEVICE_NVIDIA_SANITIZER_H

#include <stdbool.h>

#include "emu/wire/finding.h"

#define SANITIZER_TOOLS        4
#define SANITIZER_FINDINGS_MAX 32  // findings of one run, after merging by kind and lines

// "memcheck", "racecheck", "initcheck", "synccheck", in the order in which they are run.
const char *sanitizer_tool_name(int tool);

struct sanitizer_report {
    bool finished;  // the tool printed its summary, so the findings are complete
    int count;
    // kind, severity, line, other_line, space, access, access_bytes, block, thread and count are
    // set; block and thread are 0 if the tool names no thread
    struct finding finding[SANITIZER_FINDINGS_MAX];
};

// Reads the output of one run.  Lines are those of `file`, the name that the compiler was given.  A
// message that names another file, or no file, is left out.
void sanitizer_parse(const char *text, const char *file, struct sanitizer_report *ret_report);

#endif
