// The __shared__ arrays of a linked program: where each is, what it is called, how it is shaped.
#ifndef DEVICE_INSPECT_SHARED_H
#define DEVICE_INSPECT_SHARED_H

#include "device/source/fault.h"
#include "device/inspect/dwarf.h"
#include "device/object/elf.h"

struct inspected_program {
    struct elf_file object;  // kernel.o, for the names that are the student's
    struct elf_file elf;     // worker
    struct build_report *report;
    uint64_t static_bytes;   // all static __shared__ arrays
    uint64_t largest_bytes;  // the most that one function has
};

// The name of a variable as its source spells it, cut to fit.
void inspect_name_copy(const char *symbol, char name[ARRAY_NAME_MAX]);

// Fills report->shared, except the shapes.  False: what is wrong with them is in the report.
bool inspect_shared_fill(struct inspected_program *program);

// Gives the array that a variable of the debug information is its shape.
void inspect_shared_shape(struct shared_array_table *table, const struct dwarf_variable *variable);

#endif
