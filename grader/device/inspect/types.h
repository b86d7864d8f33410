// Padding and alignment of the structs of a kernel file, for the CPU device: emu/check/padding.h,
// emu/check/align.h.
#ifndef DEVICE_INSPECT_TYPES_H
#define DEVICE_INSPECT_TYPES_H

#include <stdio.h>

#include <libelf.h>

// Writes both lists as assembly; empty ones without debug information.  An unlinked object is
// enough: none of the values read is filled in by the linker.
void types_write(Elf *elf, FILE *out);

// The largest alignment of the variables that are declared and not defined: `extern __shared__`.
uint64_t types_declared_alignment(Elf *elf);

#endif
