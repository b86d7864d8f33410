// From counts to times.
//
// Two numbers are fitted to timings of thirteen kernels on an H200 (tests/bench) and have no other
// source: the instructions that come with a memory instruction, and the clocks that a warp waits
// between two.  The costs of barriers, of loads that were not started ahead and of blocks are
// fitted to the slow kernels of tests/speed.  The time of a load from shared memory was measured by
// others: 23 clocks on an RTX 2070 (github.com/sjfeng1999/gpu-arch-microbenchmark).  Those of
// kernels that are not matmuls are fitted to the last 51 kernels of tests/speed/measured.csv.
//
// Least times.
#include "measure/estimate.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "base/compose.h"
#include "base/limits.h"
#include "measure/devices.h"

#define SECTOR_BYTES      32
#define PASS_BYTES        128.0
#define INSTRUCTIONS      1.8    // for each memory instruction: itself and its addresses
#define CLOCKS_BETWEEN    6.0    // between two instructions of one warp
#define LOAD_CLOCKS       23.0   // of a multiplying warp, at most, per load that it waits for
#define WAIT_CLOCKS       500.0  // for loads from global memory that were not started ahead
#define BARRIER_CLOCKS    20.0   // of a warp …
#define BARRIER_ISSUES    5.0    // issue slots of its scheduler
#define BLOCK_CLOCKS      150.0  // to start one
#define INTEGERS_FREE     2.0    // with each access and multiply-add: nvcc finds elements by fewer
#define LOOPS_FREE        2.0    // iterations, likewise: nvcc unrolls loops
#define LOOP_ISSUES       2.0    // per iteration beyond these
#define LAUNCH_MS         0.003
#define LOAD_WAIT_CLOCKS  700.0  // for a load from memory, if all warps load …
#define CACHED_SHARE      0.35   // … and as a share of that, if it was loaded or stored before
#define PARTIAL_STORE     2.0    // sectors that a store of a part of a sector counts as
#define ATOMIC_CLOCKS     4.0    // between two atomic operations on one address
#define BUSIEST_MORE      4.0    // times the passes of an average block: as much at other sizes
#define SCATTERED_SECTORS 8.0    // a request of 32 neighbours has 4, or 5 if unaligned
#define CONFLICTS_SHARE   1.1    // passes as written / passes without conflicts

static const struct {
    const char *name, *text, *lesson;
} bounds[ESTIMATE_BOUND_COUNT] = {
#define ESTIMATE_BOUND_ROW(enumerator, name, text, anchor)                                         \
    [enumerator] = {name, text, "lessons/speed.md#" anchor},
    ESTIMATE_BOUNDS(ESTIMATE_BOUND_ROW)
#undef ESTIMATE_BOUND_ROW
};

const char *estimate_bound_name(enum estimate_bound bound) {
    return (unsigned)bound < ESTIMATE_BOUND_COUNT ? bounds[bound].name : "";
}

const char *estimate_bound_text(enum estimate_bound bound) {
    return (unsigned)bound < ESTIMATE_BOUND_COUNT ? bounds[bound].text : "";
}

const char *estimate_bound_lesson(enum estimate_bound bound) {
    return (unsigned)bound < ESTIMATE_BOUND_COUNT ? bounds[bound].lesson : "";
}

// The work of a launch at the size to estimate.
struct work {
    double blocks;
    double block_threads;
    double working;        // of these, the blocks that load or store anything
    double warps_share;    // the share of their warps that compute at a time
    double busiest;        // share of the work that one block does, if it does far more than others
    double block_rows;     // rows of C of a block, as if its part of C were a square
    double fma;            // warp instructions, those of idle lanes included
    double others;         // warp instructions besides
    double memory;         // warp instructions whose warp waits for the load or store
    double copies;         // asynchronous copies, which no thread waits for immediately
    double loads;          // loads among `memory`, as written in the source
    double flights;        // loads from memory that a warp waits for, those from caches as a share
    double atomics;        // atomic operations, one after the other
    double barriers;       // arrivals of warps
    double waits;          // of warps, for loads from global memory that were not started ahead
    double global_passes;  // passes through the array of the L1 cache
    double shared_passes;  // passes of shared memory
    double filled;         // the share of loads that go through the L1 cache and not around it
    double l2_bytes;
    double memory_bytes;
};

