// Registers that the compiler gave a kernel, read from its cubin.
#ifndef DEVICE_GPU_CUBIN_REGISTERS_H
#define DEVICE_GPU_CUBIN_REGISTERS_H

#include <stddef.h>

// Registers of one thread of the kernel of that name; 0 where the bytes do not say it: no cubin, no
// such kernel, or a number that no GPU has.
//
// Source: ELF-64 object file format; section .nv.info holds attribute 0x2f, a symbol and its number
// of registers, and sh_info of .text.<kernel> names the symbol; in older files its upper byte is
// the number (seen in cubins of NVRTC 13.0; equal to what the driver says of 13 kernels).
int cubin_registers(const void *bytes, size_t count, const char *kernel);

#endif
