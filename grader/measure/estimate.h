// An estimate of a kernel's speed on another GPU, from its counted work.  A pure function: on an
// H200 at 4096x4096x4096 it was within 30 % for sixteen kernels, from 0.5
// to 48 TFLOPS (table: lessons/speed.md).
//
// The work of one launch is scaled to another size, divided among the SMs by whole blocks, and
// divided by the GPU's rates per clock.  The largest of these times bounds the kernel; it does not
// hide the others completely, so the time is the root of the sum of their squares.  Other
// instructions are not hidden at all: their time is added.
//
// For a kernel that is not a matmul, all counts grow with the work, the L2 cache serves every
// requested sector, and memory only the bytes that the operation needs, as if caches kept all data
// that is loaded again.  So a kernel that loads an array several times may be slower.  Its warps
// wait for their loads, so that enough of them must be under way.  On an H200 the ratio to the
// reference's time was within 30 % for 22 of 43 kernels, and most others have less than 0.3
// (tests/speed/measured.csv).
//
// The minimum times of a kernel on tensor cores, from its counted work.  Pure.
//
// There is no estimate for such a kernel: how well copies, multiplications and addresses overlap
// decides its time, and no count shows that.  But some times cannot overlap: an SM issues four
// instructions per clock, and a sleeping thread does nothing else.
//
// All times are those of one SM of an H200, in microseconds, as if it ran all blocks of the launch.
#ifndef MEASURE_ESTIMATE_H
#define MEASURE_ESTIMATE_H

#include <stdbool.h>

#include "base/size.h"
#include "base/words.h"
#include "emu/wire/counts.h"
#include "measure/devices.h"

// X(enumerator, name in results, name for people, anchor in lessons/speed.md)
#define ESTIMATE_BOUNDS(X)                                                                         \
    X(BOUND_FMA, "fma", N_("the multiply-add units"), "fma")                                       \
    X(BOUND_ISSUE, "issue", N_("issuing instructions"), "issue")                                   \
    X(BOUND_NEIGHBOURS, "neighbours", N_("scattered loads from global memory"), "neighbours")      \
    X(BOUND_GLOBAL, "global", N_("loads from global memory"), "global")                            \
    X(BOUND_CONFLICTS, "conflicts", N_("bank conflicts in shared memory"), "conflicts")            \
    X(BOUND_SHARED, "shared", N_("loads from shared memory"), "shared")                            \
    X(BOUND_L2, "l2", N_("the L2 cache"), "l2")                                                    \
    X(BOUND_MEMORY, "memory", N_("the card's memory"), "memory")                                   \
    X(BOUND_LATENCY, "latency", N_("waiting, with too few warps to hide it"), "latency")

#define ESTIMATE_BOUND_ENUMERATOR(enumerator, name, text, anchor) enumerator,
enum estimate_bound { ESTIMATE_BOUNDS(ESTIMATE_BOUND_ENUMERATOR) ESTIMATE_BOUND_COUNT };
#undef ESTIMATE_BOUND_ENUMERATOR

const char *estimate_bound_name(enum estimate_bound bound);
const char *estimate_bound_text(enum estimate_bound bound);
const char *estimate_bound_lesson(enum estimate_bound bound);  // "lessons/speed.md#fma"

// Resources whose times are compared.
enum estimate_resource {
    RESOURCE_FMA,
    RESOURCE_ISSUE,
    RESOURCE_L1,  // passes through the array of L1 cache and shared memory
    RESOURCE_L2,
    RESOURCE_MEMORY,
    RESOURCE_LATENCY,
    RESOURCE_OTHERS,  // instructions that are neither multiply-adds nor loads and stores
    RESOURCE_BLOCKS,  // starting blocks
    RESOURCE_ATOMICS,
    RESOURCE_COUNT
};

struct estimate_request {
    const struct card *card;
    struct size size;          // to estimate
    struct size counted_size;  // of the launch that was counted
    const struct counts *counts;
    int registers;     // of one thread; 0: not known
    int shared_bytes;  // of one block, static and dynamic
    // For a kernel that is not a matmul, at `size`: the ratio of its work to the counted launch's
    // (0: a product), its FLOP, and the bytes of memory that the operation needs; 0: not stated.
    double growth, flop, bytes;
    // Blocks of a launch of `size`; 0: the counted launch's blocks, scaled by area and of the same
    // size.
    uint64_t blocks;
    int block_threads;
    // Of a kernel that is not a matmul: loads of each warp under way at once; 0: none waits.
    double loads_at_once;
    int launches;  // that made the counts together; 0: one
};

struct estimate {
    double ms;
    double gflops;
    double resource_ms[RESOURCE_COUNT];
    enum estimate_bound bound;
    struct occupancy occupancy;
    bool registers_known;
    double waves;  // blocks of the launch / blocks that the GPU holds at a time
    double blocks;
    double warps;     // working warps on an SM
    double barriers;  // arrivals of warps at `size`
};

// Two estimates of each of two kernels, as no count shows how many loads a warp has under way at
// once.
struct estimated_times {
    struct size size;
    struct estimate student[2], reference[2];  // with few loads, and with many
    double low, high;                          // of the ratio: reference / student
};

// Returns false if no estimate is possible: no block was counted, or none fits on the GPU.
bool estimate_make(const struct estimate_request *request, struct estimate *ret_estimate);

struct least {
    double instructions_us;  // issuing instructions that neither load, store nor multiply
    double idle_us;          // sleeping, waiting for fences, polling mbarriers
    double starts_us;        // starting blocks
    double copies_us;        // starting bulk copies, one after the other
};

// shared_bytes: of a block, static and dynamic.
struct least least_of(const struct counts *counts, int shared_bytes);

// The multiplications on tensor cores, at the peak rate for factors of half.  At 2048 the course's
// references reach 0.32 to 0.57 of that rate.
double least_tensor_us(const struct counts *counts);

#endif
