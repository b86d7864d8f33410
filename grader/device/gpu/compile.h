// From a kernel file to a cubin that a worker may load, or to a message for the file's author about
// what is wrong with it.
#ifndef DEVICE_GPU_COMPILE_H
#define DEVICE_GPU_COMPILE_H

#include "device/source/fault.h"
#include "device/gpu/nvrtc.h"

#define COMPILE_DEFINES_MAX 6

struct gpu_compile_request {
    const char *source;  // NUL-terminated
    size_t source_bytes;
    const char *kernel;        // "matmul_tiled"
    const char *architecture;  // "sm_90"
    const char *include;       // the folder of matmul.cuh
    bool tensor_cores;         // may be used
    const char *takes;         // letters of ptx_entry_takes for the kernel and, after a comma, for
                               // its configuration; NULL: a product's
    const char *defines[COMPILE_DEFINES_MAX];  // "-DKERNEL_SIZES=int N": what kernel.cuh declares
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
