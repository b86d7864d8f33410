// The context of one GPU, and memory of that GPU.
#ifndef DEVICE_GPU_CONTEXT_H
#define DEVICE_GPU_CONTEXT_H

#include <stdbool.h>
#include <sys/types.h>

#include "device/gpu/driver.h"

struct gpu_context {
    struct cuda_driver driver;
    cuda_device device;
    cuda_event_handle start, end;
    int multiprocessors;
    uint64_t shared_bytes_max;  // for a block that opts in
    uint64_t memory_bytes;      // the memory of the whole GPU
    uint64_t resident_threads;  // threads that the whole GPU can hold at a time
    bool overlaps;              // a launch may begin before the previous one has ended
    bool open;
    bool lost;  // a launch failed or outlasted its limit: nothing more can be run, nor freed
};

// Opens GPU number `device`, as CUDA numbers the visible GPUs.
// Errors  STATUS_UNAVAILABLE: there is none of that number; STATUS_SYSTEM, STATUS_NO_MEMORY.
enum status gpu_context_open(struct gpu_context *context, int device, struct error *err);
void gpu_context_close(struct gpu_context *context);

// Waits for the end event.  Returns the result of the launch that precedes this event, or
// NOT_READY if that launch outlasts limit_ms.
cuda_result gpu_context_wait(const struct gpu_context *context, uint64_t limit_ms);

#define GPU_GUARD_BYTES (1u << 20)   // on each side
#define GPU_GUARD_WORD  0x7fc5a5a5u  // a NaN, so that a sum that reads past a matrix is a NaN

#define GPU_WORKSPACE_WORD 0x7fc0f111u  // a NaN too: the initial contents of the workspace

struct gpu_array {
    cuda_address base;   // start of the band before the matrix; 0 = none
    cuda_address start;  // start of the matrix; a multiple of 256
    size_t bytes;        // size of the matrix
};

// Allocates exactly `bytes` bytes; for 0, frees the old memory.  Plain device memory: no pinned,
// mapped or managed memory is ever in this process, because device code could reach it.
// Errors: STATUS_NO_MEMORY, STATUS_SYSTEM.
enum status gpu_array_fit(const struct cuda_driver *driver, struct gpu_array *array, size_t bytes,
                          struct error *err);
void gpu_array_free(const struct cuda_driver *driver, struct gpu_array *array);

// Fills both bands with GPU_GUARD_WORD, and the array with GPU_WORKSPACE_WORD; nothing if there is
// no array.
enum status gpu_workspace_fill(const struct cuda_driver *driver, const struct gpu_array *array,
                               struct error *err);

// Fills both bands with GPU_GUARD_WORD.
enum status gpu_array_guards_fill(const struct cuda_driver *driver, const struct gpu_array *array,
                                  struct error *err);

// Fills the matrix from a file at offset and both bands with their pattern.  Errors: STATUS_SYSTEM,
// STATUS_NO_MEMORY.
enum status gpu_array_upload(const struct cuda_driver *driver, const struct gpu_array *array,
                             int fd, off_t offset, struct error *err);

// Writes the matrix to a file at offset.
enum status gpu_array_download(const struct cuda_driver *driver, const struct gpu_array *array,
                               int fd, off_t offset, struct error *err);

// Are both bands unchanged?
enum status gpu_array_guards(const struct cuda_driver *driver, const struct gpu_array *array,
                             bool *ret_intact, struct error *err);

#endif
