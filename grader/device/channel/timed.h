// The messages between judge and worker about timed launches, besides the fields of every launch.
//
// A timed launch is three requests.  PREPARE makes the inputs of a key on the GPU, poisons the
// outputs and asks LAUNCH_CONFIG; GO flushes the L2 cache and launches between two events; COLLECT
// compares inputs and guard bands with what they were, and writes the outputs into the memfd.  So
// the judge's own clock sees the launch alone, and a worker learns the inputs of a launch only when
// it is next.  A RESERVE before them, which names no key, takes memory and what else the driver
// needs time for, so that the three need the GPU for themselves only briefly.
//
// A kernel too short to be timed alone is launched `batch` times between the two events, each time
// on inputs of its own.
#ifndef DEVICE_CHANNEL_TIMED_H
#define DEVICE_CHANNEL_TIMED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "base/size.h"
#include "device/channel/draw.h"
#include "emu/wire/arguments.h"

#define TIMED_BATCH_MAX 32

// What computes the product: the worker's kernel, or cuBLAS, which only a worker of our own kernels
// is ever asked for: of matrices of float, in fp32 or with factors rounded to TF32, or of A and B
// of half or bf16.  Its C is always of float.
enum timed_by {
    TIMED_BY_KERNEL,
    TIMED_BY_CUBLAS_FP32,
    TIMED_BY_CUBLAS_TF32,
    TIMED_BY_CUBLAS_FP16,
    TIMED_BY_CUBLAS_BF16,
    TIMED_BY_COUNT
};

// The inputs of a timed launch: integers whose product is exact, or numbers uniform in (-1, 1), as
// in the judge's cases.
enum timed_inputs { TIMED_EXACT, TIMED_REAL, TIMED_INPUTS_COUNT };

struct timed_request {
    struct random_key key;  // of the inputs of the first launch (exact_batch_key has the others)
    uint32_t poison;        // word that C is filled with
    uint32_t batch;         // launches, 1 .. TIMED_BATCH_MAX; 0 in requests of other kinds
    uint32_t by;            // enum timed_by
    uint32_t inputs;        // enum timed_inputs
    // What each array of a kernel that is no product holds before the launch; a constant array has
    // the values of the key of the first launch.  A product's arrays are not drawn so.
    struct draw_spec draw[ARGUMENTS_MAX];
};

// Why a GPU runs below its highest clock, in NVML's numbers (nvmlClocksEventReasons).
#define GPU_REASON_POWER_CAP   0x4u
#define GPU_REASON_HW_SLOWDOWN 0x8u
#define GPU_REASON_SW_THERMAL  0x20u
#define GPU_REASON_HW_THERMAL  0x40u
#define GPU_REASON_POWER_BRAKE 0x80u
#define GPU_REASONS_OF_A_PROBLEM                                                                   \
    (GPU_REASON_HW_SLOWDOWN | GPU_REASON_SW_THERMAL | GPU_REASON_HW_THERMAL |                      \
     GPU_REASON_POWER_BRAKE)

// The state of the GPU right after a launch.
#define GPU_STATE_CLOCKS  1u
#define GPU_STATE_REASONS 2u
#define GPU_STATE_HEAT    4u
#define GPU_STATE_POWER   8u
struct gpu_state {
    uint32_t known;  // GPU_STATE_ bits; the fields of the others are 0
    uint32_t sm_mhz, memory_mhz;
    uint32_t reasons;  // bits of NVML
    uint32_t celsius;
    uint32_t milliwatts;
};

struct timed_answer {
    uint32_t inputs_changed;  // COLLECT: bit per enum global_array that a launch wrote to
    uint32_t cublas_version;  // PREPARE by cuBLAS: 130002 for 13.0.2; else 0
    struct gpu_state state;   // COLLECT, if it is asked for
};

// Where the results of launch j of a batch are in the memfd: from j * stride on, one array after
// the other, as COLLECT writes them.
struct timed_layout {
    uint64_t stride, total;
};
// The bytes that parameter i takes there, in whole vectors; 0 for what is no output.
uint64_t timed_output_bytes(const struct arguments *arguments, uint32_t i);
struct timed_layout timed_layout_of(const struct arguments *arguments, uint32_t batch);

bool timed_request_check(const struct timed_request *timed, const struct arguments *arguments,
                         bool is_timed);
bool timed_answer_check(const struct timed_answer *timed, const struct arguments *arguments);

#endif
