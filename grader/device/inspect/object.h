// Shared by the parts of the inspection of an object file.
#ifndef DEVICE_INSPECT_OBJECT_H
#define DEVICE_INSPECT_OBJECT_H

#include <stdbool.h>

#include "device/source/fault.h"
#include "device/object/elf.h"

struct object {
    struct elf_file elf;
    char *text;  // kernel.s
    int file;    // number of the student's file in it
    const char *kernel;
    struct build_report *report;
};

// Checks that nothing is host code; if something is, returns false with a fault in the report.
bool object_check_functions(struct object *object);

// Checks that every function went through the instrumenting pass under the options of the command
// line; else puts a fault into the report.  Errors: STATUS_SYSTEM, STATUS_NO_MEMORY.
enum status object_check_instrumented(struct object *object, struct error *err);

// Checks that the kernel and its LAUNCH_CONFIG are there; else puts a fault into the report that
// says what is there instead.
void object_check_kernel(struct object *object);

// Writes shared.s: all `extern __shared__` arrays are one memory, as on a GPU.
// Errors: STATUS_SYSTEM, STATUS_NO_MEMORY.
enum status object_write_shared(const struct object *object, struct error *err);

#endif
