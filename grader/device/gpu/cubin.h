// What a cubin holds: its entry points, its variables in GPU memory, the registers of its kernels.
// It is made from a student's file, so it is read only in the sandbox.
#ifndef DEVICE_GPU_CUBIN_H
#define DEVICE_GPU_CUBIN_H

#include <stdbool.h>

#include "base/error.h"
#include "device/object/elf.h"

#define CUBIN_VARIABLES_MAX 4096  // variables looked at; <cooperative_groups.h> brings 1100

enum cubin_symbol {
    CUBIN_OTHER,
    CUBIN_ENTRY,       // a kernel
    CUBIN_UNSET,       // a variable in GPU memory without a value
    CUBIN_INITIALISED  // a variable with a value: may be a constant table or the text of a printf
};

// Opens a cubin in memory, which must outlive it.
// Errors: STATUS_BAD_DATA: not a cubin, or a symbol without its name or section.
// Owns: the caller ends *ret_cubin with elf_file_close.
enum status cubin_open(char *bytes, size_t count, struct elf_file *ret_cubin, struct error *err);

// What symbol i is, and its name, which is borrowed.
// Source: ELF-64 object file format; sections .nv.global and .nv.global.init hold variables in GPU
// memory, and bit 0x10 of st_other marks an entry point (CUDA Binary Utilities; seen in cubins
// of 11.2 to 13.0).
enum cubin_symbol cubin_symbol_at(const struct elf_file *cubin, size_t i, const char **ret_name);

bool cubin_has_entry(const struct elf_file *cubin, const char *name);

// Registers per thread of the kernel of that name; 0 if the bytes are not a cubin, have no such
// kernel, or give a number that no GPU has.
//
// Source: ELF-64 object file format.  Attribute 0x2f in section .nv.info is a symbol and its number
// of registers; sh_info of .text.<kernel> is the index of that symbol.  In older files the upper
// byte of sh_info is the number of registers.  Seen in cubins of NVRTC 13.0; the numbers agree with
// the driver's for 13 kernels.
int cubin_registers(char *bytes, size_t count, const char *kernel);

#endif
