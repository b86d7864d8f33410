// What tilegrade-bench is made of: kernels that are called alike and cuBLAS on one GPU, in one run.
#ifndef TOOLS_LADDER_BENCH_H
#define TOOLS_LADDER_BENCH_H

#include "app/paths.h"
#include "device/gpu/gpu_timed.h"
#include "device/gpu/nvrtc_api.h"
#include "exercise/exercise.h"
#include "judge/model/judge_options.h"

#define BENCH_KERNELS_MAX  48
#define BENCH_LAUNCHES_MAX 200
#define BENCH_SIZES_MAX    32

struct bench_kernel {
    char name[NAME_BYTES_MAX];    // "tiled", or the name of a further file
    char before[NAME_BYTES_MAX];  // the step before; "" if there is none
    struct gpu_kernel kernel;     // unused for cuBLAS
    enum timed_by by;
    int registers;
};

struct bench {
    const struct places *places;
    struct judge_machine machine;  // builds the kernels for machine.gpu, without a sandbox
    struct exercise like;          // how the kernels are called, and what their factors keep
    enum timed_inputs inputs;
    struct nvrtc nvrtc;
    struct gpu_context context;
    struct gpu_timed timed;
    int matrices_fd;          // receives C after a launch
    uint64_t matrices_bytes;  // of the largest C so far
    struct bench_kernel kernel[BENCH_KERNELS_MAX];
    int kernel_count;
};

// Times of one kernel at one size.
struct bench_times {
    double ms[BENCH_LAUNCHES_MAX];
    uint32_t mhz[BENCH_LAUNCHES_MAX];
    int count;
    int wrong;  // outputs that are not the product
};

// --- bench.c: what is measured ----------------------------------------------------------

// Compiles a file of our own, which is not a kernel file, and returns the cubin, which the caller
// frees.
enum status bench_own(const struct bench *bench, const char *file, char **ret_cubin,
                      size_t *ret_bytes, struct error *err);
// Builds and loads a kernel file, as a grade does.  Its LAUNCH_CONFIG names its kernel, which is
// called as bench->like says.
enum status bench_add(struct bench *bench, const char *path, const char *name, const char *before,
                      struct error *err);
void bench_kernels_done(struct bench *bench);

// --- bench.c: on the GPU --------------------------------------------------------------------

enum status bench_open(struct bench *bench, int device, struct error *err);
void bench_close(struct bench *bench);
// The rate of the multiply-add units without memory accesses, in GFLOPS.
enum status bench_peak(struct bench *bench, double *ret_gflops, struct error *err);
// Times all kernels at one size, one launch of each in turn, and verifies each output.
enum status bench_size(struct bench *bench, struct size size, int launches,
                       struct bench_times times[BENCH_KERNELS_MAX], struct error *err);

#endif
