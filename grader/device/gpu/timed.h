// A timed launch on the GPU, in its three parts (device/channel/timed.h).
#ifndef DEVICE_GPU_TIMED_H
#define DEVICE_GPU_TIMED_H

#include "device/gpu/cublas.h"
#include "device/gpu/clocks.h"
#include "device/gpu/helper.h"
#include "device/gpu/launch.h"

struct gpu_timed {
    char helper_path[PATH_BYTES_MAX];  // the cubin of our own kernels
    struct gpu_helper helper;
    struct gpu_clocks clocks;
    bool clocks_open;
    struct cublas *cublas;  // NULL: not asked for yet
    struct gpu_array array[TIMED_BATCH_MAX][GLOBAL_ARRAY_COUNT];
    struct gpu_inputs inputs[TIMED_BATCH_MAX];
    struct arguments arguments;            // of the launches prepared …
    struct draw_spec draw[ARGUMENTS_MAX];  // … and how their arrays are drawn
    int count;                             // launches prepared; 0: none
    struct size size;                      // their size
    cuda_address flush_memory;
    size_t flush_words;
    char *window;  // the memfd, mapped; NULL: not yet
    uint64_t window_bytes;
    bool window_locked;  // its pages stay in memory
};

// Takes what the launches of a size need of the driver: NVML, our own kernels, cuBLAS and memory,
// on the host too.  What is not reserved is taken when it is needed, and meanwhile other users of
// the GPU wait.
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
