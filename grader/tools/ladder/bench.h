// The parts of tilegrade-bench: kernels with the same parameters, and cuBLAS, on one GPU in one
// run.
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
    char before[NAME_BYTES_MAX];  // the previous step; "" if there is none
    struct gpu_kernel kernel;     // unused for cuBLAS
    enum timed_by by;
    int registers;
};

struct bench {
    const struct places *places;
    struct judge_machine machine;  // builds the kernels for machine.gpu, without a sandbox
    struct exercise like;          // the parameters of the kernels, and the precision of factors
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

// --- bench.c: on the GPU --------------------------------------------------------------------

#endif
