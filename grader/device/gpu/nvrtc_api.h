// NVRTC, NVIDIA's compiler as a library, found at run time.  It compiles only device code and
// refuses host code.
#ifndef DEVICE_GPU_NVRTC_API_H
#define DEVICE_GPU_NVRTC_API_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "device/gpu/cuda_api.h"

struct nvrtc {
    void *library;
    int major, minor;
    char path[PATH_BYTES_MAX];     // the file of the library
    char toolkit[PATH_BYTES_MAX];  // folder of cuda_fp16.h and mma.h; "" if none was found next to
                                   // the library
    struct nvrtc_api api;
};

// The output of one compilation.
struct nvrtc_output {
    bool compiled;  // false: the source is refused and log says why
    char *log;      // NUL-terminated, "" if there were no messages
    char *cubin;    // NULL unless compiled
    size_t cubin_bytes;
    char *ptx;  // NUL-terminated; NULL unless compiled
};

// Loads the newest NVRTC: by plain name, then from $CUDA_HOME, $CUDA_PATH, /usr/local/cuda*, the
// distribution's folder and Python's nvidia packages.
//
// Errors  STATUS_UNAVAILABLE with the remedy.
enum status nvrtc_open(struct nvrtc *ret_nvrtc, struct error *err);

// Compiles one source text, named name in messages, to a cubin and the PTX it was made from.
// options ends in NULL.
//
// Errors  STATUS_SYSTEM: the compiler itself failed or refuses an option (such as an unknown
//         architecture); STATUS_NO_MEMORY.  A source that is refused is not an error.
// Owns    the caller frees *ret_output with nvrtc_output_done.
enum status nvrtc_compile(const struct nvrtc *nvrtc, const char *source, const char *name,
                          const char *const *options, struct nvrtc_output *ret_output,
                          struct error *err);
void nvrtc_output_done(struct nvrtc_output *output);

#endif