static bool is_matmul(const struct estimate_request *request) {
    return request->growth == 0.0;
}

// FLOP of the launch to estimate.
static double flop_of(const struct estimate_request *request) {
    return is_matmul(request) ? 2.0 * (double)size_multiply_adds(request->size) : request->flop;
}

// Blocks load the same rows of A and columns of B; data in L1 or shared memory is loaded once per
// block, if the kernel loads it more than once at all.
static double l2_bytes(const struct work *work, const struct estimate_request *request,
                       double asked_sectors, double stored_sectors) {
    double once =
        work->working * 2.0 * work->block_rows * request->size.k * sizeof(float) / SECTOR_BYTES;
    double loaded = is_matmul(request) ? fmin(once, asked_sectors) : asked_sectors;
    return SECTOR_BYTES * (loaded + stored_sectors);
}

// Sectors that stores count as: the L2 cache reads what a store leaves of a sector.
static double stored_sectors(const struct counts *counts) {
    double whole = (double)counts->global_store_bytes / SECTOR_BYTES;
    double sectors = (double)counts->global_store_sectors;
    return sectors + (PARTIAL_STORE - 1.0) * fmax(0.0, sectors - whole);
}

// Loads that a warp waits for: those of bytes that the operation needs come from memory.
static double flights_of(const struct estimate_request *request) {
    const struct counts *counts = request->counts;
    double asked = SECTOR_BYTES * request->growth *
                   (double)(counts->global_load_sectors + counts->global_store_sectors);
    double first = request->bytes > 0.0 ? fmin(1.0, request->bytes / asked) : 1.0;
    return (first + (1.0 - first) * CACHED_SHARE) * (double)counts->global_load_requests /
           request->loads_at_once;
}

// Blocks of one row of blocks run at the same time and share their loads through the L2 cache; the
// next row loads all of B again, unless A and B fit.
static double memory_bytes(const struct work *work, const struct estimate_request *request) {
    const struct card *card = request->card;
    struct size size = request->size;
    if (!is_matmul(request)) {
        return request->bytes > 0.0 ? request->bytes : work->l2_bytes;
    }
    double a = sizeof(float) * (double)size_elements_a(size);
    double b = sizeof(float) * (double)size_elements_b(size);
    double c = sizeof(float) * (double)size_elements_c(size);
    double rows = fmax(1.0, size.m / work->block_rows);  // of blocks
    bool fits = a + b < 1024.0 * card->l2_kib / 2.0;
    return c + (fits ? a + b : fmin(a + rows * b, work->l2_bytes));
}

// Blocks and threads of the launch, and the working ones among them.
static void launch_fill(const struct estimate_request *request, double area, struct work *work) {
    const struct counts *counts = request->counts;
    double warps = ceil((double)counts->threads / (double)counts->blocks / WARP_LANES);
    bool known = counts->flop_blocks >= counts->blocks && counts->working_blocks > 0;
    double working = known ? (double)counts->working_blocks / (double)counts->blocks : 1.0;
    work->blocks = fmax(1.0, floor((double)counts->blocks * area + 0.5));
    work->block_threads = floor((double)counts->threads / (double)counts->blocks);
    if (request->blocks > 0) {
        work->blocks = (double)request->blocks;
        work->block_threads = request->block_threads;
    }
    work->working = fmax(1.0, work->blocks * working);
    work->warps_share = 1.0;
    if (known && counts->working_warps > 0) {
        work->warps_share =
            fmin(1.0, (double)counts->working_warps / ((double)counts->working_blocks * warps));
    }
    double passes = (double)(counts->global_load_wavefronts + counts->global_store_wavefronts +
                             counts->shared_load_wavefronts + counts->shared_store_wavefronts +
                             counts->shared_atomic_wavefronts);
    double most = passes > 0.0 ? (double)counts->block_passes_max / passes : 0.0;
    work->busiest = most * (double)counts->working_blocks > BUSIEST_MORE ? fmin(1.0, most) : 0.0;
    work->block_rows =
        is_matmul(request) ? sqrt((double)size_elements_c(request->size) / work->working) : 1.0;
}

