// Our own kernels in the worker: they make the inputs of a timed launch and compare them
// afterwards.
//
// They run in the student's context, whose memory a student's kernel can write to if it guesses
// addresses.  So the module is loaded again for each use and unloaded after it: no student code
// runs from the time when our code is copied until it ends.
#ifndef DEVICE_GPU_HELPER_H
#define DEVICE_GPU_HELPER_H

#include "base/random.h"
#include "base/size.h"
#include "device/channel/protocol.h"
#include "device/gpu/context.h"
#include "emu/wire/finding.h"

struct gpu_helper {
    char *image;           // the cubin of inputs.cu; NULL: not read yet
    cuda_address role;     // [SIZE_DIMENSION_MAX] bytes on the GPU; 0 = none
    cuda_address results;  // [2 * GLOBAL_ARRAY_COUNT] counters on the GPU
};

// One launch's arrays and the key of their inputs.
struct gpu_inputs {
    const struct gpu_array *array;  // [GLOBAL_ARRAY_COUNT]
    struct random_key key;
    enum timed_inputs kind;
    const struct arguments *arguments;
    const struct draw_spec *draw;  // [ARGUMENTS_MAX], of a kernel that is not a matmul
    struct size size;
    uint32_t poison;  // of the outputs
};

// The text of one of our CUDA files, after the text of device/channel/array_fill.h, for NVRTC.
//
// include the folder of kernel.cuh; the path of the file is relative to it, such as
// "device/gpu/inputs.cu".
// Owns     the caller frees *ret_text.   Errors  those of file_read; STATUS_NO_MEMORY.
enum status gpu_helper_source(const char *include, const char *file, char **ret_text,
                              struct error *err);

// Reads the cubin and takes the memory.  Errors: those of file_read; STATUS_NO_MEMORY.
enum status gpu_helper_open(const struct gpu_context *context, const char *cubin,
                            struct gpu_helper *helper, struct error *err);
void gpu_helper_close(const struct gpu_context *context, struct gpu_helper *helper);

// Fills the inputs of each launch, its outputs with the poison, and the guard bands; waits for the
// end.
enum status gpu_helper_make(const struct gpu_context *context, const struct gpu_helper *helper,
                            const struct gpu_inputs *inputs, int count, struct error *err);

// Compares inputs and guard bands with the values from gpu_helper_make: sets inputs_changed and
// guard_damaged of the answer, a bit per enum global_array that differs in any launch.
enum status gpu_helper_compare(const struct gpu_context *context, const struct gpu_helper *helper,
                               const struct gpu_inputs *inputs, int count, struct answer *answer,
                               struct error *err);

#endif
