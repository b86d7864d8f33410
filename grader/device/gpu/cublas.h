// NVIDIA's own library, which kernels are compared with: C = A B by cuBLAS, found at run time.
#ifndef DEVICE_GPU_CUBLAS_H
#define DEVICE_GPU_CUBLAS_H

#include "base/size.h"
#include "device/channel/timed.h"
#include "device/gpu/memory.h"
#include "emu/wire/finding.h"

struct cublas;

// Opens the library in the current process, on the GPU whose primary context the process holds.
// Returns  NULL if there is none, or it does not start.   Owns  the caller closes it.
// driver   outlives it.
struct cublas *cublas_open(const struct cuda_driver *driver);
void cublas_close(struct cublas *cublas);         // may be NULL
int cublas_version(const struct cublas *cublas);  // 130002 for 13.0.2; 0 if it does not say

// "cublas_tf32"; NULL for the kernel.
const char *cublas_name(enum timed_by by);

// Queues C = A B, row-major, in one of the ways of cuBLAS; its sums are fp32.
enum status cublas_queue(const struct cublas *cublas, enum timed_by by,
                         const struct gpu_array *array, struct size size, struct error *err);

#endif