// Instructions of warps, in the counted launch.
static void instructions_fill(const struct counts *counts, double volume, struct work *work) {
    if (counts->flop_blocks < counts->blocks) {
        return;  // they were not counted
    }
    double fma = (double)counts->flop_slots / 2.0 / WARP_LANES;
    double free = INTEGERS_FREE * ((double)counts->memory_lanes / WARP_LANES + fma);
    double integers = fmax(0.0, (double)counts->integer_slots / WARP_LANES - free);
    double loops = (double)counts->loop_slots / WARP_LANES -
                   LOOPS_FREE * ((double)counts->memory_lanes / WARP_LANES + fma);
    work->fma = fmax(work->fma, volume * fma);
    work->others = volume * (integers + LOOP_ISSUES * fmax(0.0, loops) +
                             (double)counts->other_slots / WARP_LANES);
}

static struct work work_of(const struct estimate_request *request) {
    const struct counts *counts = request->counts;
    struct size size = request->size;
    double area = request->growth;
    double volume = request->growth;
    if (is_matmul(request)) {
        area = (double)size_elements_c(size) / (double)size_elements_c(request->counted_size);
        volume =
            (double)size_multiply_adds(size) / (double)size_multiply_adds(request->counted_size);
    }
    struct work work = {.fma = flop_of(request) / 2.0 / WARP_LANES};
    launch_fill(request, area, &work);
    instructions_fill(counts, volume, &work);
    // A copy is counted as a load and as a store, and is one instruction; its words pass through
    // the array once, as they arrive.
    double copies = fmin((double)counts->async_copies, (double)counts->global_load_requests);
    double waited = counts->global_load_requests > 0
                        ? 1.0 - copies / (double)counts->global_load_requests
                        : 1.0;
    work.copies = volume * copies;
    work.memory =
        volume * ((double)(counts->global_load_requests + counts->shared_load_joined_requests +
                           counts->shared_store_requests) -
                  2.0 * copies) +
        area * (double)counts->global_store_requests;
    work.loads = volume * (waited * (double)counts->global_load_requests +
                           (double)counts->shared_load_requests);
    work.filled = waited;
    work.barriers = volume * (double)counts->barriers;
    work.waits = volume * (double)counts->waits;
    work.global_passes = volume * waited * (double)counts->global_load_wavefronts +
                         area * (double)counts->global_store_wavefronts;
    work.shared_passes =
        volume * (double)(counts->shared_load_joined + counts->shared_store_wavefronts +
                          counts->shared_atomic_wavefronts);
    bool is_product = is_matmul(request);
    work.flights = request->loads_at_once > 0.0 ? volume * flights_of(request) : 0.0;
    work.atomics = is_product ? 0.0 : volume * (double)counts->global_atomic_sectors;
    work.l2_bytes = l2_bytes(
        &work, request, volume * (double)counts->global_load_sectors,
        area * (is_product ? (double)counts->global_store_sectors : stored_sectors(counts)));
    work.memory_bytes = memory_bytes(&work, request);
    return work;
}

// Clocks that one warp would need if it were alone.  A multiply-add waits for the previous one, or
// for a load; if many follow a load, they are independent of each other and share its wait.
static double waiting_of(const struct work *work) {
    double multiplying = fmin(CLOCKS_BETWEEN * work->fma, LOAD_CLOCKS * work->loads);
    return fmax(work->fma, multiplying) + CLOCKS_BETWEEN * INSTRUCTIONS * work->memory +
           INSTRUCTIONS * work->copies + BARRIER_CLOCKS * work->barriers +
           WAIT_CLOCKS * work->waits + LOAD_WAIT_CLOCKS * work->flights;
}

