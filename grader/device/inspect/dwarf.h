// Debug information: variables and structs of a kernel file; the lists of padding and alignment of
// its structs, for the CPU device (emu/check/uninit.h, emu/check/address_checks.h).
#ifndef DEVICE_INSPECT_DWARF_H
#define DEVICE_INSPECT_DWARF_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <elfutils/libdw.h>
#include <libelf.h>

#include "device/object/elf.h"
#include "emu/wire/finding.h"

// The compilation unit of the student's file.  False if there is none.
bool dwarf_submission(Dwarf *dwarf, Dwarf_Die *ret_unit);

// A variable with a fixed place.
struct dwarf_variable {
    const char *name;      // as written; "" if it has none
    int line;              // line of its declaration, 0 if unknown
    bool is_thread_local;  // value is an offset in thread-local storage, else an address
    bool is_declared;      // `extern`: it has no place; value is 0
    bool is_placeless;     // gcc for aarch64 gives no place in thread-local storage; value is 0
    uint64_t value;
    Dwarf_Die die;
};

// Calls visit for every variable of the unit that has a fixed place, or none.  Ends
// early if visit returns false.
void dwarf_variables(Dwarf_Die *unit,
                     bool (*visit)(const struct dwarf_variable *variable, void *context),
                     void *context);

// Fills element size, rank and extents of an array from its type.
void dwarf_shape(const struct dwarf_variable *variable, struct shared_array *array);

// Writes both lists as assembly; empty ones without debug information.  Unlinked objects are
// enough: none of the values read is filled in by the linker.
void types_write(const struct elf_file *files, size_t count, FILE *out);

// The largest alignment of the variables that are declared and not defined: `extern __shared__`.
uint64_t types_declared_alignment(Elf *elf);

#endif
