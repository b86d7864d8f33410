// The text of PTX, as NVRTC makes it of a kernel file.
#ifndef DEVICE_SOURCE_PTX_H
#define DEVICE_SOURCE_PTX_H

#include <stdbool.h>
#include <stddef.h>

// True if PTX contains an instruction that multiplies on tensor cores; ret_name receives it.
// Inline PTX is in this text as it was written.  Blanks and comments may separate the parts of a
// name, and text that only looks like a comment or a string must not hide an instruction.
// Source: PTX ISA 8.x, "Matrix multiply-accumulate operations": mma, wmma, wgmma, tcgen05.
bool ptx_tensor_instruction(const char *ptx, char *ret_name, size_t name_bytes);

// True if every entry point of that name takes these parameters, each a letter: L, I, S and B for
// whole numbers of 8, 4, 2 bytes and 1, F and D for float and double; the list ends at a comma.
// Also true if there is no such entry point.
// Source: PTX ISA 8.x, "Kernel and Function Directives: .entry".
bool ptx_entry_takes(const char *ptx, const char *name, const char *parameters);

#endif