// The times, in clocks of the GPU, as if each resource were the only one.  Blocks are indivisible:
// the SM with the most blocks ends last.
static void clocks_fill(const struct card *card, const struct work *work,
                        const struct estimate *estimate, double clocks[RESOURCE_COUNT]) {
    const struct multiprocessor *one = card->multiprocessor;
    double most_blocks = ceil(work->blocks / card->multiprocessors);
    double share = fmax(most_blocks / work->blocks, work->busiest);  // share of the work on that SM
    double instructions =
        work->fma + INSTRUCTIONS * (work->memory + work->copies) + BARRIER_ISSUES * work->barriers;
    double filled =
        work->filled * work->l2_bytes / PASS_BYTES;  // arriving data is written there too
    double passes = work->global_passes + work->shared_passes + filled;
    double clock_bytes = card->memory_gb_s * 1e3 / card->clock_mhz;  // of memory, in a clock
    clocks[RESOURCE_FMA] = share * work->fma * WARP_LANES / one->fma_per_clock;
    clocks[RESOURCE_ISSUE] = share * instructions / one->issues_per_clock;
    clocks[RESOURCE_L1] = share * passes * PASS_BYTES / one->shared_bytes_per_clock;
    clocks[RESOURCE_L2] = work->l2_bytes / card->l2_bytes_per_clock;
    clocks[RESOURCE_MEMORY] = work->memory_bytes / clock_bytes;
    clocks[RESOURCE_LATENCY] = share * waiting_of(work) / estimate->warps;
    clocks[RESOURCE_OTHERS] = share * work->others / one->issues_per_clock;
    clocks[RESOURCE_BLOCKS] = most_blocks * BLOCK_CLOCKS;
    clocks[RESOURCE_ATOMICS] = ATOMIC_CLOCKS * work->atomics;
}

// The use of the resource that takes longest.
static enum estimate_bound bound_of(enum estimate_resource resource, const struct work *work,
                                    const struct counts *counts) {
    static const enum estimate_bound plain[RESOURCE_COUNT] = {
        [RESOURCE_FMA] = BOUND_FMA,       [RESOURCE_ISSUE] = BOUND_ISSUE,
        [RESOURCE_L1] = BOUND_SHARED,     [RESOURCE_L2] = BOUND_L2,
        [RESOURCE_MEMORY] = BOUND_MEMORY, [RESOURCE_LATENCY] = BOUND_LATENCY,
        [RESOURCE_OTHERS] = BOUND_ISSUE,  [RESOURCE_BLOCKS] = BOUND_ISSUE,
        [RESOURCE_ATOMICS] = BOUND_L2};
    if (resource != RESOURCE_L1) {
        return plain[resource];
    }
    if (work->global_passes > work->shared_passes) {
        double sectors = (double)counts->global_load_sectors;
        return sectors >= SCATTERED_SECTORS * (double)counts->global_load_requests
                   ? BOUND_NEIGHBOURS
                   : BOUND_GLOBAL;
    }
    double written = (double)(counts->shared_load_wavefronts + counts->shared_store_wavefronts);
    double ideal = (double)(counts->shared_load_ideal + counts->shared_store_ideal);
    return written > CONFLICTS_SHARE * ideal ? BOUND_CONFLICTS : BOUND_SHARED;
}

// Multiply-adds are issued like all instructions, so that the longer of the two times counts.
static double time_together(const double ms[RESOURCE_COUNT]) {
    double work = fmax(ms[RESOURCE_FMA], ms[RESOURCE_ISSUE]);
    double squares = work * work;
    for (int i = RESOURCE_ISSUE + 1; i <= RESOURCE_LATENCY; i++) {
        squares += ms[i] * ms[i];
    }
    squares += ms[RESOURCE_BLOCKS] * ms[RESOURCE_BLOCKS];
    squares += ms[RESOURCE_ATOMICS] * ms[RESOURCE_ATOMICS];
    return sqrt(squares) + ms[RESOURCE_OTHERS];
}

