// Figures of GPUs: the capacity and rates of an SM, and the speed of the memories.  The number of
// blocks of a kernel that fit on an SM together, and the limit of that number. Pure.
#ifndef MEASURE_DEVICES_H
#define MEASURE_DEVICES_H

#include "base/error.h"

#define CARD_DEFAULT "H200"

// The limits and rates of an SM of a compute capability.
//
// Source  CUDA C++ Programming Guide 13.0, "Compute Capabilities": tables "Technical Specifications
//         per Compute Capability" and "Throughput of Native Arithmetic Instructions"
//         (multiply-adds); chapters of the architectures (128 bytes of shared memory per clock,
//         memory reserved for each block); registers are given to a warp in units of 256 (CUDA
//         occupancy calculator).
struct multiprocessor {
    int capability;              // 90 for 9.0
    int threads_max;             // resident
    int blocks_max;              // resident
    int registers;               // of 4 bytes
    int registers_warp_unit;     // a warp's registers are a multiple of it
    int shared_bytes;            // of all resident blocks
    int shared_block_bytes_max;  // of one block
    int shared_unit_bytes;       // a block's shared memory is a multiple of it
    int shared_reserved_bytes;   // bytes per block for the system
    int fma_per_clock;           // fp32
    int shared_bytes_per_clock;  // also of hits in the L1 cache: one array serves both
    int issues_per_clock;        // warp instructions
};

struct card {
    const char *name;  // "RTX 3060"
    const struct multiprocessor *multiprocessor;
    int multiprocessors;
    int clock_mhz;           // boost
    int l2_bytes_per_clock;  // read bandwidth, at that clock
    int l2_kib;
    double memory_gb_s;
    const char *source;  // of the GPU's own figures
};

int cards_count(void);
const struct card *card_at(int index);

// Finds a GPU by name; case, blanks, '-' and '_' do not matter: "rtx3060", "RTX-3060".
// Errors: STATUS_BAD_USAGE with a list of the names.
enum status card_find(const char *name, const struct card **ret_card, struct error *err);

// The entry for a GPU, by its own name ("NVIDIA GeForce RTX 3060") and its number of SMs; NULL if
// the table lacks it, or if only the names are similar (a laptop's GPU, a part of a GPU).
const struct card *card_of_gpu(const char *gpu_name, int multiprocessors);

enum occupancy_limit {
    OCCUPANCY_THREADS,
    OCCUPANCY_BLOCKS,
    OCCUPANCY_REGISTERS,
    OCCUPANCY_SHARED,
    OCCUPANCY_LIMIT_COUNT
};
const char *occupancy_limit_name(enum occupancy_limit limit);  // "threads", "blocks", …

// The resources of a block.
struct occupancy_need {
    int threads;
    int registers;     // of one thread; 0: unknown, and not a limit
    int shared_bytes;  // static and dynamic together
};

struct occupancy {
    int blocks;                  // on one multiprocessor; 0: not even one block fits
    int warps;                   // of those
    double share;                // of the warps that the multiprocessor could hold
    enum occupancy_limit limit;  // the first that allows no more
};

// Source  CUDA C++ Best Practices Guide, "Occupancy"; the rounding is that of NVIDIA's occupancy
//         calculator.
struct occupancy occupancy_of(const struct multiprocessor *multiprocessor,
                              const struct occupancy_need *need);

#endif
