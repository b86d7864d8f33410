// A kernel file compiled for a GPU by NVRTC, and checks of its PTX and its cubin.
#ifndef DEVICE_GPU_GPU_COMPILE_H
#define DEVICE_GPU_GPU_COMPILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "device/build_report.h"
#include "device/gpu/nvrtc_api.h"
#include "device/object/elf.h"

// True if PTX contains an instruction that multiplies on tensor cores; ret_name receives it.
// Inline PTX is in this text unchanged.  Blanks and comments may separate the parts of a name, and
// text that only looks like a comment or a string must not hide an instruction.
// Source: PTX ISA 8.x, "Matrix multiply-accumulate operations": mma, wmma, wgmma, tcgen05.
bool ptx_tensor_instruction(const char *ptx, char *ret_name, size_t name_bytes);

// True if every entry point of that name takes these parameters, each a letter: L, I, S and B for
// whole numbers of 8, 4, 2 bytes and 1, F and D for float and double; the list ends at a comma.
// Also true if there is no such entry point.
// Source: PTX ISA 8.x, "Kernel and Function Directives: .entry".
bool ptx_entry_takes(const char *ptx, const char *name, const char *parameters);

#define CUBIN_VARIABLES_MAX 4096  // variables examined; <cooperative_groups.h> adds 1100

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

// The kind of symbol i, and its name, which is borrowed.
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

#define COMPILE_DEFINES_MAX 6

struct gpu_compile_request {
    const char *source;  // NUL-terminated
    size_t source_bytes;
    const char *kernel;        // "matmul_tiled"
    const char *architecture;  // "sm_90"
    const char *include;       // the folder of matmul.cuh
    bool tensor_cores;         // may be used
    const char *takes;         // letters of ptx_entry_takes for the kernel and, after a comma, for
                               // its configuration; NULL: as for a product
    const char *defines[COMPILE_DEFINES_MAX];  // "-DKERNEL_SIZES=int N": for the declarations in
                                               // kernel.cuh
    int define_count;
};

struct gpu_compile_result {
    struct build_report report;  // its diagnostics are freed with the result
    char *cubin;                 // NULL unless report.fault is BUILD_FAULT_NONE
    size_t cubin_bytes;
};

// Compiles and inspects.  A refusal, by the compiler or here, is a result:
//
//   NOT_ALLOWED    an #include that is not allowed, host code, a writable variable in GPU memory,
//                  tensor-core instructions
//   ERROR          any other refusal of the compiler, or a NUL byte
//   BAD_SIGNATURE  a kernel of the right name with other parameters
//   NO_KERNEL, NO_CONFIG
//
// Further kernels in the file are harmless, and allowed: nothing launches them, as device code
// cannot launch here. Constant tables are allowed.  The source text distinguishes them from other
// variables, because a cubin does not.
//
// NEEDS_GPU: the file includes a header of the toolkit that is not on this machine.
//
// Errors  STATUS_SYSTEM, STATUS_NO_MEMORY.
// Owns    the caller frees *ret_result with gpu_compile_done.
enum status gpu_compile(const struct nvrtc *nvrtc, const struct gpu_compile_request *request,
                        struct gpu_compile_result *ret_result, struct error *err);
void gpu_compile_done(struct gpu_compile_result *result);

#endif