bool estimate_make(const struct estimate_request *request, struct estimate *ret_estimate) {
    const struct counts *counts = request->counts;
    const struct card *card = request->card;
    double clocks[RESOURCE_COUNT];
    if (counts->blocks == 0 || counts->threads < counts->blocks) {
        return false;
    }
    const struct work work = work_of(request);
    const struct occupancy_need need = {.threads = (int)work.block_threads,
                                        .registers = request->registers,
                                        .shared_bytes = request->shared_bytes};
    struct estimate estimate = {.registers_known = request->registers > 0};
    estimate.occupancy = occupancy_of(card->multiprocessor, &need);
    if (estimate.occupancy.blocks == 0) {
        return false;
    }
    double at_once = (double)estimate.occupancy.blocks * card->multiprocessors;
    double blocks_of_sm = ceil(work.blocks / card->multiprocessors);
    estimate.waves = work.blocks / at_once;
    estimate.blocks = work.blocks;
    estimate.barriers = work.barriers;
    estimate.warps = fmin(estimate.occupancy.blocks, blocks_of_sm) *
                     ((need.threads + WARP_LANES - 1) / WARP_LANES) * work.warps_share;
    clocks_fill(card, &work, &estimate, clocks);
    enum estimate_resource most = RESOURCE_FMA;
    for (int i = 0; i < RESOURCE_COUNT; i++) {
        estimate.resource_ms[i] = clocks[i] / (card->clock_mhz * 1e3);
        most = clocks[i] > clocks[most] ? (enum estimate_resource)i : most;
    }
    int launches = request->launches > 1 ? request->launches : 1;
    estimate.ms = time_together(estimate.resource_ms) + launches * LAUNCH_MS;
    estimate.gflops = flop_of(request) / (estimate.ms * 1e6);
    estimate.bound = bound_of(most, &work, counts);
    assert(isfinite(estimate.gflops));
    *ret_estimate = estimate;
    return true;
}

#define TENSOR_FLOP 4096.0  // of half factors, per clock and SM: 990 TFLOPS for 132 SMs
// The course's kernels have up to 21 integer instructions and 1.2 iterations for each access or
// multiplication, as written: nvcc computes most addresses before the loop.
#define TENSOR_INTEGERS_FREE 30.0
#define COPY_NS              12.0  // to start one; measured: 12 to 15

struct least least_of(const struct counts *counts, int shared_bytes) {
    const struct card *card = NULL;
    struct least least = {.idle_us = 0.0};
    if (card_find(CARD_DEFAULT, &card, NULL) || counts->blocks == 0) {
        return least;
    }
    const struct occupancy_need need = {.threads = (int)(counts->threads / counts->blocks),
                                        .shared_bytes = shared_bytes};
    double together = fmax(1.0, occupancy_of(card->multiprocessor, &need).blocks);
    double useful = (double)(counts_requests(counts) + counts->tensor_calls);
    double integers = (double)counts->integer_slots / WARP_LANES - TENSOR_INTEGERS_FREE * useful;
    double loops = (double)counts->loop_slots / WARP_LANES - LOOPS_FREE * useful;
    double issues = (double)counts->other_slots / WARP_LANES + fmax(0.0, integers) +
                    LOOP_ISSUES * fmax(0.0, loops);
    least.instructions_us = issues / card->multiprocessor->issues_per_clock / card->clock_mhz;
    least.idle_us = (double)counts->idle_ns / 1e3 / together;
    least.copies_us = (double)counts->bulk_copies * COPY_NS / 1e3;
    least.starts_us = (double)counts->blocks * BLOCK_CLOCKS / card->clock_mhz;
    return least;
}

double least_tensor_us(const struct counts *counts) {
    const struct card *card = NULL;
    if (card_find(CARD_DEFAULT, &card, NULL)) {
        return INFINITY;
    }
    return (double)counts->tensor_flops / TENSOR_FLOP / card->clock_mhz;
}
