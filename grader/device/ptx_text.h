// The text of PTX, as NVRTC makes it of a kernel file.
#ifndef DEVICE_PTX_TEXT_H
#define DEVICE_PTX_TEXT_H

#include <stdbool.h>
#include <stddef.h>

// True where PTX holds a tensor-core instruction; ret_name gets it.
// Source: PTX ISA 8.x, "Matrix multiply-accumulate operations": mma, wmma, wgmma, tcgen05.  A name
// of PTX holds no dot, so a word that begins with one of these and a dot is an instruction.
bool ptx_tensor_instruction(const char *ptx, char *ret_name, size_t name_bytes);

#endif
