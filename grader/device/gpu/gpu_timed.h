// Timed launches on a GPU, of a kernel or of cuBLAS: see device/channel/protocol.h.
#ifndef DEVICE_GPU_GPU_TIMED_H
#define DEVICE_GPU_GPU_TIMED_H

#include "base/size.h"
#include "device/channel/protocol.h"
#include "device/gpu/context.h"
#include "device/gpu/gpu_info.h"
#include "device/gpu/helper.h"
#include "device/gpu/launch.h"
#include "emu/wire/finding.h"

struct cublas;

// Opens the library in the current process, on the GPU whose primary context the process holds.
// Returns  NULL if there is none, or it does not start.  Owns the caller closes it. driver outlives
//          it.
struct cublas *cublas_open(const struct cuda_driver *driver);
void cublas_close(struct cublas *cublas);         // may be NULL
int cublas_version(const struct cublas *cublas);  // 130002 for 13.0.2; 0 if unknown

// "cublas_tf32"; NULL for the kernel.
const char *cublas_name(enum timed_by by);

// Queues C = A B, row-major, in one of the ways of cuBLAS; its sums are fp32.
enum status cublas_queue(const struct cublas *cublas, enum timed_by by,
                         const struct gpu_array *array, struct size size, struct error *err);

struct gpu_timed {
    char helper_path[PATH_BYTES_MAX];  // the cubin of our own kernels
    struct gpu_helper helper;
    struct gpu_clocks clocks;
    bool clocks_open;
    struct cublas *cublas;  // NULL: not asked for yet
    struct gpu_array array[TIMED_BATCH_MAX][GLOBAL_ARRAY_COUNT];
    struct gpu_inputs inputs[TIMED_BATCH_MAX];
    struct arguments arguments;            // of the prepared launches
    struct draw_spec draw[ARGUMENTS_MAX];  // the drawing of their arrays
    int count;                             // launches prepared; 0: none
    struct size size;                      // their size
    cuda_address flush_memory;
    size_t flush_words;
    char *window;  // the memfd, mapped; NULL: not yet
    uint64_t window_bytes;
    bool window_locked;  // its pages stay in memory
};

// Reserves everything that the launches of a size need from the driver: NVML, our own kernels,
// cuBLAS and memory, on the host too.  Anything else is allocated when it is needed, while other
// users of the GPU wait.
enum status gpu_timed_reserve(const struct gpu_context *context, struct gpu_timed *timed,
                              const struct request *request, int matrices_fd, struct error *err);

// Each does one request and fills in the answer.  Requests out of order are STATUS_BAD_USAGE.
enum status gpu_timed_prepare(struct gpu_context *context, struct gpu_kernel *kernel,
                              struct gpu_timed *timed, const struct request *request,
                              struct answer *answer, struct error *err);
enum status gpu_timed_go(struct gpu_context *context, const struct gpu_kernel *kernel,
                         struct gpu_timed *timed, const struct request *request,
                         struct answer *answer, struct error *err);
enum status gpu_timed_collect(struct gpu_context *context, struct gpu_timed *timed,
                              const struct request *request, int matrices_fd, struct answer *answer,
                              struct error *err);

void gpu_timed_done(struct gpu_context *context, struct gpu_timed *timed);

#endif
